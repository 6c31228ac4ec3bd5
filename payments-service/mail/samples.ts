/** One invented mail of every kind and turn: for the preview and the tests. */
import { ORDERED_PERIOD } from '../../contract/period.ts'
import { accountLink, linkAddress, type MailLink } from './mailed-links.ts'
import type { Mail, MailIdentity, MailKind } from './mail.ts'
import { runningSamples } from './samples.running.ts'

export const SAMPLE_NOW = new Date('2026-11-20T15:30:00Z')

export const SAMPLE_IDENTITY: MailIdentity = {
  productName: 'Sample Programme',
  companyName: 'Sample Company Ltd',
  companyAddress: '1 Sample Street, 10001 Sampletown',
  contactEmail: 'help@sample.test',
  siteUrl: 'https://sample.test',
}

const to = 'ada@example.org'
const site = 'https://sample.test'
const token = 'bWFjbWFjbWFjbWFjbWFjbWFjbWFjbWFjbWFjbWFjbWFjbWFjbWFj'
const link = (purpose: MailLink, signed = token) => linkAddress(site, purpose, signed)
const cancelUrl = link('cancel')
const appUrl = `${site}/app/`
const card = { type: 'card', brand: 'visa', last4: '4242' } as const
const timeZone = 'America/New_York'

type Missing<Kind extends MailKind> = [Kind] extends [never] ? unknown : `no sample of ${Kind}`

/** Does not compile while a kind of mail has no sample. */
const ofEveryKind = <All extends Record<string, Mail>>(
  samples: All & Missing<Exclude<MailKind, All[keyof All]['kind']>>,
): Record<string, Mail> => samples

/** Mails by the name of their preview; a kind with two variants is listed twice. */
export const SAMPLES = ofEveryKind({
  ...runningSamples(cancelUrl, link('withdraw')),
  order_confirmation: {
    kind: 'order_confirmation',
    to,
    data: {
      name: 'Ada Lovelace',
      timeZone,
      productId: 'trial_1767',
      paid: 1767,
      paidAt: '2026-11-20T15:29:00Z',
      paidWith: card,
      addOns: [
        { productId: 'guide_ergonomics', amount: 1490, undoUrl: link('undo_add_on', `${token}1`) },
        { productId: 'guide_lighting', amount: 1490, undoUrl: link('undo_add_on', `${token}2`) },
      ],
      undoUntil: '2026-11-20T15:40:00Z',
      tax: { name: 'VAT', country: 'DE', rate: 1900, netAmount: 1485, taxAmount: 282 },
      appUrl,
      accountUrl: link('create_account'),
      cancelUrl,
    },
  },
  order_confirmation_plain: {
    kind: 'order_confirmation',
    to,
    data: {
      productId: 'special_offer',
      paid: 1900,
      paidAt: '2026-11-20T15:29:00Z',
      paidWith: { type: 'paypal' },
      addOns: [],
      appUrl,
      accountUrl: null,
      cancelUrl,
      withdrawUrl: link('withdraw'),
    },
  },
  addon_receipt: {
    kind: 'addon_receipt',
    to,
    data: {
      timeZone,
      items: [{ productId: 'bundle', amount: 2499, undoUrl: link('undo_add_on') }],
      paidAt: '2026-11-20T15:29:00Z',
      paidWith: card,
      undoUntil: '2026-11-20T15:39:00Z',
      appUrl,
      cancelUrl,
    },
  },
  one_time_receipt: {
    kind: 'one_time_receipt',
    to,
    data: { productId: 'reading_14_days', paid: 1995, paidAt: '2026-11-20T15:29:00Z', paidWith: card, openUrl: appUrl },
  },
  account_welcome: { kind: 'account_welcome', to, data: { name: 'Ada', email: to, appUrl, cancelUrl } },
  trial_ends: {
    kind: 'trial_ends',
    to,
    data: {
      timeZone,
      productId: 'trial_1',
      amount: 3900,
      chargeAt: '2026-11-23T15:29:00Z',
      period: ORDERED_PERIOD,
      paidWith: card,
      appUrl,
      cancelUrl,
    },
  },
  price_changed: {
    kind: 'price_changed',
    to,
    data: {
      timeZone,
      oldAmount: 3900,
      oldPeriod: ORDERED_PERIOD,
      newAmount: 4500,
      newPeriod: ORDERED_PERIOD,
      fromAt: '2026-12-23T15:29:00Z',
      nextAmount: 4500,
      nextChargeAt: '2026-12-23T15:29:00Z',
      paidWith: card,
      cancelUrl,
    },
  },
  price_changed_with_discount: {
    kind: 'price_changed',
    to,
    data: {
      oldAmount: 3900,
      oldPeriod: ORDERED_PERIOD,
      newAmount: 4500,
      newPeriod: ORDERED_PERIOD,
      fromAt: '2026-12-23T15:29:00Z',
      nextAmount: 2250,
      nextChargeAt: '2026-12-23T15:29:00Z',
      cancelUrl,
    },
  },
  renewal_receipt: {
    kind: 'renewal_receipt',
    to,
    data: {
      timeZone,
      amount: 3900,
      paidAt: '2026-11-23T15:29:00Z',
      paidWith: card,
      nextAmount: 3900,
      nextChargeAt: '2026-12-23T15:29:00Z',
      tax: { name: 'VAT', country: 'FI', rate: 2550, netAmount: 3108, taxAmount: 792 },
      invoiceUrl: link('invoice'),
      cancelUrl,
    },
  },
  payment_failed_1: {
    kind: 'payment_failed',
    to,
    data: {
      timeZone,
      amount: 3900,
      attempt: 1,
      nextTryAt: '2026-12-25T15:29:00Z',
      paidWith: card,
      updateUrl: link('update_payment'),
      cancelUrl,
    },
  },
  payment_failed_last: {
    kind: 'payment_failed',
    to,
    data: {
      amount: 3900,
      attempt: 4,
      nextTryAt: null,
      updateUrl: link('update_payment'),
      cancelUrl,
    },
  },
  cancellation_confirmed: {
    kind: 'cancellation_confirmed',
    to,
    data: {
      timeZone,
      canceledAt: '2026-11-21T09:10:00Z',
      accessUntil: '2026-11-23T15:29:00Z',
      undoUrl: link('undo_cancel'),
      keptAddOns: ['guide_ergonomics', 'guide_lighting'],
    },
  },
  cancellation_confirmed_last: {
    kind: 'cancellation_confirmed',
    to,
    data: {
      timeZone,
      canceledAt: '2026-11-23T15:40:00Z',
      accessUntil: '2026-12-23T15:29:00Z',
      undoUrl: link('undo_cancel'),
      keptAddOns: [],
      last: { amount: 3900, at: '2026-11-23T16:29:00Z', added: false },
    },
  },
  cancellation_undone: {
    kind: 'cancellation_undone',
    to,
    data: { timeZone, amount: 3900, nextChargeAt: '2026-12-23T15:29:00Z', period: ORDERED_PERIOD, cancelUrl },
  },
  refund: {
    kind: 'refund',
    to,
    data: {
      amount: 1490,
      tax: { name: 'VAT', taxAmount: 238 },
      refundedAt: '2026-11-20T15:35:00Z',
      productIds: ['guide_ergonomics'],
      paidWith: card,
      accessEndsAt: null,
      cancelUrl,
    },
  },
  refund_failed: {
    kind: 'refund_failed',
    to,
    data: {
      timeZone,
      productId: 'guide_ergonomics',
      amount: 1490,
      paidAt: '2026-11-20T15:29:00Z',
      paidWith: card,
      next: 'person',
    },
  },
  refund_sent_again: {
    kind: 'refund_failed',
    to,
    data: {
      timeZone,
      productId: 'trial_9',
      amount: 900,
      paidAt: '2026-11-20T15:29:00Z',
      paidWith: card,
      next: 'again',
    },
  },
  duplicate_refunded: {
    kind: 'duplicate_refunded',
    to,
    data: {
      timeZone,
      productId: 'trial_9',
      amount: 900,
      paidAt: '2026-11-20T15:29:00Z',
      kept: card,
      refunded: { type: 'paypal' },
      runs: true,
      cancelUrl,
    },
  },
  duplicate_of_earlier_order: {
    kind: 'duplicate_refunded',
    to,
    data: {
      timeZone,
      productId: 'trial_1',
      amount: 100,
      paidAt: '2026-11-20T15:29:00Z',
      elsewhere: true,
      runs: true,
      refunded: card,
      cancelUrl,
    },
  },
  duplicate_of_unpaid_order: {
    kind: 'duplicate_refunded',
    to,
    data: {
      timeZone,
      productId: 'trial_1',
      amount: 100,
      paidAt: '2026-11-20T15:29:00Z',
      elsewhere: true,
      runs: true,
      payUrl: link('update_payment'),
      refunded: card,
      cancelUrl,
    },
  },
  already_subscribed: { kind: 'already_subscribed', to, data: { name: 'Ada', appUrl, cancelUrl } },
  already_subscribed_unpaid: {
    kind: 'already_subscribed',
    to,
    data: { name: 'Ada', appUrl, cancelUrl, payUrl: link('update_payment') },
  },
  access_ended: {
    kind: 'access_ended',
    to,
    data: {
      name: 'Ada',
      timeZone,
      reason: 'cancelled',
      asked: true,
      endedAt: '2026-11-23T15:29:00Z',
      returnUrl: appUrl,
      keptAddOns: ['bundle'],
    },
  },
  renewal_receipt_last: {
    kind: 'renewal_receipt',
    to,
    data: { amount: 3900, paidAt: '2026-11-23T15:29:00Z', nextAmount: null, nextChargeAt: null, cancelUrl },
  },
  access_ended_at_once: {
    kind: 'access_ended',
    to,
    data: {
      reason: 'cancelled',
      asked: true,
      endedAt: '2026-11-23T15:29:00Z',
      dropped: 3900,
      returnUrl: appUrl,
      keptAddOns: [],
    },
  },
  access_ended_unpaid: {
    kind: 'access_ended',
    to,
    data: {
      reason: 'payment_failed',
      endedAt: '2026-12-30T15:29:00Z',
      returnUrl: link('update_payment'),
      keptAddOns: [],
    },
  },
  purchase_ended: {
    kind: 'purchase_ended',
    to,
    data: {
      timeZone,
      cancelUrl,
      productId: 'guide_habits',
      amount: 1490,
      paidAt: '2026-11-20T15:29:00Z',
      endedAt: '2026-12-30T15:29:00Z',
      appUrl,
      keptAddOns: ['guide_lighting'],
    },
  },
  access_reopened: {
    kind: 'access_reopened',
    to,
    data: { timeZone, productIds: ['trial_1'], refund: false, openUntil: '2026-12-30T15:29:00Z', next: null, appUrl },
  },
  access_reopened_refund: {
    kind: 'access_reopened',
    to,
    data: { timeZone, productIds: ['trial_1'], refund: true, openUntil: '2026-12-30T15:29:00Z', next: null, appUrl },
  },
  access_reopened_add_on: {
    kind: 'access_reopened',
    to,
    data: {
      timeZone,
      cancelUrl,
      productIds: ['guide_habits'],
      refund: false,
      openUntil: null,
      next: { amount: 3900, at: '2026-12-23T15:29:00Z' },
      appUrl,
    },
  },
  abandoned_checkout: {
    kind: 'abandoned_checkout',
    to,
    data: {
      productId: 'trial_5',
      resumeUrl: link('resume'),
      expiresAt: '2026-11-27T15:29:00Z',
      unsubscribeUrl: link('unsubscribe'),
    },
  },
  resume_link: {
    kind: 'resume_link',
    to,
    data: { timeZone, resumeUrl: link('resume'), expiresAt: '2026-11-20T16:30:00Z' },
  },
  password_reset: {
    kind: 'password_reset',
    to,
    data: { resetUrl: accountLink(site, 'reset-password', token), expiresAt: '2026-11-20T16:30:00Z', cancelUrl },
  },
  magic_link: {
    kind: 'magic_link',
    to,
    data: { signInUrl: accountLink(site, 'sign-in-link', token), expiresAt: '2026-11-20T15:45:00Z' },
  },
  email_verification_code: {
    kind: 'email_verification_code',
    to,
    data: { code: '482913', expiresAt: '2026-11-20T15:45:00Z', why: 'correct_email' },
  },
  money_back_requested: {
    kind: 'money_back_requested',
    to,
    data: { timeZone, requestedAt: '2026-11-28T10:00:00Z', amount: 4000, answerBy: '2026-12-02T10:00:00Z', cancelUrl },
  },
  money_back_approved: {
    kind: 'money_back_decided',
    to,
    data: {
      timeZone,
      decision: 'approved',
      amount: 4000,
      pending: 0,
      withBank: 0,
      open: 0,
      decidedAt: '2026-11-30T10:00:00Z',
      accessEndsAt: '2026-11-30T10:00:00Z',
      paidWith: card,
    },
  },
  money_back_in_part: {
    kind: 'money_back_decided',
    to,
    data: {
      timeZone,
      decision: 'approved',
      amount: 3900,
      pending: 0,
      withBank: 100,
      open: 0,
      decidedAt: '2026-11-30T10:00:00Z',
      accessEndsAt: '2026-11-30T10:00:00Z',
      paidWith: card,
    },
  },
  money_back_declined: {
    kind: 'money_back_decided',
    to,
    data: {
      decision: 'declined',
      amount: 4000,
      decidedAt: '2026-11-30T10:00:00Z',
      reason: 'The first payment was more than 30 days before the request.',
      standing: 'goes_on',
      cancelUrl,
    },
  },
  withdrawal_received: {
    kind: 'withdrawal_received',
    to,
    data: {
      timeZone: 'Europe/Paris',
      receivedAt: '2026-11-25T10:00:00Z',
      productIds: ['trial_1', 'bundle'],
      amount: 2599,
    },
  },
  withdrawal_received_free: {
    kind: 'withdrawal_received',
    to,
    data: { timeZone: 'Europe/Paris', receivedAt: '2026-11-25T10:00:00Z', productIds: ['trial_1'], amount: 0 },
  },
  exit_end: {
    kind: 'exit_received',
    to,
    data: {
      name: 'Ada Lovelace',
      statement: 'end',
      contract: 'subscription',
      receivedAt: '2026-11-25T10:00:00Z',
      effectAt: null,
      takeBackUrl: link('undo_exit'),
    },
  },
  exit_withdraw: {
    kind: 'exit_received',
    to,
    data: {
      name: 'Ада Лавлейс',
      statement: 'withdraw',
      contract: 'everything',
      receivedAt: '2026-11-25T10:00:00Z',
      effectAt: '2026-11-26T10:00:00Z',
      takeBackUrl: link('undo_exit'),
    },
  },
  fresh_cancel_link: {
    kind: 'fresh_cancel_link',
    to,
    data: {
      timeZone,
      cancelUrl,
      expiresAt: '2026-12-20T15:30:00Z',
      nextChargeAt: '2026-12-23T15:29:00Z',
      amount: 3900,
    },
  },
  fresh_withdraw_link: {
    kind: 'fresh_cancel_link',
    to,
    data: {
      timeZone,
      cancelUrl,
      withdrawUrl: link('withdraw'),
      freshFor: 'withdraw',
    },
  },
})
