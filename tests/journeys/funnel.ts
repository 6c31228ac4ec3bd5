/**
 * What a visitor does on the way through the funnel, as verbs: journeys read as stories and wait on what a person sees.
 */
import { expect, type Page } from '@playwright/test'

/** The answer to each question: labels of the sample content, several for a multi-select. */
export const ANSWERS: Readonly<Record<number, readonly string[]>> = {
  1: ['Green'],
  2: ['Blurry vision', 'Eye strain', 'Headaches'],
  3: ['Daily'],
  4: ['Evening', 'After extended screen time'],
  5: ['Yes, glasses'],
  8: ['Smartphone', 'Computer/Laptop'],
  9: ['More than 8 hours'],
  10: ['Mixed lighting conditions'],
  11: ['Somewhat sensitive'],
  13: ['I rarely take breaks'],
  16: ['1-2 years'],
  17: ['None'],
  18: ['Not sure'],
  20: ['5-10 min'],
}
/** Steps that wait for a press of “Next” after the answer. */
export const ASKS_NEXT: readonly number[] = [1, 2, 4, 8, 9]
const LOADERS: Record<number, number> = { 7: 6500, 14: 6200, 21: 5600 }

/** The step named in the address. */
export function stepOf(page: Page): string | null {
  return new URL(page.url()).searchParams.get('step')
}

export async function atStep(page: Page, step: number | 'Welcome'): Promise<void> {
  await expect.poll(() => stepOf(page), { message: `step ${step} of the quiz` }).toBe(String(step))
}

/** Chooses options of the question on screen by label; a label may begin the option's words. */
export async function choose(page: Page, ...labels: string[]): Promise<void> {
  const main = page.getByRole('main')
  for (const label of labels) {
    const name = new RegExp(`^${label.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}`, 'i')
    await main.getByRole('button', { name }).or(main.getByRole('radio', { name })).first().click()
  }
}

/** Landing page → age group → Welcome → step 1. */
export async function startQuiz(page: Page, age = '30-45'): Promise<void> {
  await page.goto('/')
  await page.getByRole('link', { name: age }).click()
  await atStep(page, 'Welcome')
  // D-13: a visitor from an unknown place is asked before answers about health leave the browser
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Start Quiz' }).click()
  await atStep(page, 1)
}

/** Answers step `step` and goes on to the next. Loaders are sped up where the page's clock is installed. */
export async function passStep(page: Page, step: number, visitor: { email: string; price?: string }): Promise<void> {
  await atStep(page, step)
  const answers = ANSWERS[step]
  const loader = LOADERS[step]
  if (answers) {
    await choose(page, ...answers)
    if (ASKS_NEXT.includes(step)) await page.getByRole('button', { name: 'Next', exact: true }).click()
  } else if (loader) {
    await page.clock.fastForward(loader + 100)
  } else if (step === 23) {
    const see = page.getByRole('button', { name: 'SEE MY RESULTS' })
    await expect(see).toBeDisabled()
    await page.getByRole('textbox').fill(visitor.email)
    await see.click()
  } else if (step === 33) {
    if (visitor.price) await choose(page, visitor.price)
    await page.getByRole('button', { name: 'CONTINUE' }).click()
  } else {
    await page
      .getByRole('main')
      .getByRole('button', { name: /continue|next|got it|show|see|my/i })
      .last()
      .click()
  }
}

/** The whole quiz, from the landing page to the checkout page. Returns the session id of the address. */
export async function walkQuiz(page: Page, visitor: { email: string; price?: string; age?: string }): Promise<string> {
  await page.clock.install()
  await startQuiz(page, visitor.age)
  for (let step = 1; step <= 33; step++) await passStep(page, step, visitor)
  await page.waitForURL(/\/checkout\/[0-9a-f-]{36}/)
  return sessionIdOf(page)
}

export function sessionIdOf(page: Page): string {
  const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(new URL(page.url()).pathname)?.[0]
  if (!id) throw new Error(`no session id in ${page.url()}`)
  return id
}

/** Opens the payment dialog from the checkout page. */
export async function openPayment(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Order now', exact: true }).first().click()
  await expect(page.getByRole('dialog', { name: 'Choose payment method' })).toBeVisible()
}

export interface Card {
  number?: string
  expiry?: string
  cvc?: string
  name?: string
  email?: string
}

/** Fills the card form of the open dialog or form; the fields are Stripe's. */
export async function fillCard(page: Page, card: Card = {}): Promise<void> {
  await page.getByLabel('Full name').fill(card.name ?? 'Ada Sample')
  if (card.email) await page.getByLabel('Email', { exact: true }).fill(card.email)
  await stripeField(page, 'cardnumber').fill(card.number ?? '4242 4242 4242 4242')
  await stripeField(page, 'exp-date').fill(card.expiry ?? '12 / 34')
  await stripeField(page, 'cvc').fill(card.cvc ?? '123')
}

/** A field inside one of Stripe's frames, by its input name (the names of Stripe's own frames). */
export function stripeField(page: Page, name: 'cardnumber' | 'exp-date' | 'cvc') {
  return page.locator(`input[name="${name}"]`)
}

/** Presses the pay button of the open form. */
export async function pay(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Order Now|Pay (now|\$)|Order with obligation to pay \S+$)/ }).click()
}

/** Fills in the account page and presses its button. */
export async function makeAccount(page: Page, confirmation = 'Sunlight7'): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill('Sunlight7')
  await page.getByLabel(/confirm/i).fill(confirmation)
  await page.getByRole('button', { name: /create/i }).click()
}
