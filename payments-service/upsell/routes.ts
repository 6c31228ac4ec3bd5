import { sql } from 'kysely'
import { z } from 'zod'
import type { PurchasesView, SkipUpsellRequest } from '../../contract/api.ts'
import { PRODUCT_IDS } from '../../contract/catalogue.ts'
import { finalizeAnswer } from '../checkout/routes.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { route, type RouteTable } from '../http/route.ts'
import { openFrom } from '../sessions/routes.ts'
import { readNextPage } from '../sessions/sessions.ts'
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

export function upsellRoutes(table: RouteTable, deps: Deps): void {
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
