import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { parseEmail } from '../../contract/email.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export interface VisitorSessions {
  ids: string[]
  keys: string[]
  /** The address that was named, in lower case. Never one that a session merely typed: it may be somebody else's. */
  emails: string[]
}

/** D-12: the sessions of one visitor, by session id or e-mail address; empty when nobody is meant. */
export async function findVisitor(db: Database, who: string): Promise<VisitorSessions> {
  const text = who.trim()
  const email = parseEmail(text)?.toLowerCase()
  const none: VisitorSessions = { ids: [], keys: [], emails: [] }
  if (!email && !UUID.test(text)) return none
  const wanted = email
    ? sql`lower(s.email) = ${email}
        or s.id in (select session_id from customers where email = ${email})
        or s.id in (select session_id from users where lower(email) = ${email})
        or s.id in (select session_id from payments where lower(customer_email) = ${email})`
    : sql`s.id = ${text}::uuid`
  const { rows } = await sql<{ id: string; key: string }>`
    select s.id, s.key from sessions s where ${wanted} order by s.created_at`.execute(db)
  if (rows.length === 0) return none
  const ids = rows.map(({ id }) => id)
  return {
    ids,
    keys: rows.map(({ key }) => key),
    emails: email ? [email] : [],
  }
}
