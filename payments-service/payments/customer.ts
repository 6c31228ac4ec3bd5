import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { Deps } from '../deps.ts'
import type { Deadline } from '../http/deadline.ts'
import { AppError } from '../http/errors.ts'
import { emailKey } from '../../contract/email.ts'
import type { Session } from '../sessions/access.ts'
import { isCustomerGone, isFailure } from '../stripe/failure.ts'

/**
 * P-01: the Stripe customer of a session and e-mail address; concurrent calls get the same one. The row is claimed
 * first: its id forms the idempotency key, and a caller that finds a claimed row without a customer asks Stripe whether
 * it was created.
 */
export async function ensureCustomer(
  deps: Deps,
  session: Pick<Session, 'id'>,
  email: string,
  name: string | null,
  by: Deadline,
): Promise<string> {
  const key = emailKey(email)
  try {
    return await deps.flights.run(`customer:${session.id}:${key}`, () => findOrCreate(deps, session.id, key, name, by))
  } catch (error) {
    // Stripe's own rule of addresses: https://docs.stripe.com/error-codes
    if (isFailure(error) && error.code === 'email_invalid')
      throw new AppError('invalid_body', { field: 'email', cause: error })
    if (isFailure(error, 'refused', 'declined')) throw new AppError('customer_setup_failed', { cause: error })
    throw error
  }
}

/**
 * Runs `work` with the customer of a session. If the customer was deleted in Stripe's dashboard, creates a new one and
 * runs `work` once more, so that the order goes on.
 */
export async function withCustomer<T>(
  deps: Deps,
  session: Pick<Session, 'id' | 'name'> & { email: string },
  by: Deadline,
  work: (customerId: string) => Promise<T>,
): Promise<T> {
  const customerId = await ensureCustomer(deps, session, session.email, session.name, by)
  return work(customerId).catch((error: unknown) => withNewCustomer(deps, session, { error, customerId }, by, work))
}

/**
 * Runs `work` again with a new customer if it failed because the old one is gone; otherwise rethrows its error. Throws
 * customer_missing when the new one is gone as well (P-11).
 */
export async function withNewCustomer<T>(
  deps: Deps,
  session: Pick<Session, 'id' | 'name' | 'email'>,
  failed: { error: unknown; customerId: string },
  by: Deadline,
  work: (customerId: string) => Promise<T>,
): Promise<T> {
  const { error, customerId } = failed
  if (!isCustomerGone(error) || !session.email) throw error
  deps.log.warn({ customerId }, 'a customer was deleted at Stripe; the order goes on with a new one')
  await forgetCustomer(deps, session.id, customerId)
  const replaced = await ensureCustomer(deps, session, session.email, session.name, by)
  return work(replaced).catch((second: unknown) => {
    throw isCustomerGone(second) ? new AppError('customer_missing', { cause: second }) : second
  })
}

/** Frees the row for a new customer and gives it a new id, so that its idempotency key is new too. */
async function forgetCustomer({ db }: Deps, sessionId: string, customerId: string): Promise<void> {
  await db
    .updateTable('customers')
    .set({ id: sql<string>`uuidv7()`, stripe_customer_id: null })
    .where('session_id', '=', sessionId)
    .where('stripe_customer_id', '=', customerId)
    .execute()
}

interface CustomerRow {
  id: string
  name: string | null
  stripe_customer_id: string | null
  /** Made by this call. */
  fresh: boolean
}

/** The row of a session and address, made if there is none. */
async function claimRow(
  db: Database,
  sessionId: string,
  email: string,
  name: string | null,
): Promise<CustomerRow | undefined> {
  const { rows } = await sql<CustomerRow>`
    with fresh as (
      insert into customers (session_id, email, name) values (${sessionId}, ${email}, ${name})
      on conflict (session_id, email) do nothing returning id, name, stripe_customer_id
    )
    select *, true as fresh from fresh
    union all
    select id, name, stripe_customer_id, false from customers
    where session_id = ${sessionId} and email = ${email}`.execute(db)
  return rows[0]
}

async function findOrCreate(
  deps: Deps,
  sessionId: string,
  email: string,
  name: string | null,
  by: Deadline,
): Promise<string> {
  const { db, stripe } = deps
  for (;;) {
    const row = await claimRow(db, sessionId, email, name)
    // another caller's, made while this statement ran
    if (!row) continue
    if (row.stripe_customer_id) {
      await rename(deps, row.id, row.stripe_customer_id, row.name, name, by)
      return row.stripe_customer_id
    }
    try {
      const found = row.fresh ? null : await stripe.findCustomer(email, sessionId, by)
      const id = found ?? (await stripe.createCustomer({ email, name, sessionId }, `customer:${row.id}`, by))
      await db.updateTable('customers').set({ stripe_customer_id: id }).where('id', '=', row.id).execute()
      return id
    } catch (error) {
      // another replica is creating it right now
      if (isFailure(error, 'busy') && !by.over) await pause()
      else {
        // Stripe replays the error of an answered key
        if (isFailure(error) && error.answered) await renewKey(deps, row.id)
        throw error
      }
    }
  }
}

const pause = () => new Promise((resume) => setTimeout(resume, 200))

/** Gives the row a new id and so a new key; the row stays, so that Stripe is asked before the next try. */
async function renewKey({ db }: Deps, id: string): Promise<void> {
  await db
    .updateTable('customers')
    .set({ id: sql<string>`uuidv7()` })
    .where('id', '=', id)
    .where('stripe_customer_id', 'is', null)
    .execute()
}

/** The name typed last wins; the payment neither waits for this nor fails with it. */
async function rename(
  deps: Deps,
  rowId: string,
  customerId: string,
  known: string | null,
  name: string | null,
  by: Deadline,
): Promise<void> {
  if (!name || name === known) return
  try {
    await deps.stripe.renameCustomer(customerId, name, by)
    await deps.db.updateTable('customers').set({ name }).where('id', '=', rowId).execute()
  } catch (error) {
    deps.log.warn({ err: error }, 'a customer kept the earlier name')
  }
}
