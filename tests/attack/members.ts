import { randomUUID } from 'node:crypto'
import type { Database } from '../../db/connect.ts'
import { hashPassword } from '../../payments-service/accounts/password.ts'

/** An address indistinguishable from every other one here. */
export const someone = (): string => `person-${randomUUID().slice(0, 13)}@example.com`

/** Buyers with accounts: a paid visit, a row of users, a sign-in. Returns their addresses. */
export async function membersIn(db: Database, count: number): Promise<string[]> {
  const password = await hashPassword('Better Eyes 1')
  const people = Array.from({ length: count }, () => ({ id: randomUUID(), session: randomUUID(), email: someone() }))
  await db
    .insertInto('sessions')
    .values(people.map(({ session, email }) => ({ id: session, email, payment_status: 'paid', paid_at: new Date() })))
    .execute()
  await db
    .insertInto('auth_user')
    .values(people.map(({ id, email }) => ({ id, name: '', email, email_verified: true })))
    .execute()
  await db
    .insertInto('auth_account')
    .values(
      people.map(({ id }) => ({ id: randomUUID(), account_id: id, provider_id: 'credential', user_id: id, password })),
    )
    .execute()
  await db
    .insertInto('users')
    .values(people.map(({ id, session, email }) => ({ auth_user_id: id, session_id: session, email })))
    .execute()
  return people.map(({ email }) => email)
}
