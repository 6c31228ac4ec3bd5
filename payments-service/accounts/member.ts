import type { Request } from 'express'
import { emailKey } from '../../contract/email.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { signedIn } from '../sessions/signed-in.ts'

/** A signed-in user, and the visits whose purchases are theirs. */
export interface Member {
  userId: string
  email: string
  name: string | null
  emailVerified: boolean
  sessionIds: readonly string[]
}

/** Whether the cookie of a request opens an account. */
export async function isSignedIn(deps: Deps, req: Request): Promise<boolean> {
  return (await signedIn(deps, req)) !== null
}

/** The account of a request. Throws sign_in_required. */
export async function requireMember(deps: Deps, req: Request): Promise<Member> {
  const found = await signedIn(deps, req)
  if (!found) throw new AppError('sign_in_required')
  const { id, email, name, emailVerified } = found.user
  const quizSessionId = (found.user as { quizSessionId?: string | null }).quizSessionId ?? null
  const joined = emailVerified ? await paidSessionsOf(deps, email) : []
  return {
    userId: id,
    email,
    name: name || null,
    emailVerified,
    sessionIds: [...new Set([...(quizSessionId ? [quizSessionId] : []), ...joined])],
  }
}

/** paid visits with an address. They join an account only once its owner has proved that address. */
export async function paidSessionsOf({ db }: Deps, email: string): Promise<string[]> {
  const rows = await db
    .selectFrom('sessions')
    .select('id')
    .where(({ fn, ref }) => fn<string>('lower', [ref('email')]), '=', emailKey(email))
    .where('payment_status', '!=', 'unpaid')
    .orderBy('paid_at', 'desc')
    .execute()
  return rows.map(({ id }) => id)
}
