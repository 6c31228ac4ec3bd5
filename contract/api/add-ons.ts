/** Add-ons: charging them to the saved method, showing and undoing them. */
import { z } from 'zod'
import { orderedAddOn, orderEvidence } from './order.ts'
import { addOnId, cents, moment, paymentMessage, paymentMethodType, productId, text } from './parts.ts'
import { finalizeResponse } from './payment.ts'
import { cardView } from './subscription.ts'

/** The add-on in a path (…/upsells/{productId}/undo). */
export const addOnPath = z.object({ productId: orderedAddOn })

const upsellRequest = z.strictObject({
  /** One add-on per call: several are charged one after the other (U-03). */
  productId: orderedAddOn,
  /** 'paypal' pays this add-on by PayPal (paypal_redirect_immediate); left out: the saved method. */
  paymentMethodType: paymentMethodType.exactOptional(),
  shown: orderEvidence.shape.shown,
  /**
   * H-01: `paidWith`: the saved method that the words name, no other is charged; absent: none was known, or an older
   * page. It stands here because a service of before refuses a field that it does not know beside these, not in them.
   */
  agreement: orderEvidence.shape.agreement.extend({ paidWith: cardView.exactOptional() }),
})
export type UpsellRequest = z.infer<typeof upsellRequest>
export type AddOnEvidence = Pick<UpsellRequest, 'shown' | 'agreement'>
/** U-04: the result states of an add-on, as the specification names them. */
const upsellResult = z.strictObject({
  status: z.enum([
    'succeeded',
    'processing',
    'requires_action',
    'requires_new_card',
    'requires_paypal_redirect',
    'paypal_redirect_immediate',
    'error',
  ]),
  productId: addOnId,
  paymentIntentId: z.string().nullable(),
  /** For the steps that the browser has to finish (3-D Secure, a new card, PayPal). */
  clientSecret: z.string().nullable(),
  message: paymentMessage.exactOptional(),
  /** The payment provider's words for the buyer, for messages with {reason}. */
  reason: z.string().exactOptional(),
})
export type UpsellResult = z.infer<typeof upsellResult>

/** P-08: what add-ons can be charged to. Ids of customers and methods stay on the server. */
const paymentContextView = z.strictObject({
  email: z.string().nullable(),
  paymentMethodType,
  /** Whether one click charges it; a buyer whose first payment was by PayPal is asked for a card (U-06). */
  oneClick: z.boolean(),
  /** What its owner knows the method by; null where the payment provider cannot say now. */
  paidWith: cardView.nullable(),
  /** The same in words: "Visa ending in 4242". */
  methodName: z.string(),
})
export type PaymentContextView = z.infer<typeof paymentContextView>

const undoSeconds = z.int().min(0).nullable()
const purchasedItem = z.strictObject({
  productId,
  amount: cents,
  purchasedAt: moment,
  refundable: z.boolean(),
  /**
   * H-05: for how long the add-on can still be undone with a click; null when it cannot be, or not any more. A moment
   * would have the buyer's clock decide, which may be wrong.
   */
  undoSeconds,
  /** It was undone, and the refund is still under way. */
  undoing: z.boolean(),
})
export type PurchasedItem = z.infer<typeof purchasedItem>
const purchasesView = z.strictObject({
  email: z.string().nullable(),
  items: z.array(purchasedItem),
  /** The next full charge of the subscription, when there is one. */
  nextCharge: z.strictObject({ amount: cents, at: moment }).nullable(),
  /**
   * An add-on is being charged or undone right now (in another tab, or by a page that was left), or nobody knows yet
   * what became of its payment: ask again.
   */
  upsellBusy: z.boolean(),
})
export type PurchasesView = z.infer<typeof purchasesView>

const skipUpsellRequest = z.object({ reason: z.enum(['skipped', 'completed']) })

/** H-05: undone: refunded and closed. undoing: requested in time, the refund follows automatically. */
const undoResult = z.strictObject({
  state: z.enum(['undone', 'undoing', 'unrefunded']),
  productId: addOnId,
  /** The refund, in cents. */
  amount: cents,
})
export type UndoResult = z.infer<typeof undoResult>
const undoLinkRequest = z.object({ token: text(2_048) })
/** H-05: what the link of a receipt would undo, shown before anything is done. Nulls: an address without a link. */
const undoLinkView = z.strictObject({
  state: z.enum(['valid', 'undone', 'undoing', 'unrefunded', 'over', 'invalid']),
  productId: addOnId.nullable(),
  amount: cents.nullable(),
  /** Null unless the state is `valid`. */
  undoSeconds,
})
export type UndoLinkView = z.infer<typeof undoLinkView>

export const addOnShapes = {
  purchases: { summary: 'What was bought, and the next charge', answer: purchasesView },
  finishUpsell: {
    summary: 'Leave the add-ons page for the account page',
    request: skipUpsellRequest,
    answer: finalizeResponse,
  },
  chargeUpsell: {
    summary: 'Charge one add-on to the saved card (U-03, U-04, U-08)',
    request: upsellRequest,
    answer: upsellResult,
  },
  undoUpsell: {
    summary: 'Take an add-on back within ten minutes: all of it is refunded (H-05)',
    answer: undoResult,
  },
  undoLink: {
    summary: 'What the undo link of a receipt is about; changes nothing',
    request: undoLinkRequest,
    answer: undoLinkView,
  },
  undoByLink: {
    summary: 'Take an add-on back with the link of its receipt, once confirmed (H-05)',
    request: undoLinkRequest,
    answer: undoResult,
  },
  paymentContext: {
    summary: 'The saved method that add-ons can be charged to (P-08)',
    answer: paymentContextView,
  },
}
