import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { enqueue, PERSONAL_KINDS } from '../jobs/outbox.queries.ts'
import { forgetAddress, forgetEvents } from '../erasures/erased.queries.ts'
import { OVER } from '../stripe/subscription-status.ts'
import { accountsOf, addressesOf, forgetAccounts, liveVisitOf } from './accounts.ts'
import { forgetAskedMails } from './asked-mails.ts'
import { emptyExits, waitingWithdrawal } from './exits.ts'
import { type Chosen, findVisitor } from './visitor.ts'

/** A visitor cannot be erased yet; the message says why, and what to do first. */
export class NotErasable extends Error {}

export interface Erased {
  sessions: number
  /** Customers that have paid: they remain at Stripe, to be deleted there by hand after the books are closed. */
  stripeCustomers: string[]
}

/**
 * D-12: erases the chosen visits of a visitor, all or nothing. Answers, visits, names, addresses, tokens, the account
 * and sent mails are deleted. Payments, their facts, agreements and consents stay, under an id that identifies no one,
 * because bookkeeping and evidence need them. Waiting refunds are made, open payments are ended at Stripe, and one that
 * succeeds all the same is refunded automatically (settle). Throws NotErasable while the visitor is still charged, or
 * has withdrawn and is not paid back yet: the right depends on what would be erased. `again`: on a restored database,
 * which may not know yet that both were over at this moment.
 */
export async function eraseVisitor(db: Database, chosen: Chosen, again?: { at: string }): Promise<Erased> {
  const { ids, keys, emails } = await findVisitor(db, chosen)
  if (ids.length === 0) return { sessions: 0, stripeCustomers: [] }
  const erased = await db.transaction().execute(async (tx) => {
    await lockVisits(tx, ids)
    if (!again) await refuseTooEarly(tx, ids, emails)
    const customers = await tx
      .selectFrom('customers')
      .select('stripe_customer_id')
      .where('session_id', 'in', ids)
      .where('stripe_customer_id', 'is not', null)
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('payments').select('id').whereRef('payments.session_id', '=', 'customers.session_id')),
      )
      .execute()
    await forgetVisits(tx, ids, keys)
    await forgetMessages(tx, ids, emails)
    await forgetPeople(tx, ids, emails)
    for (const id of ids) {
      await noteErasure(tx, id, { ofAddress: emails.length > 0, again })
      await enqueue(tx, { kind: 'cancel_intents', reason: id, sessionId: id, payload: {} })
    }
    return { sessions: ids.length, stripeCustomers: customers.map((row) => row.stripe_customer_id ?? '') }
  })
  await othersEnded(db)
  // erases what they wrote too; whatever begins later is refused (refuse_erased, keep_erased)
  await db.transaction().execute(async (tx) => {
    // first, as all code that writes payments does, to avoid deadlocks
    await lockVisits(tx, ids)
    await forgetVisits(tx, ids, keys)
    await forgetMessages(tx, ids, emails)
    await forgetPeople(tx, ids, emails)
  })
  return erased
}

async function refuseTooEarly(tx: Database, ids: string[], emails: string[]): Promise<void> {
  const live = await tx
    .selectFrom('subscriptions')
    .select('id')
    .where('session_id', 'in', ids)
    .where('status', 'not in', OVER)
    .executeTakeFirst()
  if (live) throw new NotErasable('There is a live subscription. Cancel it first.')
  // the account goes with a visit that is over, and with it what counts for the guarantee of the live one
  const other = await liveVisitOf(tx, await accountsOf(tx, { ids, emails }))
  if (other)
    throw new NotErasable(`There is a live subscription of the same account, in visit ${other}. Cancel it first.`)
  const waiting = await waitingWithdrawal(tx, ids, emails)
  if (waiting) throw new NotErasable(`A withdrawal is carried out on ${waiting.toISOString()}. Erase after that.`)
}

/** That a visit was erased, and when: the first time, also where it is erased again. */
export async function noteErasure(
  tx: Database,
  sessionId: string,
  { ofAddress, again }: { ofAddress: boolean; again: { at: string } | undefined },
): Promise<void> {
  await sql`insert into erasures (session_id, of_address, again, erased_at)
    values (${sessionId}, ${ofAddress}, ${again !== undefined},
      coalesce(${again?.at ?? null}::timestamptz, now()))`.execute(tx)
}

async function lockVisits(tx: Database, ids: string[]): Promise<void> {
  await tx.selectFrom('sessions').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
}

/** The service's statement timeout is 15 s (service.ts). */
const LONGEST_STATEMENT_MS = 20_000

/**
 * Waits for the statements that were running when the visitor's tokens were deleted: one may have read a token just
 * before, and write its answer just after. Anything that begins later finds no token.
 */
async function othersEnded(db: Database): Promise<void> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db)
  const gone = rows[0]?.now
  for (const end = Date.now() + LONGEST_STATEMENT_MS; Date.now() < end; await setTimeout(20)) {
    const { rows: waiting } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and usename = current_user
        and pid <> pg_backend_pid() and xact_start < ${gone}::timestamptz limit 1`.execute(db)
    if (waiting.length === 0) return
  }
}

async function forgetVisits(tx: Database, ids: string[], keys: string[]): Promise<void> {
  for (const table of ['quiz_answers', 'session_metadata', 'session_access'] as const) {
    await tx.deleteFrom(table).where('session_id', 'in', ids).execute()
  }
  // hashes of used links and client secrets stay, or these could be used again
  await sql`update handover_codes set used_at = coalesce(used_at, now())
    where session_id = any (${ids}::uuid[])`.execute(tx)
  for (const table of [
    'page_views',
    'activities',
    'session_errors',
    'session_progress',
    'step_places',
    'page_places',
  ] as const) {
    await tx.deleteFrom(table).where('session_key', 'in', keys).execute()
  }
  // what a buyer gets back is taken off where it was earned; everyone else stays in the sums alone
  await sql`delete from funnel_places where session_key = any (${keys}::bigint[]) and not exists (
    select from sessions s join payments p on p.session_id = s.id where s.key = session_key)`.execute(tx)
}

/** Waiting mails and events are not sent any more; of sent ones only the fact stays. */
async function forgetMessages(tx: Database, ids: string[], emails: string[]): Promise<void> {
  // in the order in which the queue marks several of them (queue.ts)
  await sql`select from outbox where session_id = any (${ids}::uuid[]) order by id for update`.execute(tx)
  await sql`delete from outbox where session_id = any (${ids}::uuid[]) and sent_at is null
    and kind like any (${PERSONAL_KINDS}::text[])`.execute(tx)
  await sql`update outbox set payload = '{}', last_error = null
    where session_id = any (${ids}::uuid[]) and sent_at is not null`.execute(tx)
  await sql`update mail_log set recipient = 'erased', subject = 'erased', detail = null
    where session_id = any (${ids}::uuid[]) or lower(recipient) = any (${emails}::text[])`.execute(tx)
  await emptyExits(tx, ids, emails)
  await forgetEvents(tx, ids)
  // an event that still has to be handled keeps its ids
  for (const email of emails) await forgetAddress(tx, email)
}

async function forgetPeople(tx: Database, ids: string[], emails: string[]): Promise<void> {
  await tx.updateTable('subscriptions').set({ subscriber_email: null }).where('session_id', 'in', ids).execute()
  await sql`update customers set email = 'erased-' || id || '@erased.invalid', name = null
    where session_id = any (${ids}::uuid[])`.execute(tx)
  await sql`update payments set customer_email = null, customer_name = null, attribution = '{}'
    where session_id = any (${ids}::uuid[])`.execute(tx)
  await sql`update charges_without_visit set email = null where session_id = any (${ids}::uuid[])`.execute(tx)
  await sql`update payment_intents set opened_from = null, traceparent = null
    where session_id = any (${ids}::uuid[])`.execute(tx)
  await sql`update product_access_grants set customer_email = null where session_id = any (${ids}::uuid[])`.execute(tx)
  const accounts = await accountsOf(tx, { ids, emails })
  await tx.deleteFrom('users').where('session_id', 'in', ids).execute()
  await sql`delete from email_codes where subject = any (${ids}::text[]) or lower(email) = any
    (${emails}::text[])`.execute(tx)
  if (emails.length > 0) {
    await sql`delete from users where lower(email) = any (${emails}::text[])`.execute(tx)
  }
  await forgetAskedMails(tx, [...ids, ...emails, ...addressesOf(accounts)])
  await forgetAccounts(tx, accounts)
  await sql`update sessions set email = null, name = null, client_key = null, starseed_type = null, starseed_name =
    null,
    starseed_description = null where id = any (${ids}::uuid[])`.execute(tx)
}
