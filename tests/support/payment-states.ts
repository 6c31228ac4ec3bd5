/** Payments of one visit as the rules of access see them, settled and not refunded unless `change` says otherwise. */
import type { PaymentState } from '../../payments-service/grants/grants.ts'

type Change = Partial<PaymentState>

/** The first payment: a trial of $1. */
export const firstPayment = (change: Change = {}): PaymentState => ({
  intentId: 'pi_1',
  purpose: 'first',
  productId: 'trial_1',
  amount: 100,
  duplicate: false,
  refunded: 0,
  refunding: 0,
  otherwise: 0,
  disputes: [],
  wasLost: false,
  ...change,
})
export const renewal = (change: Change = {}): PaymentState =>
  firstPayment({ intentId: 'pi_2', purpose: 'renewal:in_1', productId: 'monthly', amount: 3900, ...change })
export const guide = (change: Change = {}): PaymentState =>
  firstPayment({
    intentId: 'pi_3',
    purpose: 'upsell:guide_habits',
    productId: 'guide_habits',
    amount: 1490,
    ...change,
  })
export const reading = (change: Change = {}): PaymentState =>
  firstPayment({ intentId: 'pi_4', purpose: 'reading', productId: 'reading_14_days', amount: 1995, ...change })
