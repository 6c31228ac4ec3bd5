import { z } from 'zod'
import type {
  ClaimReturnRequest,
  ClaimReturnResponse,
  FinalizeSetupRequest,
  FinalizeSetupResponse,
  PaypalSetupRequest,
} from '../../contract/api.ts'
import { PRODUCT_IDS } from '../../contract/catalogue.ts'
import { finalize, settleInTime } from '../payments/finalize.ts'
import { intentId, marketing, paymentResult } from '../payments/schemas.ts'
import { refuseSecond } from '../checkout/second-subscription.ts'
import { agreement, productId } from '../payments/shown.ts'
import type { Deps } from '../deps.ts'
import { shown } from '../http/shown-terms.ts'
import { route, type RouteTable } from '../http/route.ts'
import { nextPage } from '../sessions/schemas.ts'
import { openFrom } from '../sessions/access.ts'
import { readNextPage } from '../sessions/sessions.ts'
import { setTokenCookie } from '../sessions/token.ts'
import { claimReturn } from './returns.ts'
import { startPaypalSetup, subscriptionOfSetup } from './setup.ts'

const setupBody: z.ZodType<PaypalSetupRequest> = z.strictObject({
  productId,
  shown,
  agreement,
  ...marketing,
})
const finalizeBody: z.ZodType<FinalizeSetupRequest> = z.strictObject({ setupIntentId: intentId })
const state = z.enum(['settled', 'pending'])
const finalizeAnswer: z.ZodType<FinalizeSetupResponse> = z.object({
  status: state,
  subscriptionId: z.string().nullable(),
  productId: z.enum(PRODUCT_IDS).nullable(),
  nextPage,
})
const claimBody: z.ZodType<ClaimReturnRequest> = z.object({ clientSecret: z.string().max(500) })
const claimAnswer: z.ZodType<ClaimReturnResponse> = z.object({
  sessionId: z.uuid(),
  status: state,
  productId: z.enum(PRODUCT_IDS).nullable(),
  nextPage,
})

export function paypalRoutes(table: RouteTable, deps: Deps): void {
  route(table, 'paypalSetup', { body: setupBody, answer: paymentResult, limit: 'payment' }, async (call) => {
    const { session } = await openFrom(deps, call)
    await refuseSecond(deps, call.req, session)
    return startPaypalSetup(deps, session, call.body, call.deadline)
  })

  route(
    table,
    'finalizePaypalSetup',
    { body: finalizeBody, answer: finalizeAnswer, limit: 'payment' },
    async (call) => {
      const open = await openFrom(deps, call)
      const done = await finalize(deps, call, open, call.body.setupIntentId)
      return { ...done, subscriptionId: await subscriptionOfSetup(deps, call.body.setupIntentId) }
    },
  )

  route(table, 'claimReturn', { body: claimBody, answer: claimAnswer, limit: 'payment' }, async (call) => {
    const claimed = await claimReturn(deps, call.body.clientSecret, call.deadline)
    setTokenCookie(deps.config, call.req, call.res, claimed.sessionId, claimed.token)
    const settlement = await settleInTime(deps, call, claimed.intentId)
    const settled = settlement !== 'late' && settlement.state === 'settled'
    return {
      sessionId: claimed.sessionId,
      status: settled ? ('settled' as const) : ('pending' as const),
      productId: settled ? settlement.productId : null,
      nextPage: await readNextPage(deps, claimed.sessionId),
    }
  })
}
