import { sql } from 'kysely'
import { z } from 'zod'
import type {
  PaymentContextView,
  PurchasesView,
  SkipUpsellRequest,
  UpsellRequest,
  UpsellResult,
} from '../../contract/api.ts'
import { ADD_ON_IDS, type AddOnId, isAddOnId, PRODUCT_IDS, resolveProductId } from '../../contract/catalogue.ts'
import { agreement, finalizeAnswer } from '../checkout/routes.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { route, type RouteTable } from '../http/route.ts'
import { openFrom } from '../sessions/routes.ts'
import { readNextPage } from '../sessions/sessions.ts'
import { chargeUpsell } from './charge.ts'
import { viewContext } from './context.ts'
import { viewPurchases } from './purchases.ts'

const purchasesView: z.ZodType<PurchasesView> = z.object({
  email: z.string().nullable(),
  items: z.array(
    z.object({
      productId: z.enum(PRODUCT_IDS),
      amount: z.number().int(),
      purchasedAt: z.iso.datetime(),
      refundable: z.boolean(),
    }),
  ),
  nextCharge: z.object({ amount: z.number().int(), at: z.iso.datetime() }).nullable(),
})
const finishBody: z.ZodType<SkipUpsellRequest> = z.object({ reason: z.enum(['skipped', 'completed']) })

/** Unknown products are told apart from malformed ones: their own code. */
const addOn = z.string().max(100) as unknown as z.ZodType<AddOnId>
const chargeBody: z.ZodType<UpsellRequest> = z.object({
  productId: addOn,
  paymentMethodType: z.enum(['card', 'paypal']).exactOptional(),
  agreement: agreement.exactOptional(),
})
const chargeAnswer: z.ZodType<UpsellResult> = z.object({
  status: z.enum(['succeeded', 'processing', 'requires_action', 'requires_new_card', 'requires_paypal_redirect', 'paypal_redirect_immediate', 'error']), // prettier-ignore
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

/** An add-on by its id or by the id of the thank-you catalogue (P-13). */
function knownAddOn(id: string): AddOnId {
  const found = resolveProductId(id)
  if (!found || !isAddOnId(found)) throw new AppError('unknown_product', { field: 'productId' })
  return found
}

export function upsellRoutes(table: RouteTable, deps: Deps): void {
  route(table, 'chargeUpsell', { body: chargeBody, answer: chargeAnswer, limit: 'payment' }, async (call) => {
    const { session } = await openFrom(deps, call)
    return chargeUpsell(deps, session, { ...call.body, productId: knownAddOn(call.body.productId) }, call.deadline)
  })

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
