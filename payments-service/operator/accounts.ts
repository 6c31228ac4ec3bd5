import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { Request } from 'express'
import { hashPassword } from '../accounts/password.ts'
import type { Database } from '../../db/connect.ts'
import { parseEmail } from '../../contract/email.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { keyedHash } from '../keys/keys.ts'

/** Who is signed in on the operator pages. */
export interface Operator {
  userId: string
  email: string
  /** Of the sign-in's own session: forms carry its HMAC. */
  session: string
}

/** Hours after which an operator signs in again, whatever a buyer's session may last. */
const HOURS = 12
export const OPERATOR_PASSWORD_MIN = 12

function requireLength(password: string): void {
  if (password.length >= OPERATOR_PASSWORD_MIN) return
  throw new RangeError(`an operator's password has at least ${OPERATOR_PASSWORD_MIN} characters`)
}

/**
 * Makes an account an operator's; one that exists keeps its password. Throws RangeError for what is no address or too
 * short a password. Resolves to whether the account is new.
 */
export async function createOperator(db: Database, address: string, password: string): Promise<boolean> {
  const email = parseEmail(address)?.toLowerCase()
  if (!email) throw new RangeError('this is no e-mail address')
  const known = await db.selectFrom('auth_user').select('id').where('email', '=', email).executeTakeFirst()
  if (!known) requireLength(password)
  const id = known?.id ?? randomUUID()
  const hash = known ? '' : await hashPassword(password)
  await db.transaction().execute(async (tx) => {
    if (!known) {
      await tx.insertInto('auth_user').values({ id, name: 'Operator', email, email_verified: true }).execute()
      await tx
        .insertInto('auth_account')
        .values({ id: randomUUID(), account_id: id, provider_id: 'credential', user_id: id, password: hash })
        .execute()
    }
    await tx
      .insertInto('operators')
      .values({ auth_user_id: id })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
  return !known
}

/**
 * Gives an operator a new password and ends every sign-in of that account. Throws RangeError when there is no operator
 * with this address, or for too short a password.
 */
export async function setOperatorPassword(db: Database, address: string, password: string): Promise<void> {
  requireLength(password)
  const found = await db
    .selectFrom('operators as o')
    .innerJoin('auth_user as u', 'u.id', 'o.auth_user_id')
    .select('u.id')
    .where('u.email', '=', parseEmail(address)?.toLowerCase() ?? '')
    .executeTakeFirst()
  if (!found) throw new RangeError('there is no operator with this address')
  const hash = await hashPassword(password)
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('auth_account')
      .set({ password: hash })
      .where('user_id', '=', found.id)
      .where('provider_id', '=', 'credential')
      .execute()
    await tx.deleteFrom('auth_session').where('user_id', '=', found.id).execute()
  })
}

/** The operator of a request. Everyone else, signed in or not, learns nothing: throws not_found. */
export async function requireOperator(deps: Deps, req: Request): Promise<Operator> {
  const cookie = req.headers.cookie
  const auth = cookie?.includes('funnel-account') ? await deps.auth() : undefined
  const found = await auth?.api.getSession({ headers: new Headers({ cookie: cookie ?? '' }) }).catch(() => null)
  if (!found || Date.now() - new Date(found.session.createdAt).getTime() > HOURS * 3_600_000) {
    throw new AppError('not_found')
  }
  const operator = await deps.db
    .selectFrom('operators')
    .select('auth_user_id')
    .where('auth_user_id', '=', found.user.id)
    .executeTakeFirst()
  if (!operator) throw new AppError('not_found')
  return { userId: found.user.id, email: found.user.email, session: found.session.id }
}

/** Signs in; only operators get a cookie. Null for wrong credentials and for everyone who is none. */
export async function signInOperator(deps: Deps, email: string, password: string): Promise<string[] | null> {
  const user = await deps.db
    .selectFrom('operators as o')
    .innerJoin('auth_user as u', 'u.id', 'o.auth_user_id')
    .select('u.id')
    .where('u.email', '=', email.trim().toLowerCase())
    .executeTakeFirst()
  const auth = await deps.auth()
  try {
    // asked for everyone, so that an answer takes the same time
    const { headers } = await auth.api.signInEmail({
      body: { email: email.trim().toLowerCase(), password },
      returnHeaders: true,
    })
    if (user) return headers.getSetCookie()
    return null
  } catch {
    return null
  }
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
