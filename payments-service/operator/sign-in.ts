import { timingSafeEqual } from 'node:crypto'
import type { Request } from 'express'
import { emailKey } from '../../contract/email.ts'
import { authHeaders } from '../accounts/member.ts'
import { unlessRefused } from '../accounts/sign-in.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { keyedHash } from '../keys/keys.ts'
import { OPERATOR_COOKIE } from './sign-in-rules.ts'

/** Who is signed in on the operator pages. */
export interface Operator {
  userId: string
  email: string
  /** Of the sign-in's own session: forms carry its HMAC. */
  session: string
}

/** Whose session a request carries, whether or not the second factor is set up. Throws not_found. */
async function sessionOf(deps: Deps, req: Request): Promise<Operator & { enrolled: boolean }> {
  // no cookie, no operator: spares everybody else the loading of the auth library
  if (!req.headers.cookie?.includes(OPERATOR_COOKIE)) throw new AppError('not_found')
  const auth = await deps.operatorAuth()
  const found = await auth.api.getSession({ headers: authHeaders(req) })
  if (!found) throw new AppError('not_found')
  const { user, session } = found
  return { userId: user.id, email: user.email, session: session.id, enrolled: user.twoFactorEnabled === true }
}

/** The operator of a request. Everyone else, a signed-in buyer too, learns nothing: throws not_found. */
export async function requireOperator(deps: Deps, req: Request): Promise<Operator> {
  const { enrolled, ...operator } = await sessionOf(deps, req)
  if (!enrolled) throw new AppError('not_found')
  return operator
}

/** Whether a request comes from an operator who may see the pages. */
export async function isOperator(deps: Deps, req: Request): Promise<boolean> {
  return requireOperator(deps, req).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return false
      throw error
    },
  )
}

/** Who knows a password and has no second factor yet: may set one up and nothing else. Throws not_found. */
export async function requireNewcomer(deps: Deps, req: Request): Promise<Operator> {
  const { enrolled, ...operator } = await sessionOf(deps, req)
  if (enrolled) throw new AppError('not_found')
  return operator
}

export interface PasswordStep {
  cookies: string[]
  /** What comes next: a code, or the set-up of the second factor. */
  next: 'code' | 'enrol'
}

/**
 * The first step of a sign-in. Null for wrong credentials, after the same time whether the address is known or not. A
 * second factor that was never finished starts anew, with another secret.
 */
export async function checkPassword(deps: Deps, email: string, password: string): Promise<PasswordStep | null> {
  const auth = await deps.operatorAuth()
  const body = { email: emailKey(email), password }
  const reply = await unlessRefused(() => auth.api.signInEmail({ body, returnHeaders: true }))
  if (!reply) return null
  const cookies = reply.headers.getSetCookie()
  if ('twoFactorRedirect' in reply.response) return { cookies, next: 'code' }
  const cookie = cookies.map((line) => line.split(';', 1)[0]).join('; ')
  await auth.api.enableTwoFactor({ body: { password, method: 'totp' }, headers: new Headers({ cookie }) })
  return { cookies, next: 'enrol' }
}

/** Ends the sign-in of a request; resolves to the cookies that say so. */
export async function signOutOperator(deps: Deps, req: Request): Promise<string[]> {
  const auth = await deps.operatorAuth()
  const { headers } = await auth.api.signOut({ headers: authHeaders(req), returnHeaders: true })
  return headers.getSetCookie()
}

/** The text a form of this operator carries: a page of another origin cannot know it. */
export function formToken(deps: Deps, operator: Operator): string {
  return keyedHash(deps.config.tokenSecret, 'operator form', operator.session).toString('base64url')
}

/** Throws not_found for a form that no page of ours sent. */
export function checkForm(deps: Deps, operator: Operator, req: Request): void {
  const given: unknown = (req.body as Record<string, unknown> | undefined)?.['form_token']
  const expected = Buffer.from(formToken(deps, operator))
  const found = Buffer.from(typeof given === 'string' ? given : '')
  const site = req.get('sec-fetch-site')
  const ours = site === undefined || site === 'same-origin'
  if (!ours || found.length !== expected.length || !timingSafeEqual(found, expected)) throw new AppError('not_found')
}
