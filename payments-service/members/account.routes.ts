import { sendCode, useCode } from '../accounts/codes.ts'
import { isSignedIn, requireMember } from '../accounts/member.ts'
import type { Deps } from '../deps.ts'
import { DONE, route, type RouteTable } from '../http/route.ts'
import { openFrom, rotateToken } from '../sessions/access.ts'
import { signedIn } from '../sessions/signed-in.ts'
import { viewAccount } from './account-view.ts'
import { finishCorrection, startCorrection } from './correction.ts'

/** the account with everything its owner bought, and correcting the address of an order. */
export function memberRoutes(table: RouteTable, deps: Deps): void {
  route(table, 'standing', 'member', async (call) => ({ signedIn: await isSignedIn(deps, call.req) }))

  route(table, 'account', 'member', async (call) =>
    viewAccount(deps, await requireMember(deps, call.req), call.deadline),
  )

  route(table, 'sendJoinCode', 'account', async (call) => {
    const member = await requireMember(deps, call.req)
    await sendCode(deps, 'join_purchases', member.userId, member.email, null)
    return DONE
  })

  route(table, 'joinPurchases', 'account', async (call) => {
    const member = await requireMember(deps, call.req)
    await useCode(deps, 'join_purchases', member.userId, member.email, call.body.code)
    await deps.db.updateTable('auth_user').set({ email_verified: true }).where('id', '=', member.userId).execute()
    return viewAccount(deps, await requireMember(deps, call.req), call.deadline)
  })

  route(table, 'correctEmail', 'account', async (call) => {
    await startCorrection(deps, await openFrom(deps, call), call.body.email)
    return DONE
  })

  route(table, 'confirmEmail', 'account', async (call) => {
    const open = await openFrom(deps, call)
    const account = await signedIn(deps, call.req)
    await finishCorrection(deps, open, { ...call.body, signedIn: account?.session.id ?? null })
    await rotateToken(deps, call.req, call.res, open, new Date())
    return DONE
  })
}
