import { sql } from 'kysely'
import { z } from 'zod'
import type {
  PaymentContextView,
  PurchasesView,
  SkipUpsellRequest,
  UndoLinkView,
  UndoResult,
  UpsellRequest,
  UpsellResult,
} from '../../contract/api.ts'
import { ADD_ON_IDS, type AddOnId, isAddOnId, PRODUCT_IDS, resolveProductId } from '../../contract/catalogue.ts'
import { finalizeAnswer } from '../payments/schemas.ts'
import { agreement } from '../payments/shown.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { shown } from '../http/shown-terms.ts'
import { type Call, route, type RouteTable } from '../http/route.ts'
import { openFrom } from '../sessions/access.ts'
import { text } from '../http/schemas.ts'
import { readNextPage } from '../sessions/sessions.ts'
import { chargeUpsell } from './charge.ts'
import { viewContext } from './context.ts'
import { viewPurchases } from './purchases.ts'
import { undoUpsell } from './undo.ts'
import { undoByLink, viewUndoLink } from './undo-link.ts'

const purchasesView: z.ZodType<PurchasesView> = z.object({
  email: z.string().nullable(),
  items: z.array(
    z.object({
      productId: z.enum(PRODUCT_IDS),
      amount: z.number().int(),
      purchasedAt: z.iso.datetime(),
      refundable: z.boolean(),
      undoUntil: z.iso.datetime().nullable(),
      undoing: z.boolean(),
    }),
  ),
  nextCharge: z.object({ amount: z.number().int(), at: z.iso.datetime() }).nullable(),
  upsellBusy: z.boolean(),
})
const finishBody: z.ZodType<SkipUpsellRequest> = z.object({ reason: z.enum(['skipped', 'completed']) })

const addOn = z.string().max(100).transform(knownAddOn)
const chargeBody: z.ZodType<UpsellRequest> = z.strictObject({
  productId: addOn,
  paymentMethodType: z.enum(['card', 'paypal']).exactOptional(),
  shown,
  agreement,
})
const chargeAnswer: z.ZodType<UpsellResult> = z.object({
  status: z.enum([
    'succeeded',
    'processing',
    'requires_action',
    'requires_new_card',
    'requires_paypal_redirect',
    'paypal_redirect_immediate',
    'error',
  ]),
  productId: z.enum(ADD_ON_IDS),
  paymentIntentId: z.string().nullable(),
  clientSecret: z.string().nullable(),
  message: z.string().exactOptional() as unknown as z.ZodType<Exclude<UpsellResult['message'], undefined>>,
  reason: z.string().exactOptional(),
})
const contextView: z.ZodType<PaymentContextView> = z.object({
  email: z.string().nullable(),
  paymentMethodType: z.enum(['card', 'paypal']),
  oneClick: z.boolean(),
})

const undone: z.ZodType<UndoResult> = z.object({
  state: z.enum(['undone', 'undoing', 'unrefunded']),
  productId: z.enum(ADD_ON_IDS),
  amount: z.number().int(),
})
const undoView: z.ZodType<UndoLinkView> = z.object({
  state: z.enum(['valid', 'undone', 'undoing', 'unrefunded', 'over', 'invalid']),
  productId: z.enum(ADD_ON_IDS).nullable(),
  amount: z.number().int().nullable(),
  undoUntil: z.iso.datetime().nullable(),
})

/** An add-on by its id or by the id of the thank-you catalogue (P-13). */
function knownAddOn(id: string): AddOnId {
  const found = resolveProductId(id)
  if (!found || !isAddOnId(found)) throw new AppError('unknown_product', { field: 'productId' })
  return found
}

/** 202 while the refund is on its way. */
function answered(call: Call<unknown>, result: UndoResult): UndoResult {
  if (result.state === 'undoing') call.res.status(202)
  return result
}

export function upsellRoutes(table: RouteTable, deps: Deps): void {
  route(table, 'chargeUpsell', { body: chargeBody, answer: chargeAnswer, limit: 'payment' }, async (call) => {
    const { session } = await openFrom(deps, call)
    return chargeUpsell(deps, session, call.body, call.deadline)
  })

  route(table, 'undoUpsell', { body: undefined, answer: undone, limit: 'payment' }, async (call) => {
    const { session } = await openFrom(deps, call)
    const productId = knownAddOn(call.params['productId'] ?? '')
    return answered(call, await undoUpsell(deps, { sessionId: session.id, productId }, call.deadline))
  })

  const linkBody = z.object({ token: text(2_048) })
  route(table, 'undoLink', { body: linkBody, answer: undoView, limit: 'mailLink' }, (call) =>
    viewUndoLink(deps, call.body.token),
  )

  route(table, 'undoByLink', { body: linkBody, answer: undone, limit: 'mailLink' }, async (call) =>
    answered(call, await undoByLink(deps, call.body.token, call.deadline)),
  )

  route(table, 'paymentContext', { body: undefined, answer: contextView, limit: 'visit' }, async (call) => {
    const { session } = await openFrom(deps, call)
    return viewContext(deps.db, session)
  })

  route(table, 'purchases', { body: undefined, answer: purchasesView, limit: 'visit' }, async (call) => {
    const { session } = await openFrom(deps, call)
    return viewPurchases(deps, session)
  })

  route(table, 'finishUpsell', { body: finishBody, answer: finalizeAnswer, limit: 'visit' }, async (call) => {
    const { session } = await openFrom(deps, call)
    if (session.payment_status === 'unpaid') throw new AppError('not_paid')
    // buying after a Skip (a second tab) is a completion; a Skip after buying takes nothing back
    await deps.db
      .updateTable('sessions')
      .set({
        upsell_finished_at: sql<Date>`coalesce(upsell_finished_at, now())`,
        upsell_outcome: sql<string>`case when upsell_outcome = 'completed' then 'completed' else ${call.body.reason} end`,
      })
      .where('id', '=', session.id)
      .execute()
    return { status: 'settled' as const, productId: null, nextPage: await readNextPage(deps, session.id) }
  })
}
