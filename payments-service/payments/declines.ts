/** P-02: stops people who test stolen cards while honest buyers go on paying. */
import { type RawBuilder, sql } from 'kysely'
import { waitWords } from '../../contract/errors.ts'
import { UUID } from '../../contract/uuid.ts'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { networkOf } from '../http/networks.ts'
import { keyedHash } from '../keys/keys.ts'
import { isFailure } from '../stripe/failure.ts'
import { closeRow, findByIntent } from './intents.queries.ts'
import { withdrawMonthly } from './monthly.ts'

/**
 * Declined cards per session and day, and per network address and hour, before they count as card testing. During a
 * siege from many addresses the limits are lower for everybody, but never zero.
 */
const MOST = { calm: { session: 10, address: 60 }, siege: { session: 3, address: 4 } } as const
/** This many declines within ten minutes, over all visitors, are a siege. */
const SIEGE = 200
/** A keyed hash of an address's network (a /64 is one visitor's), which cannot be read back. */
export function originOf(config: Pick<Config, 'tokenSecret'>, address: string | undefined): string | null {
  if (!address) return null
  return keyedHash(config.tokenSecret, 'origin of a payment', networkOf(address)).toString('base64url').slice(0, 22)
}

interface Declines {
  session: number
  address: number
  everyone: number
}

/** When cards of a session were declined: for its payments, and for set-ups of another card, which have no row. */
const declinesOf = (sessionId: string): RawBuilder<unknown> => sql`(
  select e.received_at from webhook_events e join payment_intents i on i.stripe_intent_id = e.object_id
    where i.session_id = ${sessionId} and e.type = 'payment_intent.payment_failed'
  union all
  select e.received_at from webhook_events e
    where e.payload #>> '{data,object,metadata,session_id}' = ${sessionId} and e.type = 'setup_intent.setup_failed'
)`

/**
 * Counts every decline from Stripe's events, because an intent shows only its latest. `everyone` is counted up to
 * `most`, so that a siege does not slow the query down; the counts of a session and an address are exact.
 */
async function declines({ db }: Deps, sessionId: string, origin: string | null, most: number): Promise<Declines> {
  const { rows } = await sql<Declines>`
    select
      (select count(*)::int from ${declinesOf(sessionId)} e
        where e.received_at > now() - interval '1 day') as session,
      (select count(*)::int from payment_intents i join webhook_events e on e.object_id = i.stripe_intent_id
        where i.opened_from = ${origin} and i.created_at > now() - interval '2 days'
          and e.type = 'payment_intent.payment_failed' and e.received_at > now() - interval '1 hour') as address,
      (select count(*)::int from (
        select 1 from webhook_events where type in ('payment_intent.payment_failed', 'setup_intent.setup_failed')
          and received_at > now() - interval '10 minutes' limit ${most}
      ) latest) as everyone`.execute(db)
  return rows[0] ?? { session: 0, address: 0, everyone: 0 }
}

/** The limits once a session or its address has reached one; null while it may go on. */
async function reached(
  deps: Deps,
  sessionId: string,
  origin: string | null,
): Promise<{ session: number; address: number } | null> {
  // in embedded mode everybody shares one address
  const factor = deps.config.limitFactor
  const { session, address, everyone } = await declines(deps, sessionId, origin, SIEGE * factor)
  const { session: ofSession, address: ofAddress } = everyone >= SIEGE * factor ? MOST.siege : MOST.calm
  const most = { session: ofSession, address: ofAddress * factor }
  return session >= most.session || address >= most.address ? most : null
}

/** Seconds until enough declines have aged out (a day per session, an hour per address) to allow one more. */
async function secondsToWait(
  { db }: Deps,
  sessionId: string,
  origin: string | null,
  most: { session: number; address: number },
): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select ceil(extract(epoch from greatest(
      (select e.received_at + interval '1 day' from ${declinesOf(sessionId)} e
        order by e.received_at desc offset ${most.session - 1} limit 1),
      (select e.received_at + interval '1 hour' from payment_intents i
        join webhook_events e on e.object_id = i.stripe_intent_id
        where i.opened_from = ${origin} and i.created_at > now() - interval '2 days'
          and e.type = 'payment_intent.payment_failed'
        order by e.received_at desc offset ${most.address - 1} limit 1)
    ) - now()))::int as seconds`.execute(db)
  return Math.max(60, rows[0]?.seconds ?? 0)
}

/**
 * Throws too_many_requests, with the wait, when a session or its address had too many cards declined: no further intent
 * is opened for it now.
 */
export async function refuseCardTesting(deps: Deps, sessionId: string, origin: string | null): Promise<void> {
  const most = await reached(deps, sessionId, origin)
  if (!most) return
  const retryAfter = await secondsToWait(deps, sessionId, origin, most)
  const message = `Too many cards were declined. Please try again ${waitWords(retryAfter)}. Nothing was charged.`
  throw new AppError('too_many_requests', { retryAfter, message })
}

/** Ends an intent after too many declines: the browser holds its secret, so nothing else stops further cards. */
export async function endAfterDeclines(deps: Deps, intentId: string): Promise<void> {
  if (intentId.startsWith('seti_')) return endSetupAfterDeclines(deps, intentId)
  const row = await findByIntent(deps.db, intentId)
  if (!row || row.closed_at || !(await reached(deps, row.session_id, row.opened_from))) return
  try {
    // an invoice's intent ends with its invoice
    if (row.purpose === 'first' && row.product_id === 'monthly') await withdrawMonthly(deps, row.session_id, undefined)
    else await deps.stripe.cancelIntent(intentId, undefined)
    await closeRow(deps.db, row.id, 'canceled')
    deps.log.warn({ intentId }, 'an intent was ended after too many declined cards')
  } catch (error) {
    // paid or cancelled meanwhile; its own event reports that
    if (!isFailure(error, 'refused') && !(error instanceof AppError && error.code === 'already_paid')) throw error
  }
}

async function endSetupAfterDeclines(deps: Deps, setupId: string): Promise<void> {
  try {
    const sessionId = (await deps.stripe.readSetup(setupId, undefined)).metadata['session_id'] ?? ''
    if (!UUID.test(sessionId) || !(await reached(deps, sessionId, null))) return
    await deps.stripe.cancelSetup(setupId, undefined)
    deps.log.warn({ setupId }, 'a set-up was ended after too many declined cards')
  } catch (error) {
    // saved or cancelled meanwhile, or deleted with its customer
    if (!isFailure(error, 'refused', 'missing')) throw error
  }
}
