/** Invented mails that time sets off while a subscription runs. */
import { ORDERED_PERIOD } from '../../contract/period.ts'
import type { Mail } from './mail.ts'

const to = 'ada@example.org'
const timeZone = 'America/New_York'

/** `cancelUrl`, `withdrawUrl`: as in the other samples. */
export const runningSamples = (cancelUrl: string, withdrawUrl: string) =>
  ({
    access_ended_one_of_two: {
      kind: 'access_ended',
      to,
      data: {
        name: 'Ada',
        timeZone,
        reason: 'cancelled',
        asked: true,
        endedAt: '2026-11-23T15:29:00Z',
        running: { amount: 3900, at: '2026-11-26T15:29:00Z', cancelUrl },
        returnUrl: new URL('/app/', cancelUrl).href,
        keptAddOns: [],
        cancelUrl,
      },
    },
    access_ended_final: {
      kind: 'access_ended',
      to,
      data: {
        timeZone,
        reason: 'payment_failed',
        final: true,
        endedAt: '2026-11-23T15:29:00Z',
        returnUrl: new URL('/app/', cancelUrl).href,
        keptAddOns: [],
      },
    },
    price_changed_with_period: {
      kind: 'price_changed',
      to,
      data: {
        timeZone,
        oldAmount: 3900,
        oldPeriod: ORDERED_PERIOD,
        newAmount: 3900,
        newPeriod: { unit: 'week', count: 1 },
        fromAt: '2026-11-25T15:29:00Z',
        nextAmount: 3900,
        nextChargeAt: '2026-12-02T15:29:00Z',
        paidWith: { type: 'card', brand: 'visa', last4: '4242' },
        cancelUrl,
      },
    },
    withdrawal_received_guide: {
      kind: 'withdrawal_received',
      to,
      data: {
        timeZone,
        receivedAt: '2026-11-25T10:00:00Z',
        productIds: ['guide_habits'],
        amount: 1490,
        goesOn: true,
        standing: 'stays_cancelled',
      },
    },
    trial_ends_end_set: {
      kind: 'trial_ends',
      to,
      data: {
        timeZone,
        productId: 'trial_1',
        amount: 3900,
        chargeAt: '2026-11-23T15:29:00Z',
        period: ORDERED_PERIOD,
        endsAt: '2027-02-03T15:29:00Z',
        appUrl: new URL('/app/', cancelUrl).href,
        cancelUrl,
      },
    },
    yearly_reminder: {
      kind: 'yearly_reminder',
      to,
      data: {
        timeZone,
        since: '2025-12-01T15:29:00Z',
        amount: 3900,
        period: ORDERED_PERIOD,
        nextAmount: 3900,
        nextChargeAt: '2026-11-26T15:29:00Z',
        paidWith: { type: 'card', brand: 'visa', last4: '4242' },
        cancelUrl,
      },
    },
    second_withdrawal: {
      kind: 'second_withdrawal',
      to,
      data: {
        timeZone: 'Europe/London',
        from: '2026-11-20T15:29:00Z',
        until: '2026-12-04T15:29:00Z',
        amount: 3900,
        period: ORDERED_PERIOD,
        withdrawUrl,
        cancelUrl,
      },
    },
  }) satisfies Record<string, Mail>
