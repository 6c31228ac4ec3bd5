import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { eventsAbout, type StripeEvent } from '../erasures/erased.queries.ts'
import { withoutKeys } from '../mail/without-keys.ts'
import { accountsOf, addressesOf, mailsOfAccounts } from './accounts.ts'
import { askedMailsAbout } from './asked-mails.ts'
import { readExits } from './exits.ts'
import { type Chosen, findVisitor } from './visitor.ts'

/** Tables with data about a session. */
const BY_ID = [
  'session_metadata',
  'quiz_answers',
  'customers',
  'payments',
  'payment_facts',
  'payment_intents',
  'subscriptions',
  'product_access_grants',
  'consents',
  'agreements',
  'mail_log',
  'outbox',
  'users',
  'money_back_requests',
  'charges_without_visit',
  'disputes',
  'owed_refunds',
] as const
const BY_KEY = [
  'page_views',
  'activities',
  'session_errors',
  'session_progress',
  'step_places',
  'page_places',
  'funnel_places',
] as const
const BY_TIME: ReadonlySet<string> = new Set(['page_views', 'activities'])

export interface VisitorExport {
  exportedAt: string
  sessions: unknown[]
  [table: string]: unknown
}

/**
 * D-12: everything stored about the chosen visits, as plain JSON. Keys and tokens are left out, also links and codes of
 * waiting mails: the reader of the export could use them.
 */
export async function exportVisitor(db: Database, chosen: Chosen): Promise<VisitorExport> {
  const { ids, keys, emails } = await findVisitor(db, chosen)
  const rowsOf = async (table: string, column: string, values: readonly string[], type: string): Promise<unknown[]> => {
    // an event's id is its time; as a number, JSON would round it
    const told = BY_TIME.has(table)
      ? sql`(to_jsonb(t) - 'id') || jsonb_build_object('at', event_time(t.id))`
      : sql`to_jsonb(t)`
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select ${told} as row from ${sql.table(table)} t where t.${sql.ref(column)} = any
        (${values}::${sql.raw(type)}[])`.execute(db)
    return rows.map(({ row }) => row)
  }
  const found: VisitorExport = {
    exportedAt: new Date().toISOString(),
    sessions: (await rowsOf('sessions', 'id', ids, 'uuid')).map((row) => without(row, 'client_key', 'key')),
  }
  if (ids.length === 0) return found
  for (const table of BY_ID) found[table] = await rowsOf(table, 'session_id', ids, 'uuid')
  found['price_changes'] = await rowsOf('price_changes', 'subscription_id', idsOf(found['subscriptions']), 'uuid')
  found['webhook_events'] = withoutStripeKeys(await eventsAbout(db, ids))
  found['exit_requests'] = await readExits(db, ids, emails)
  for (const table of BY_KEY) {
    found[table] = (await rowsOf(table, 'session_key', keys, 'bigint')).map((row) => without(row, 'session_key'))
  }
  const accounts = await accountsOf(db, { ids, emails })
  found['accounts'] = accounts
  const mails = await mailsOfAccounts(db, accounts)
  const asked = await askedMailsAbout(db, [...ids, ...emails, ...addressesOf(accounts)])
  found['outbox'] = withoutKeys([...(found['outbox'] as unknown[]), ...mails.outbox, ...asked])
  found['mail_log'] = [...(found['mail_log'] as unknown[]), ...mails.mailLog]
  if (accounts.length > 0) {
    found['listened_sessions'] = await rowsOf('listened_sessions', 'user_id', idsOf(accounts), 'text')
  }
  return found
}

/** What Stripe sent, without what pays, or opens a page of Stripe's: client secrets and addresses. */
const withoutStripeKeys = (events: readonly StripeEvent[]): unknown =>
  JSON.parse(JSON.stringify(events, (key, value) => (KEY_OF_STRIPE.test(key) ? undefined : (value as unknown))))

const KEY_OF_STRIPE = /^client_secret$|(^|_)url$|_pdf$/

const idsOf = (rows: unknown): string[] => (rows as { id: string }[]).map(({ id }) => id)

function without(row: unknown, ...names: string[]): unknown {
  return Object.fromEntries(Object.entries(row as object).filter(([name]) => !names.includes(name)))
}
