import type { Deps } from '../deps.ts'
import { type Call, DONE, route, type RouteTable } from '../http/route.ts'
import { AppError } from '../http/errors.ts'
import { signedOutHeaders } from '../http/security-headers.ts'
import { leavePaidVisits, rotateToken, openFrom } from '../sessions/access.ts'
import { readNextPage } from '../sessions/sessions.ts'
import { authHeaders } from '../sessions/signed-in.ts'
import { createAccount } from './accounts.ts'
import { askForMail } from '../jobs/asked-mails.ts'
import { signInCaller } from './known-browser.ts'
import { requireMember } from './member.ts'
import { setCookies } from './cookies.ts'
import { hasPassword, requireAddress, requirePassword, resetPassword, signIn, useMagicLink } from './sign-in.ts'

export function accountRoutes(table: RouteTable, deps: Deps): void {
  /**
   * Counts tries per address tried and network, but separately for a browser that has signed in with the address
   * before.
   */
  const countFor = (call: Call<{ email: string }>, name: 'signIn' | 'forgot' | 'magic') =>
    table.limiter.consume(name, call.req, signInCaller(deps.config, call.req, call.body.email))

  route(table, 'createAccount', 'account', async (call) => {
    const open = await openFrom(deps, call)
    const account = await createAccount(deps, open.session, call.body)
    setCookies(call, account.cookies)
    // whoever knows its password is more than the reader of a mail (kindFrom)
    await rotateToken(deps, call.req, call.res, { ...open, kind: 'browser' }, new Date())
    return { userId: account.userId, nextPage: await readNextPage(deps, call.req, open.session.id) }
  })

  route(table, 'signIn', 'open', async (call) => {
    await countFor(call, 'signIn')
    const { answer, cookies } = await signIn(deps, call.body.email, call.body.password)
    setCookies(call, cookies)
    return answer
  })

  route(table, 'signOut', 'open', async (call) => {
    await leavePaidVisits(deps, call.req, call.res)
    const auth = await deps.auth()
    const { headers } = await auth.api.signOut({ headers: authHeaders(call.req), returnHeaders: true })
    setCookies(call, headers.getSetCookie())
    call.res.set(signedOutHeaders)
    return DONE
  })

  route(table, 'forgotPassword', 'open', async (call) => {
    await countFor(call, 'forgot')
    await askForMail(deps, 'password_reset', requireAddress(call.body.email))
    return DONE
  })

  route(table, 'resetPassword', 'mailed', async (call) => {
    const { token, password, passwordConfirmation } = call.body
    await resetPassword(deps, token, password, passwordConfirmation)
    return DONE
  })

  route(table, 'choosePassword', 'account', async (call) => {
    const member = await requireMember(deps, call.req)
    await requirePassword(call.body.password, call.body.passwordConfirmation)
    if (await hasPassword(deps, member.userId)) throw new AppError('has_password')
    const auth = await deps.auth()
    await auth.api.setPassword({ body: { newPassword: call.body.password }, headers: authHeaders(call.req) })
    return DONE
  })

  route(table, 'requestMagicLink', 'open', async (call) => {
    await countFor(call, 'magic')
    await askForMail(deps, 'magic_link', requireAddress(call.body.email))
    return DONE
  })

  route(table, 'useMagicLink', 'mailed', async (call) => {
    const { answer, cookies } = await useMagicLink(deps, call.body.token)
    setCookies(call, cookies)
    return answer
  })
}
