import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { parseEmail } from '../../contract/email.ts'
import { UUID } from '../../contract/uuid.ts'
import { OVER } from '../stripe/subscription-status.ts'

/** A visit found by an id or an address, and how it is tied to the address. */
export interface FoundVisit {
  id: string
  key: string
  createdAt: Date
  paymentStatus: string
  /** A subscription still charges: the visit is not erased before that ends. */
  live: boolean
  /** Where the address is stored: visit, payment, customer, account. Empty for a visit found by its id. */
  tiedBy: string[]
  /** The address is proved: by a code, a mailed link, or the account's owner. Otherwise it was only typed. */
  proved: boolean
}

export interface VisitorSessions {
  ids: string[]
  keys: string[]
  /**
   * The given address, in lower case, if one of the visits has proved it: then data stored under the address alone is
   * the visitor's too. Never an address that a session merely typed, which may be someone else's.
   */
  emails: string[]
}

/** The person to find, by id or address, and which of their visits. */
export interface Chosen {
  who: string
  visits: readonly string[]
}

const addressOf = (who: string): string | undefined => parseEmail(who.trim())?.toLowerCase()

/** D-12: the visits found by a session id or an e-mail address, oldest first; none for any other text. */
export async function listVisits(db: Database, who: string): Promise<FoundVisit[]> {
  const text = who.trim()
  const email = addressOf(text)
  if (!email && !UUID.test(text)) return []
  const has = (table: string, column: string): RawBuilder<boolean> =>
    sql`exists (select 1 from ${sql.table(table)} x where x.session_id = s.id and lower(x.${sql.ref(column)}) =
      ${email ?? ''})`
  const { rows } = await sql<FoundVisit>`
    select * from (
      select s.id, s.key, s.created_at as "createdAt", s.payment_status as "paymentStatus",
        exists (select 1 from subscriptions x where x.session_id = s.id
          and not x.status = any (${OVER}::text[])) as live,
        array_remove(array[
          case when lower(s.email) = ${email ?? ''} then 'visit' end,
          case when ${has('payments', 'customer_email')} then 'payment' end,
          case when ${has('customers', 'email')} then 'customer' end,
          case when ${has('users', 'email')} then 'account' end], null) as "tiedBy",
        (${email ?? null}::text is null or lower(s.email) = ${email ?? ''})
          and (s.email_proved_at is not null or exists (
          select 1 from auth_user u where u.quiz_session_id = s.id and u.email_verified
            and u.email = lower(s.email))) as proved
      from sessions s
      where ${
        email
          ? sql`s.id in (select id from sessions where lower(email) = ${email}
              union select session_id from customers where email = ${email}
              union select session_id from users where lower(email) = ${email}
              union select session_id from payments where lower(customer_email) = ${email})`
          : sql`s.id = ${text}::uuid`
      }
    ) found order by "createdAt"`.execute(db)
  return rows
}

/** The chosen visits among those that the id or address finds. */
export async function findVisitor(db: Database, { who, visits }: Chosen): Promise<VisitorSessions> {
  const email = addressOf(who)
  const chosen = (await listVisits(db, who)).filter(({ id }) => visits.includes(id))
  return {
    ids: chosen.map(({ id }) => id),
    keys: chosen.map(({ key }) => key),
    emails: email && chosen.some(({ proved }) => proved) ? [email] : [],
  }
}
