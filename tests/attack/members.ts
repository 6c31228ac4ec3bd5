import { randomUUID } from 'node:crypto'
import type { Database } from '../../db/connect.ts'
import { hashPassword } from '../../payments-service/accounts/password.ts'

/** An account that exists; returns its address. */
export async function memberIn(db: Database, email = 'known@example.com'): Promise<string> {
  const found = await db.selectFrom('auth_user').select('id').where('email', '=', email).executeTakeFirst()
  if (found) return email
  const id = randomUUID()
  const password = await hashPassword('Better Eyes 1')
  await db.insertInto('auth_user').values({ id, name: '', email, email_verified: true }).execute()
  await db
    .insertInto('auth_account')
    .values({ id: randomUUID(), account_id: id, provider_id: 'credential', user_id: id, password })
    .execute()
  return email
}
