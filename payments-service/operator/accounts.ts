import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { Request } from 'express'
import { authHeaders } from '../accounts/member.ts'
import { hashPassword } from '../accounts/password.ts'
import { isWrongCredentials } from '../accounts/sign-in.ts'
import type { Database } from '../../db/connect.ts'
import { emailKey, parseEmail } from '../../contract/email.ts'
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

export const OPERATOR_PASSWORD_MIN = 12
/** Begins the names of the cookies of an operator's sign-in. */
export const OPERATOR_COOKIE = 'funnel-operator'

function requireLength(password: string): void {
  if (password.length >= OPERATOR_PASSWORD_MIN) return
  throw new RangeError(`an operator's password has at least ${OPERATOR_PASSWORD_MIN} characters`)
}

/**
 * Makes an operator; one that exists keeps the password. Throws RangeError for what is no address or too short a
 * password. Resolves to whether the operator is new.
 */
export async function createOperator(db: Database, address: string, password: string): Promise<boolean> {
  const email = parseEmail(address)
  if (!email) throw new RangeError('this is no e-mail address')
  requireLength(password)
  const id = randomUUID()
  const hash = await hashPassword(password)
  return db.transaction().execute(async (tx) => {
    const made = await tx
      .insertInto('operator_user')
      .values({ id, name: 'Operator', email: emailKey(email), email_verified: true })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!made) return false
    await tx
      .insertInto('operator_account')
      .values({ id: randomUUID(), account_id: id, provider_id: 'credential', user_id: id, password: hash })
      .execute()
    return true
  })
}

/**
 * Gives an operator a new password and ends every sign-in of that account. Throws RangeError when there is no operator
 * with this address, or for too short a password.
 */
export async function setOperatorPassword(db: Database, address: string, password: string): Promise<void> {
  requireLength(password)
  const hash = await hashPassword(password)
  await db.transaction().execute(async (tx) => {
    const found = await findOperator(tx, address)
    await tx
      .updateTable('operator_account')
      .set({ password: hash })
      .where('user_id', '=', found.id)
      .where('provider_id', '=', 'credential')
      .execute()
    await tx.deleteFrom('operator_session').where('user_id', '=', found.id).execute()
  })
}

async function findOperator(db: Database, address: string): Promise<{ id: string }> {
  const found = await db
    .selectFrom('operator_user')
    .select('id')
    .where('email', '=', emailKey(parseEmail(address) ?? ''))
    .executeTakeFirst()
  if (!found) throw new RangeError('there is no operator with this address')
  return found
}

/** The operator of a request. Everyone else, a signed-in buyer too, learns nothing: throws not_found. */
export async function requireOperator(deps: Deps, req: Request): Promise<Operator> {
  // no cookie, no operator: spares everybody else the loading of the auth library
  if (!req.headers.cookie?.includes(OPERATOR_COOKIE)) throw new AppError('not_found')
  const auth = await deps.operatorAuth()
  const found = await auth.api.getSession({ headers: authHeaders(req) })
  if (!found) throw new AppError('not_found')
  return { userId: found.user.id, email: found.user.email, session: found.session.id }
}

/** The cookies of a sign-in. Null for wrong credentials, after the same time whether the address is known or not. */
export async function signInOperator(deps: Deps, email: string, password: string): Promise<string[] | null> {
  const auth = await deps.operatorAuth()
  try {
    const body = { email: emailKey(email), password }
    const { headers } = await auth.api.signInEmail({ body, returnHeaders: true })
    return headers.getSetCookie()
  } catch (error) {
    if (!isWrongCredentials(error)) throw error
    return null
  }
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
