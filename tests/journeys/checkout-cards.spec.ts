/**
 * The test cards that require 3-D Secure, each failed and then completed in the bank's dialog, and what both sides
 * record.
 */
import { expect, test } from '../support/journey.ts'
import { fillCard, openPayment, pay } from './funnel.ts'
import { atCheckout, paidOnce, unpaid } from './prepared.ts'

/** `words`: the message after the dialog was completed; null: paid. */
const CARDS: { number: string; about: string; words: string | null }[] = [
  { number: '4000002500003155', about: 'asks until it is set up', words: null },
  { number: '4000003800000446', about: 'asks while the buyer is there', words: null },
  {
    number: '4000008260003178',
    about: 'asks, then has no funds',
    words: 'Card error: Your card has insufficient funds.',
  },
  { number: '4000008400001629', about: 'asks, then declines', words: 'Card error: Your card was declined.' },
]

for (const { number, about, words } of CARDS) {
  test(`C-13 P-11 card …${number.slice(-4)} ${about}: failed in the bank's dialog, then completed`, async ({
    page,
    stack,
  }) => {
    const visitor = await atCheckout(page, { price: 5 })
    await openPayment(page)
    await fillCard(page, { number })
    await pay(page)
    const bank = page.getByRole('dialog', { name: '3D Secure 2 test page' })
    await expect(bank).toContainText('5.00 USD')
    // while the bank asks, the payment cannot be closed
    await expect(page.getByRole('button', { name: 'Close', includeHidden: true })).toHaveCount(0)
    await bank.getByRole('button', { name: 'Fail' }).click()
    const trouble = page.getByRole('dialog', { name: 'Choose payment method' }).getByRole('alert')
    await expect(trouble).toContainText(
      'Payment failed: We are unable to authenticate your payment method. Please choose a different payment ' +
        'method and try again.',
    )
    await expect(trouble).toContainText('You were not charged.')
    await unpaid(stack, visitor)

    await pay(page)
    await bank.getByRole('button', { name: 'Complete' }).click()
    if (words) {
      await expect(trouble).toContainText(words)
      await expect(trouble).toContainText('You were not charged. You can try again.')
      await unpaid(stack, visitor)
      await fillCard(page)
      await pay(page)
    }
    await page.waitForURL(`**/multi-upsell/${visitor.sessionId}`)
    await paidOnce(stack, visitor, 500)
  })
}
