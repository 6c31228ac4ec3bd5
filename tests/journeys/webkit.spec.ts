/** What every iPhone's browser does: WebKit walks the whole way, over http as `npm start` serves it. */
import { expect, withStack as test } from '../support/journey.ts'
import { missingWebKit, WebKit } from '../support/webkit.ts'
import { ANSWERS, ASKS_NEXT } from './funnel.ts'
import { atStripe, newEmail } from './prepared.ts'

test.skip(missingWebKit().length > 0, `not on this machine: ${missingWebKit().join(', ')}`)

const LOADERS = [7, 14, 21]

async function passStep(webkit: WebKit, step: number, email: string): Promise<void> {
  await webkit.at(new RegExp(`[?&]step=${step}(&|$)`))
  // the address changes a moment before the screen
  await webkit.sees(new RegExp(`^${step}/3[23]\\b`, 'm'))
  const answers = ANSWERS[step]
  if (LOADERS.includes(step)) return
  if (answers) {
    for (const one of answers) await webkit.press('choice', one)
    if (ASKS_NEXT.includes(step)) await webkit.press('button', /^next$/)
  } else if (step === 23) {
    await webkit.fill(/mail/, email)
    await webkit.press('button', 'SEE MY RESULTS')
  } else {
    await webkit.press('choice', step === 33 ? 'CONTINUE' : /continue|next|got it|show|see|my/)
  }
}

test('L-04 S-33 C-13 P-04 A-03 A-05 in WebKit: quiz, reloads, card with 3-D Secure, account, programme', async ({
  stack,
}) => {
  const email = newEmail()
  const webkit = await WebKit.open()
  try {
    await webkit.goTo(`${stack.url}/`)
    await webkit.press('link', '30-45')
    await webkit.at(/step=Welcome/)
    await webkit.press('checkbox', /agree/)
    await webkit.press('button', 'Start Quiz')
    for (let step = 1; step <= 33; step++) {
      if (step === 12) await webkit.at(/step=12/).then(webkit.reload)
      await passStep(webkit, step, email)
    }
    await webkit.at(/^\/checkout\//)
    await webkit.reload()
    await webkit.press('button', 'Order now')
    await webkit.sees('You will be charged only')
    await webkit.fill('Full name', 'Ada Sample')
    await webkit.fillCardField('cardnumber', '4000002760003184')
    await webkit.fillCardField('exp-date', '1234')
    await webkit.fillCardField('cvc', '123')
    await webkit.press('button', /^(order now|pay (now|\$)|order with obligation)/)
    await webkit.press('button', 'Complete')

    await webkit.at(/^\/multi-upsell\//)
    await webkit.reload()
    await webkit.press('button', 'Skip')
    await webkit.at(/^\/user-creation\//)
    await webkit.fill('Password', 'Sunlight7')
    await webkit.fill(/confirm/, 'Sunlight7')
    await webkit.press('button', /create/)
    await webkit.at(/^\/thank-you\//)
    await webkit.sees(email)
    await webkit.goTo(`${stack.url}/app/`)
    await webkit.sees(/Day 1\b/)
  } catch (error) {
    const words = await webkit.words().catch(() => 'nothing any more')
    throw new Error(`in WebKit, reading: ${words}`, { cause: error })
  } finally {
    await webkit.close()
  }
  const { charges, subscriptions } = await atStripe(stack, email)
  expect(charges.map(({ amount }) => amount)).toHaveLength(1)
  expect(subscriptions.map(({ status }) => status)).toEqual(['trialing'])
})
