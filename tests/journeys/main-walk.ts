/** The main walk for engines that Playwright does not drive: from the landing page to the programme, with a card. */
import type { Hands } from '../support/hands.ts'
import type { Stack } from '../support/stack.ts'
import { expect } from '../support/journey.ts'
import { ANSWERS, ASKS_NEXT } from './funnel.ts'
import { atStripe, newEmail } from './prepared.ts'

const LOADERS = [7, 14, 21]

async function passStep(hands: Hands<unknown>, step: number, email: string): Promise<void> {
  await hands.at(new RegExp(`[?&]step=${step}(&|$)`))
  // the address changes a moment before the screen
  await hands.sees(new RegExp(`^${step}/3[23]\\b`, 'm'))
  const answers = ANSWERS[step]
  if (LOADERS.includes(step)) return
  if (answers) {
    for (const one of answers) await hands.press('choice', one)
    if (ASKS_NEXT.includes(step)) await hands.press('button', /^next$/)
  } else if (step === 23) {
    await hands.fill(/mail/, email)
    await hands.press('button', 'SEE MY RESULTS')
  } else {
    await hands.press('choice', step === 33 ? 'CONTINUE' : /continue|next|got it|show|see|my/)
  }
}

async function fromLandingToProgramme(hands: Hands<unknown>, url: string, email: string): Promise<void> {
  await hands.goTo(`${url}/`)
  await hands.press('link', '30-45')
  await hands.at(/step=Welcome/)
  await hands.press('checkbox', /agree/)
  await hands.press('button', 'Start Quiz')
  for (let step = 1; step <= 33; step++) {
    if (step === 12) await hands.at(/step=12/).then(hands.reload)
    await passStep(hands, step, email)
  }
  await hands.at(/^\/checkout\//)
  await hands.reload()
  await hands.press('button', 'Order now')
  await hands.sees('You will be charged only')
  await hands.fill('Full name', 'Ada Sample')
  await hands.fillCardField('cardnumber', '4000002760003184')
  await hands.fillCardField('exp-date', '1234')
  await hands.fillCardField('cvc', '123')
  await hands.press('button', /^(order now|pay (now|\$)|order with obligation)/)
  await hands.press('button', 'Complete')

  await hands.at(/^\/multi-upsell\//)
  await hands.reload()
  await hands.press('button', 'Skip')
  await hands.at(/^\/user-creation\//)
  await hands.fill('Password', 'Sunlight7')
  await hands.fill(/confirm/, 'Sunlight7')
  await hands.press('button', /create/)
  await hands.at(/^\/thank-you\//)
  await hands.sees(email)
  await hands.goTo(`${url}/app/`)
  await hands.sees(/Day 1\b/)
}

/** Walks, closes the browser, and asserts one charge and one trial at Stripe. */
export async function walkAndBuy(hands: Hands<unknown>, stack: Stack): Promise<void> {
  const email = newEmail()
  try {
    await fromLandingToProgramme(hands, stack.url, email)
  } catch (error) {
    const words = await hands.words().catch(() => 'nothing any more')
    throw new Error(`reading: ${words}`, { cause: error })
  } finally {
    await hands.close()
  }
  const { charges, subscriptions } = await atStripe(stack, email)
  expect(charges.map(({ amount }) => amount)).toHaveLength(1)
  expect(subscriptions.map(({ status }) => status)).toEqual(['trialing'])
}
