import { finalize, isSecond, settleInTime } from '../payments/finalize.ts'
import { refuseSecond } from '../checkout/second-subscription.ts'
import type { Deps } from '../deps.ts'
import { route, type RouteTable } from '../http/route.ts'
import { openFrom } from '../sessions/access.ts'
import { readNextPage } from '../sessions/sessions.ts'
import { setTokenCookie } from '../sessions/token.ts'
import { claimReturn } from './returns.ts'
import { startPaypalSetup, subscriptionOfSetup } from './setup.ts'

export function paypalRoutes(table: RouteTable, deps: Deps): void {
  route(table, 'paypalSetup', 'payment', async (call) => {
    const { session } = await openFrom(deps, call)
    await refuseSecond(deps, call.req, session)
    return startPaypalSetup(deps, session, call.body, call.deadline)
  })

  route(table, 'finalizePaypalSetup', 'payment', async (call) => {
    const open = await openFrom(deps, call)
    const done = await finalize(deps, call, open, call.body.setupIntentId)
    return { ...done, subscriptionId: await subscriptionOfSetup(deps, call.body.setupIntentId) }
  })

  route(table, 'claimReturn', 'payment', async (call) => {
    const claimed = await claimReturn(deps, call.body.clientSecret, call.deadline)
    setTokenCookie(deps.config, call.req, call.res, claimed.sessionId, claimed.token)
    const settlement = await settleInTime(deps, call, claimed.intentId)
    // finalize, which the page asks next, says that a second subscription goes back
    const settled = settlement !== 'late' && settlement.state === 'settled' && !(await isSecond(deps, settlement))
    return {
      sessionId: claimed.sessionId,
      status: settled ? ('settled' as const) : ('pending' as const),
      productId: settled ? settlement.productId : null,
      nextPage: await readNextPage(deps, call.req, claimed.sessionId),
    }
  })
}
