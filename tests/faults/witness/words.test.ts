import { expect, test } from 'vitest'
import { ORDERED_PERIOD } from '../../../contract/period.ts'
import { shownTerms } from '../../../contract/terms.ts'
import { identityFrom } from '../../../payments-service/mail/identity.ts'
import type { Mail } from '../../../payments-service/mail/mail.ts'
import { renderText } from '../../../payments-service/mail/render.ts'
import { termsText } from '../../../src/payment/terms-text.ts'
import { readWords } from './words.ts'

const url = 'https://example.org/x'
const common = { timeZone: 'America/Los_Angeles', cancelUrl: url }
/** Three in the morning in London is the evening before in Los Angeles. */
const paidAt = '2026-11-22T03:00:00Z'
const chargeAt = '2026-11-25T03:00:00Z'

function read(kind: Mail['kind'], data: object, since = 7) {
  const mail = { kind, to: 'a@example.org', data: { ...common, ...data } } as unknown as Mail
  return readWords(renderText(mail, identityFrom('Eyes <eyes@example.org>'), new Date(paidAt)), since)
}
const next = { kind: 'next', amount: 3900, day: '2026-11-24' }
const later = { kind: 'later', amount: 3900 }

test('H-01 the words beside the button are read as amount and day', () => {
  const words = termsText('trial_1', shownTerms('trial_1', new Date(paidAt), 'America/Los_Angeles'))?.words ?? ''
  expect(readWords(words, 0)).toEqual([next])
})

test('A-06 letters about charges are read in their words, in the buyer’s days', () => {
  const order = { productId: 'trial_1', paid: 100, paidAt, addOns: [], appUrl: url, accountUrl: null }
  const paid = { kind: 'paid', amount: 100, day: '2026-11-21' }
  expect(read('order_confirmation', order)).toEqual([next, later, paid])
  const reminder = { productId: 'trial_1', amount: 3900, chargeAt, period: ORDERED_PERIOD, appUrl: url }
  expect(read('trial_ends', reminder)).toEqual([next, later])
  // a discount of the next charge alone
  expect(read('trial_ends', { ...reminder, amount: 1900, price: 3900 })).toEqual([{ ...next, amount: 1900 }, later])
  const receipt = { amount: 3900, paidAt, nextAmount: 3900, nextChargeAt: chargeAt }
  expect(read('renewal_receipt', receipt)).toEqual([next, { kind: 'paid', amount: 3900, day: '2026-11-21' }])
  const often = { oldPeriod: ORDERED_PERIOD, newPeriod: { unit: 'week', count: 1 } }
  const dearer = { oldAmount: 3500, newAmount: 4500, fromAt: chargeAt, nextAmount: 3900, nextChargeAt: chargeAt }
  expect(read('price_changed', { ...dearer, ...often })).toEqual([next])
  const undone = { amount: 3900, nextChargeAt: chargeAt, period: ORDERED_PERIOD }
  expect(read('cancellation_undone', undone)).toEqual([next, later])
  expect(read('cancellation_undone', { ...undone, period: often.newPeriod })).toEqual([next, later])
  const failed = { amount: 3900, attempt: 1, nextTryAt: chargeAt, accessUntil: chargeAt, updateUrl: url }
  expect(read('payment_failed', failed)).toEqual([{ kind: 'due', amount: 3900 }])
  const addOn = { productIds: ['guide_habits'], openUntil: null, next: { amount: 3900, at: chargeAt }, appUrl: url }
  expect(read('access_reopened', addOn)).toEqual([next])
  const fresh = { expiresAt: chargeAt, nextChargeAt: chargeAt, amount: 3900 }
  expect(read('fresh_cancel_link', fresh)).toEqual([next])
})

test('H-04 A-07 letters that promise that nothing follows, or that money comes back, are read so', () => {
  const cancelled = { canceledAt: paidAt, accessUntil: chargeAt, undoUrl: url, keptAddOns: [], cancelUrl: null }
  expect(read('cancellation_confirmed', cancelled)).toEqual([{ kind: 'nothing' }])
  const last = { amount: 3900, at: chargeAt }
  expect(read('cancellation_confirmed', { ...cancelled, last })).toEqual([next])
  const ended = { reason: 'cancelled', endedAt: paidAt, returnUrl: url, keptAddOns: [] }
  expect(read('access_ended', ended)).toEqual([{ kind: 'nothing' }])
  const unpaid = { ...ended, reason: 'payment_failed', final: false }
  expect(read('access_ended', unpaid)).toEqual([{ kind: 'nothing', unless: 'paid' }])
  expect(read('access_ended', { ...unpaid, final: true })).toEqual([{ kind: 'nothing' }])
  expect(read('access_ended', { ...ended, last: { ...last, added: true } })).toEqual([next])
  const again = { productIds: ['trial_1'], openUntil: chargeAt, next: null, appUrl: url, cancelUrl: null }
  expect(read('access_reopened', again)).toEqual([{ kind: 'nothing' }])
  const granted = { decision: 'approved', amount: 4000, decidedAt: paidAt, accessEndsAt: paidAt, paidWith: null }
  expect(read('money_back_decided', granted)).toEqual([{ kind: 'nothing' }, { kind: 'refunded', amount: 4000 }])
  const partly = { amount: 767, refundedAt: paidAt, productIds: ['trial_1767'], accessEndsAt: null }
  expect(read('refund', partly)).toEqual([{ kind: 'refunded', amount: 767 }])
  const twice = { productId: 'trial_1', amount: 100, paidAt }
  expect(read('duplicate_refunded', twice)).toEqual([{ kind: 'refunded', amount: 100 }])
  const withdrawn = { receivedAt: paidAt, productIds: ['trial_1'], amount: 100 }
  expect(read('withdrawal_received', withdrawn)).toEqual([{ kind: 'nothing' }])
  expect(readWords('You have not been charged.', 0)).toEqual([{ kind: 'uncharged', intent: null }])
})
