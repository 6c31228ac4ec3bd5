import { signInCaller } from '../accounts/known-browser.ts'
import type { Deps } from '../deps.ts'
import { route, type RouteTable } from '../http/route.ts'
import { countryOf } from '../sessions/metadata.ts'
import { receiveExit } from './receive.ts'
import { takeExitBack, viewExit } from './take-back.ts'

/** H-02, H-04: leaving without a sign-in, and taking it back by the link of the acknowledgement. */
export function exitRoutes(table: RouteTable, deps: Deps): void {
  route(table, 'leave', 'open', async (call) => {
    // by the address that was typed and the network, as sign-ins are: a stranger does not use up another's tries
    await table.limiter.consume('exit', call.req, signInCaller(deps.config, call.req, call.body.email))
    return receiveExit(deps, call.body, countryOf(call.req, deps.config) ?? null)
  })
  route(table, 'exitLink', 'mailLink', (call) => viewExit(deps, call.body.token))
  route(table, 'takeExitBack', 'mailLink', (call) => takeExitBack(deps, call.body.token, call.deadline))
}
