import type { PaymentContextView } from '../../contract/api.ts'
import type { AddOnId } from '../../contract/catalogue.ts'
import { formatMoney, obligationToPay, type Cents } from '../../contract/money.ts'
import { shownNow } from '../payment/shown.ts'

export const sumOf = (ids: readonly AddOnId[]): Cents => ids.reduce((sum, id) => sum + shownNow(id).now, 0)

/** U-05, H-02: the button states the amount and, where the law requires it, the obligation to pay. */
export function orderButton(addButton: string, total: Cents, strict: boolean): string {
  if (total === 0) return addButton
  return strict ? obligationToPay(total) : `${addButton} · ${formatMoney(total)}`
}

/** What an order is charged to; null: the service could not say. */
export type Saved = Pick<PaymentContextView, 'oneClick' | 'paidWith' | 'methodName'> | null

/** H-01: what pressing the button charges to which method, as the bank statement will show it. */
export function orderTerms(ids: readonly AddOnId[], saved: Saved): string {
  const amount = formatMoney(sumOf(ids))
  const parts = ids.length > 1 ? `, in ${ids.length} payments` : ''
  return saved?.oneClick === false
    ? `${amount} in all, once. You choose how to pay in the next step. No subscription.`
    : `${amount} is charged now, once${parts}, to ${saved?.methodName ?? 'your saved payment method'}. No subscription.`
}

/** U-03: how far an order of several add-ons has come. */
export function progressText(at: number, of: number): string {
  return of > 1 ? `Adding ${at} of ${of}` : 'Adding to your order'
}

export function cutShortText({ done, of }: { done: number; of: number }): string {
  if (done === 0) return 'Your order was interrupted before anything was added.'
  return `Your order was interrupted: ${done} of ${of} ${done === 1 ? 'was' : 'were'} added.`
}
