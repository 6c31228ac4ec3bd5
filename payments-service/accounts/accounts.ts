import type { CreateAccountRequest } from '../../contract/members.ts'
import { emailKey, parseEmail } from '../../contract/email.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { enqueue } from '../jobs/outbox.queries.ts'
import type { Session } from '../sessions/access.ts'
import { knownBrowserCookie } from './known-browser.ts'
import { verifyPassword } from './password.ts'
import { requirePassword } from './sign-in.ts'
import { findAccount, linkUser, writeSignUpMetadata } from './accounts.queries.ts'

/** `{product}_quiz`, from the name that the editors gave the product: "Clear Eyes" → `clear_eyes_quiz`. */
export function createdFrom(productName: string): string {
  const words = productName.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['product']
  return `${words.join('_')}_quiz`
}

export interface NewAccount {
  userId: string
  /** Set-Cookie lines of the account's session, which sign the buyer in. Empty on a repeat. */
  cookies: string[]
}

/**
 * creates the account of a paid session; its e-mail address is the user name. A repeat with the same password
 * gets the same answer (double click, lost reply). Throws not_paid, the password codes, account_email_invalid,
 * account_exists, account_failed. `proved`: the buyer came by a link mailed to this address, so it is verified.
 */
export async function createAccount(
  deps: Deps,
  session: Session,
  request: CreateAccountRequest,
  { proved = false }: { proved?: boolean } = {},
): Promise<NewAccount> {
  const { password, passwordConfirmation } = request
  if (session.payment_status === 'unpaid') throw new AppError('not_paid')
  await requirePassword(password, passwordConfirmation)
  const email = parseEmail(session.email ?? '')
  if (!email) throw new AppError('account_email_invalid', { field: 'email' })

  return deps.flights.run(`account:${emailKey(email)}`, async () => {
    const { productName } = (await deps.settings()).identity
    const metadata = { sessionId: session.id, createdFrom: createdFrom(productName), proved }
    const found = await findAccount(deps.db, emailKey(email), session.id)
    if (found) {
      // its process died before the metadata, which every finished account has
      const begun = found.email === emailKey(email) && found.quiz_session_id === null && found.created_from === null
      const own = begun || found.quiz_session_id === session.id
      if (!own || !(await verifyPassword(found.password ?? '', password))) throw new AppError('account_exists')
      if (begun) await writeSignUpMetadata(deps.db, found.id, metadata)
      await finish(deps, session, found.id, email)
      return { userId: found.id, cookies: [] }
    }
    const made = await signUp(deps, session, email, password)
    await writeSignUpMetadata(deps.db, made.userId, metadata)
    await finish(deps, session, made.userId, email)
    return made
  })
}

async function signUp(deps: Deps, session: Session, email: string, password: string): Promise<NewAccount> {
  try {
    const auth = await deps.auth()
    const { headers, response } = await auth.api.signUpEmail({
      body: { email: emailKey(email), password, name: session.name ?? '' },
      returnHeaders: true,
    })
    return { userId: response.user.id, cookies: [...headers.getSetCookie(), knownBrowserCookie(deps.config, email)] }
  } catch (error) {
    const code = (error as { body?: { code?: string } }).body?.code ?? ''
    if (/USER_ALREADY_EXISTS/.test(code)) throw new AppError('account_exists', { cause: error })
    if (/EMAIL|VALIDATION/.test(code)) throw new AppError('account_email_invalid', { field: 'email', cause: error })
    throw new AppError('account_failed', { cause: error })
  }
}

/** The row of `users` and the welcome: one transaction, safe to repeat. */
async function finish(deps: Deps, session: Session, userId: string, email: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await linkUser(tx, { email: emailKey(email), sessionId: session.id, authUserId: userId })
    await enqueue(tx, { kind: 'mail:account_welcome', reason: userId, sessionId: session.id, payload: { userId } })
  })
  deps.wake('outbox')
}
