import { z } from 'zod'
import { PRODUCT_IDS } from '../../contract/catalogue.ts'
import type { AccountView } from '../../contract/members.ts'
import { sendCode, useCode } from '../accounts/codes.ts'
import { isSignedIn, requireMember } from '../accounts/member.ts'
import type { Deps } from '../deps.ts'
import { DONE, route, type RouteTable } from '../http/route.ts'
import { done, text } from '../http/schemas.ts'
import { openFrom, rotateToken } from '../sessions/access.ts'
import { viewAccount } from './account-view.ts'
import { finishCorrection, startCorrection } from './correction.ts'
import { subscriptionView } from './schemas.ts'

const emailBody = z.object({ email: text(400) })
const codeBody = z.object({ code: text(20).transform((code) => code.replace(/\s/g, '')) })
const accountView: z.ZodType<AccountView> = z.object({
  email: z.string(),
  name: z.string().nullable(),
  emailVerified: z.boolean(),
  hasPassword: z.boolean(),
  ordersToJoin: z.number().int(),
  programme: z.enum(['open', 'closed']),
  guides: z.array(z.enum(PRODUCT_IDS)),
  listened: z.number().int(),
  subscriptions: z.array(subscriptionView),
})

/** the account with all that its owner bought, and the mended address of an order. */
export function memberRoutes(table: RouteTable, deps: Deps): void {
  const standing = z.object({ signedIn: z.boolean() })
  route(table, 'standing', { body: undefined, answer: standing, limit: 'member' }, async (call) => ({
    signedIn: await isSignedIn(deps, call.req),
  }))

  route(table, 'account', { body: undefined, answer: accountView, limit: 'member' }, async (call) =>
    viewAccount(deps, await requireMember(deps, call.req), call.deadline),
  )

  route(table, 'sendJoinCode', { body: undefined, answer: done, limit: 'account' }, async (call) => {
    const member = await requireMember(deps, call.req)
    await sendCode(deps, 'join_purchases', member.userId, member.email, null)
    return DONE
  })

  route(table, 'joinPurchases', { body: codeBody, answer: accountView, limit: 'account' }, async (call) => {
    const member = await requireMember(deps, call.req)
    const { tokenSecret } = deps.config
    await useCode(deps.db, tokenSecret, 'join_purchases', member.userId, member.email, call.body.code)
    await deps.db.updateTable('auth_user').set({ email_verified: true }).where('id', '=', member.userId).execute()
    return viewAccount(deps, await requireMember(deps, call.req), call.deadline)
  })

  route(table, 'correctEmail', { body: emailBody, answer: done, limit: 'account' }, async (call) => {
    const { session } = await openFrom(deps, call)
    await startCorrection(deps, session, call.body.email)
    return DONE
  })

  const confirmBody = z.object({ email: text(400), code: text(20).transform((code) => code.replace(/\s/g, '')) })
  route(table, 'confirmEmail', { body: confirmBody, answer: done, limit: 'account' }, async (call) => {
    const open = await openFrom(deps, call)
    await finishCorrection(deps, open, call.body.email, call.body.code)
    await rotateToken(deps, call.req, call.res, open, new Date())
    return DONE
  })
}
