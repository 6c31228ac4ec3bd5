/** Every form in which a card is typed: a wrong field says so once it is left, and a refusal keeps what was typed. */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import type { Stack } from '../support/stack.ts'
import { atAddOns, savedCardDeclines } from './buyer.ts'
import { fillCard, openPayment, pay, stripeField } from './funnel.ts'
import { becomeMember } from './members.ts'
import { atCheckout, newEmail, prepared } from './prepared.ts'

interface CardForm {
  form: string
  ids: string
  open: (page: Page, stack: Stack) => Promise<void>
  /** What the form asks for beside the card. */
  asks: readonly ('name' | 'email')[]
  order: (page: Page) => Promise<void>
}

const FORMS: readonly CardForm[] = [
  {
    form: 'the checkout',
    ids: 'C-13 P-11',
    open: async (page) => {
      await atCheckout(page)
      await openPayment(page)
    },
    asks: ['name', 'email'],
    order: pay,
  },
  {
    form: 'the special offer',
    ids: 'O-02 P-11',
    open: async (page) => {
      const { sessionId } = await prepared(page)
      await page.goto(`/special-offer-details/${sessionId}`)
      await page.getByRole('button', { name: 'Start my first month' }).click()
    },
    asks: ['name', 'email'],
    order: pay,
  },
  {
    form: 'the add-ons',
    ids: 'U-06 P-11',
    open: async (page, stack) => {
      const { sessionId } = await atAddOns(page)
      await savedCardDeclines(stack, sessionId)
      await page.getByRole('button', { name: /^Add to my order/ }).click()
      await expect(page.getByRole('heading', { name: 'Complete Your Purchase' })).toBeFocused()
    },
    asks: ['name'],
    order: pay,
  },
  {
    form: 'the account',
    ids: 'A-05',
    open: async (page, stack) => {
      await page.goto('/payment-error')
      await becomeMember(page, stack, newEmail())
      await page.goto('/app/card')
    },
    asks: [],
    order: (page) => page.getByRole('button', { name: 'Save this card' }).click(),
  },
]

/** Each fault of a field of Stripe's, and of one of ours, in the one sentence that it has. */
const OF_THE_CARD = [
  ['cardnumber', '4242', 'Your card number is incomplete.'],
  ['cardnumber', '4242 4242 4242 4241', 'Your card number is invalid.'],
  ['exp-date', '1', "Your card's expiration date is incomplete."],
  ['exp-date', '12 / 20', "Your card's expiration year is in the past."],
  ['cvc', '1', "Your card's security code is incomplete."],
] as const
const OF_THE_BUYER = [
  ['name', 'Full name', '', 'Please enter your full name.'],
  ['email', 'Email', 'ada@', 'Please enter a valid email address.'],
  ['email', 'Email', '', 'Email is required for payment'],
] as const

for (const { form, ids, open, asks, order } of FORMS) {
  test(`${ids} the card form of ${form} names a fault on leaving its field; a refusal keeps all but the code`, async ({
    page,
    stack,
    expectTrouble,
  }) => {
    expectTrouble(/402/)
    await open(page, stack)
    const faults = page.locator('.field-error')
    await fillCard(page)
    for (const [name, wrong, words] of OF_THE_CARD) {
      const field = stripeField(page, name)
      const right = await field.inputValue()
      await field.fill(wrong)
      await field.blur()
      await expect(faults).toHaveText([words])
      await field.fill(right)
      await expect(faults).toHaveCount(0)
    }
    for (const [name, label, wrong, words] of OF_THE_BUYER.filter(([name]) => asks.includes(name))) {
      const field = page.getByLabel(label, { exact: true })
      const right = await field.inputValue()
      await field.fill(wrong)
      await expect(faults, `${name}: nothing while it is typed`).toHaveCount(0)
      await field.blur()
      await expect(faults).toHaveText([words])
      await field.fill(right)
      await expect(faults).toHaveCount(0)
    }

    const typed = page.locator('form.pay input:not([type=checkbox])')
    await page.getByLabel('Postal code').fill('12345')
    await stripeField(page, 'cardnumber').fill('4000 0000 0000 0002')
    const before = await typed.evaluateAll((all: HTMLInputElement[]) => all.map(({ name, value }) => [name, value]))
    await order(page)
    await expect(page.getByRole('alert').filter({ hasText: 'Card error: Your card was declined.' })).toBeVisible()
    expect(before).toContainEqual(['cvc', '123'])
    await expect
      .poll(() => typed.evaluateAll((all: HTMLInputElement[]) => all.map(({ name, value }) => [name, value])))
      .toEqual(before.map(([name, value]) => [name, name === 'cvc' ? '' : value]))
    await expect(faults).toHaveCount(0)
  })
}
