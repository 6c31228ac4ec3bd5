import type { Request } from 'express'
import { emailKey } from '../../contract/email.ts'
import { authHeaders } from '../sessions/signed-in.ts'
import { unlessRefused } from '../accounts/sign-in.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { isSame, keyedHash, tokenSecrets } from '../keys/keys.ts'
import { OPERATOR_COOKIE } from './sign-in-rules.ts'

/** An operator signed in on the operator pages. */
export interface Operator {
  userId: string
  email: string
  /** Of the sign-in; forms carry its HMAC. */
  session: string
}

/** The operator whose session a request carries, whether or not the second factor is set up. Throws not_found. */
async function sessionOf(deps: Deps, req: Request): Promise<Operator & { enrolled: boolean }> {
  // without a cookie the auth library need not be loaded
  if (!req.headers.cookie?.includes(OPERATOR_COOKIE)) throw new AppError('not_found')
  const auth = await deps.operatorAuth()
  const found = await auth.api.getSession({ headers: authHeaders(req) })
  if (!found) throw new AppError('not_found')
  const { user, session } = found
  return { userId: user.id, email: user.email, session: session.id, enrolled: user.twoFactorEnabled === true }
}

/** The operator of a request. Throws not_found for everybody else, so that even a signed-in buyer learns nothing. */
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

/** An operator with a password but no second factor yet, who may only set one up. Throws not_found. */
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
 * The first step of a sign-in. Null for wrong credentials, after the same time whether or not the address is known. An
 * unfinished set-up of a second factor starts again, with another secret, in this browser alone.
 */
export async function checkPassword(deps: Deps, email: string, password: string): Promise<PasswordStep | null> {
  const auth = await deps.operatorAuth()
  const body = { email: emailKey(email), password }
  const reply = await unlessRefused(() => auth.api.signInEmail({ body, returnHeaders: true }))
  if (!reply) return null
  const cookies = reply.headers.getSetCookie()
  if ('twoFactorRedirect' in reply.response) return { cookies, next: 'code' }
  await endOthers(deps, cookies)
  await auth.api.enableTwoFactor({ body: { password, method: 'totp' }, headers: headersOf(cookies) })
  return { cookies, next: 'enrol' }
}

/** The headers of a request from the browser that was given these cookies. */
function headersOf(cookies: readonly string[]): Headers {
  return new Headers({ cookie: cookies.map((line) => line.split(';', 1)[0]).join('; ') })
}

/**
 * Ends every sign-in of an operator but the one with these cookies: another one that knows the password alone would see
 * the secret of this set-up, and open the pages after it.
 */
export async function endOthers(deps: Deps, cookies: readonly string[]): Promise<void> {
  const auth = await deps.operatorAuth()
  await auth.api.revokeOtherSessions({ headers: headersOf(cookies) })
}

/** Ends the sign-in of a request; resolves to the cookies that end it in the browser. */
export async function signOutOperator(deps: Deps, req: Request): Promise<string[]> {
  const auth = await deps.operatorAuth()
  const { headers } = await auth.api.signOut({ headers: authHeaders(req), returnHeaders: true })
  return headers.getSetCookie()
}

const formTokenOf = (secret: string, operator: Operator): string =>
  keyedHash(secret, 'operator form', operator.session).toString('base64url')

/** The token in this operator's forms, which a page of another origin cannot know. */
export const formToken = ({ config }: Deps, operator: Operator): string => formTokenOf(config.tokenSecret, operator)

/** Throws not_found for a form that was not sent by a page of ours. */
export function checkForm(deps: Deps, operator: Operator, req: Request): void {
  const given: unknown = (req.body as Record<string, unknown> | undefined)?.['form_token']
  const found = typeof given === 'string' ? given : ''
  const signed = tokenSecrets(deps.config).some((secret) => isSame(found, formTokenOf(secret, operator)))
  const site = req.get('sec-fetch-site')
  const ours = site === undefined || site === 'same-origin'
  if (!ours || !signed) throw new AppError('not_found')
}
