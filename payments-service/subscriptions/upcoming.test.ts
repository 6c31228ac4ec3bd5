import { expect, test } from 'vitest'
import type { Invoice, Subscription } from '../stripe/objects.ts'
import { debtOf } from './upcoming.ts'

const bill = (id: string, status: string, attempts: number, billingReason = 'subscription_cycle') =>
  ({ id, status, attempts, billingReason, amountDue: 3900, amountRemaining: 3900 }) as Invoice

/** The invoices of a subscription, the latest one first. */
function debt(status: string, ...invoices: Invoice[]) {
  const { due, stale } = debtOf({ status, latestInvoiceId: invoices[0]?.id } as Subscription, invoices)
  return [due.map(({ id }) => id), stale.map(({ id }) => id)]
}

test('A-05 while it is late, every failed invoice is owed: the programme was open', () => {
  expect(debt('past_due', bill('draft', 'draft', 0), bill('two', 'open', 2), bill('one', 'open', 3))).toEqual([
    ['two', 'one'],
    [],
  ])
})

test('A-05 H-01 unpaid, it owes its latest invoice for all periods, and what was billed by hand', () => {
  const before = [bill('hand', 'open', 1, 'manual'), bill('asked', 'open', 0, 'manual'), bill('old', 'open', 4)]
  expect(debt('unpaid', bill('now', 'draft', 0), bill('draft', 'draft', 0), ...before)).toEqual([
    ['now', 'hand'],
    ['draft', 'old'],
  ])
  expect(debt('unpaid', bill('now', 'open', 0), ...before)).toEqual([['now', 'hand'], ['old']])
  expect(debt('unpaid', bill('gone', 'void', 0), bill('old', 'open', 4))).toEqual([['old'], []])
  // Stripe's setting for the last try may give the bill up: it can be paid still, and only that opens the programme
  expect(debt('unpaid', bill('now', 'uncollectible', 4), bill('old', 'open', 4))).toEqual([['now'], ['old']])
  expect(debt('past_due', bill('now', 'uncollectible', 4))).toEqual([[], []])
})
