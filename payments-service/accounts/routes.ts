import { z } from 'zod'
import type { CreateAccountRequest, CreateAccountResponse } from '../../contract/api.ts'
import type { Deps } from '../deps.ts'
import { type Call, DONE, route, type RouteTable } from '../http/route.ts'
import { AppError } from '../http/errors.ts'
import { signedOutHeaders } from '../http/security-headers.ts'
import { leavePaidVisits, rotateToken, openFrom } from '../sessions/access.ts'
import { done, text } from '../http/schemas.ts'
import { nextPage } from '../sessions/schemas.ts'
import { readNextPage } from '../sessions/sessions.ts'
import { createAccount } from './accounts.ts'
import { askForMail } from '../jobs/asked-mails.ts'
import { signInCaller } from './known-browser.ts'
import { authHeaders, requireMember } from './member.ts'
import { setCookies, signedIn } from './schemas.ts'
import { hasPassword, requireAddress, requirePassword, resetPassword, signIn, useMagicLink } from './sign-in.ts'

// the rules and their messages are the contract's; here only what is no password at all is refused
const accountBody: z.ZodType<CreateAccountRequest> = z.object({
  password: z.string().max(10_000),
  passwordConfirmation: z.string().max(10_000),
})
const accountAnswer: z.ZodType<CreateAccountResponse> = z.object({ userId: z.string(), nextPage })

const emailBody = z.object({ email: text(400) })
const tokenBody = z.object({ token: text(500) })

export function accountRoutes(table: RouteTable, deps: Deps): void {
  /** Tries count per address that is tried and network, and apart for a browser that signed in with it before. */
  const countFor = (call: Call<{ email: string }>, name: 'signIn' | 'forgot' | 'magic') =>
    table.limiter.consume(name, call.req, signInCaller(deps.config, call.req, call.body.email))

  route(table, 'createAccount', { body: accountBody, answer: accountAnswer, limit: 'account' }, async (call) => {
    const open = await openFrom(deps, call)
    const account = await createAccount(deps, open.session, call.body)
    setCookies(call, account.cookies)
    await rotateToken(deps, call.req, call.res, open, new Date())
    return { userId: account.userId, nextPage: await readNextPage(deps, open.session.id) }
  })

  const signInBody = z.object({ email: text(400), password: z.string().max(10_000) })
  route(table, 'signIn', { body: signInBody, answer: signedIn, limit: 'open' }, async (call) => {
    await countFor(call, 'signIn')
    const { answer, cookies } = await signIn(deps, call.body.email, call.body.password)
    setCookies(call, cookies)
    return answer
  })

  route(table, 'signOut', { body: undefined, answer: done, limit: 'open' }, async (call) => {
    await leavePaidVisits(deps, call.req, call.res)
    const auth = await deps.auth()
    const { headers } = await auth.api.signOut({ headers: authHeaders(call.req), returnHeaders: true })
    setCookies(call, headers.getSetCookie())
    call.res.set(signedOutHeaders)
    return DONE
  })

  route(table, 'forgotPassword', { body: emailBody, answer: done, limit: 'open' }, async (call) => {
    await countFor(call, 'forgot')
    await askForMail(deps, 'password_reset', requireAddress(call.body.email))
    return DONE
  })

  const resetBody = z.object({
    token: text(500),
    password: z.string().max(10_000),
    passwordConfirmation: z.string().max(10_000),
  })
  route(table, 'resetPassword', { body: resetBody, answer: done, limit: 'mailed' }, async (call) => {
    const { token, password, passwordConfirmation } = call.body
    await resetPassword(deps, token, password, passwordConfirmation)
    return DONE
  })

  route(table, 'choosePassword', { body: accountBody, answer: done, limit: 'account' }, async (call) => {
    const member = await requireMember(deps, call.req)
    await requirePassword(call.body.password, call.body.passwordConfirmation)
    if (await hasPassword(deps, member.userId)) throw new AppError('has_password')
    const auth = await deps.auth()
    await auth.api.setPassword({ body: { newPassword: call.body.password }, headers: authHeaders(call.req) })
    return DONE
  })

  route(table, 'requestMagicLink', { body: emailBody, answer: done, limit: 'open' }, async (call) => {
    await countFor(call, 'magic')
    await askForMail(deps, 'magic_link', requireAddress(call.body.email))
    return DONE
  })

  route(table, 'useMagicLink', { body: tokenBody, answer: signedIn, limit: 'mailed' }, async (call) => {
    const { answer, cookies } = await useMagicLink(deps, call.body.token)
    setCookies(call, cookies)
    return answer
  })
}
