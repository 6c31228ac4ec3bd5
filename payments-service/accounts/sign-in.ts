import { emailKey, parseEmail } from '../../contract/email.ts'
import { PASSWORD_MAX, passwordProblem } from '../../contract/password.ts'
import type { SignedIn } from '../../contract/members.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { isCommonPassword } from './common-passwords.ts'
import { knownBrowserCookie } from './known-browser.ts'

/** The answer to a sign-in, and the cookies that go with it. */
export interface SignIn {
  answer: SignedIn
  cookies: string[]
}

/** Throws the password codes, at their field; the same rules wherever a password is chosen. */
export async function requirePassword(password: string, confirmation: string): Promise<void> {
  const problem = passwordProblem(password, confirmation)
  if (problem)
    throw new AppError(problem, { field: problem === 'passwords_differ' ? 'passwordConfirmation' : 'password' })
  if ([...password].length > PASSWORD_MAX) throw new AppError('account_password_weak', { field: 'password' })
  if (await isCommonPassword(password)) throw new AppError('password_common', { field: 'password' })
}

/** better-auth's code for a failed call; '' for anything else. */
export function codeOf(error: unknown): string {
  return (error as { body?: { code?: string } }).body?.code ?? ''
}

/** Whether better-auth refused an address or a password, as opposed to failing. */
function isWrongCredentials(error: unknown): boolean {
  return /INVALID_EMAIL|INVALID_PASSWORD|USER_NOT_FOUND|CREDENTIAL/.test(codeOf(error))
}

/** Refusals are answered at multiples of this many milliseconds, because an existing account costs one query more. */
const REFUSED_EVERY = 250

/** better-auth's answer; null if it refuses an address or a password, at a time that does not reveal which. */
export async function unlessRefused<T>(attempt: () => Promise<T>): Promise<T | null> {
  const began = performance.now()
  try {
    return await attempt()
  } catch (error) {
    if (!isWrongCredentials(error)) throw error
    await new Promise((resume) => setTimeout(resume, REFUSED_EVERY - ((performance.now() - began) % REFUSED_EVERY)))
    return null
  }
}

/** Throws wrong_credentials, which does not reveal which of the two was wrong, by words or by time. */
export async function signIn(deps: Deps, email: string, password: string): Promise<SignIn> {
  const address = parseEmail(email)
  if (!address || password.length === 0) throw new AppError('wrong_credentials')
  const auth = await deps.auth()
  const body = { email: emailKey(address), password, rememberMe: true }
  const reply = await unlessRefused(() => auth.api.signInEmail({ body, returnHeaders: true }))
  if (!reply) throw new AppError('wrong_credentials')
  const cookies = [...reply.headers.getSetCookie(), knownBrowserCookie(deps.config, address)]
  return { answer: { done: true, choosePassword: false }, cookies }
}

/** The normalised form of an address. Throws invalid_body for what is not an address. */
export function requireAddress(email: string): string {
  const address = parseEmail(email)
  if (!address) throw new AppError('invalid_body', { field: 'email' })
  return emailKey(address)
}

/** Mails a password reset link, to an address that has an account. */
export async function startPasswordReset(deps: Deps, address: string): Promise<void> {
  const auth = await deps.auth()
  await auth.api.requestPasswordReset({ body: { email: address } })
}

/** Throws the password codes, link_expired when the token was used or is too old. */
export async function resetPassword(deps: Deps, token: string, password: string, confirmation: string): Promise<void> {
  await requirePassword(password, confirmation)
  const auth = await deps.auth()
  try {
    await auth.api.resetPassword({ body: { newPassword: password, token } })
  } catch (error) {
    if (/INVALID_TOKEN|USER_NOT_FOUND/.test(codeOf(error))) throw new AppError('link_expired')
    throw error
  }
}

/** Mails a sign-in link, to an address that has an account. */
export async function mailSignInLink(deps: Deps, address: string): Promise<void> {
  const known = await deps.db.selectFrom('auth_user').select('id').where('email', '=', address).executeTakeFirst()
  if (!known) return
  const auth = await deps.auth()
  await auth.api.signInMagicLink({ body: { email: address }, headers: new Headers() })
}

/**
 * Signs in with the token of a mail, once. The first sign-in by mail to an account with an unproved address drops its
 * password and signs out its browsers: whoever made it with another person's address loses it here. Throws
 * link_expired.
 */
export async function useMagicLink(deps: Deps, token: string): Promise<SignIn> {
  const auth = await deps.auth()
  try {
    const { headers, response } = await auth.api.magicLinkVerify({
      query: { token },
      headers: new Headers(),
      returnHeaders: true,
    })
    const choosePassword = !(await hasPassword(deps, response.user.id))
    const cookies = [...headers.getSetCookie(), knownBrowserCookie(deps.config, response.user.email)]
    return { answer: { done: true, choosePassword }, cookies }
  } catch (error) {
    // better-auth answers a bad token with a redirect to an error page
    const status = (error as { statusCode?: number }).statusCode
    if (status === 302 || /INVALID_TOKEN/.test(codeOf(error))) throw new AppError('link_expired')
    throw error
  }
}

export async function hasPassword({ db }: Deps, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('auth_account')
    .select('password')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst()
  return Boolean(found?.password)
}
