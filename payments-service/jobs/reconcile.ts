import { sql } from 'kysely'
import { product, PRODUCT_IDS } from '../../contract/catalogue.ts'
import { startsSubscription } from '../checkout/purpose.ts'
import { settlePayment } from '../checkout/settle.ts'
import type { Deps } from '../deps.ts'
import { startSubscription } from '../subscriptions/start.ts'
import { OVER } from '../subscriptions/status.ts'
import { type Claim, claimSubscription } from '../subscriptions/subscriptions.queries.ts'

/** How far back the look after a start goes, in milliseconds: three days of outage. */
const OUTAGE = 3 * 86_400_000
const MOST = 2_000

/** Products whose first payment starts the subscription. */
const STARTING = PRODUCT_IDS.filter((id) => startsSubscription(product(id).kind))

/**
 * After a start: payments that succeeded at Stripe and are not settled here, and intents of ours that are still open.
 * Each is settled by the same use case, which re-reads it first.
 */
export async function reconcileAfterStart(deps: Deps): Promise<void> {
  const { db, stripe } = deps
  const recent = await stripe.intentsSince(new Date(Date.now() - OUTAGE), MOST)
  const succeeded = recent.filter(({ status }) => status === 'succeeded').map(({ id }) => id)
  const settled = new Set(
    succeeded.length === 0
      ? []
      : (
          await db
            .selectFrom('payments')
            .select('payment_intent_id as id')
            .where('payment_intent_id', 'in', succeeded)
            .execute()
        ).map(({ id }) => id),
  )
  const open = await db
    .selectFrom('payment_intents')
    .select('stripe_intent_id as id')
    .where('closed_at', 'is', null)
    .where('stripe_intent_id', 'is not', null)
    .where('created_at', '>', new Date(Date.now() - OUTAGE))
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute()
  const look = new Set([...succeeded.filter((id) => !settled.has(id)), ...open.map(({ id }) => id ?? '')])
  for (const id of look) await trying(deps, id, () => settlePayment(deps, id, undefined))
}

/** Subscriptions that are paid for and not there yet: a crash or a lost answer between the charge and them. */
export async function startWaitingSubscriptions(deps: Deps): Promise<void> {
  await claimMissing(deps)
  const { rows } = await sql<{ source: string | null }>`
    update subscriptions set looked_at = now() where id in (
      select id from subscriptions
      -- the request that claimed it is at it
      where status = 'creating' and updated_at < now() - interval '10 seconds'
      -- those that cannot be worked (a monthly product that nobody paid) take turns with all others
      order by looked_at nulls first, id limit 50 for update skip locked
    ) returning source_payment_id as source`.execute(deps.db)
  for (const { source } of rows) {
    if (source) await trying(deps, source, () => startSubscription(deps, source, undefined))
  }
}

/**
 * First payments whose subscription could not even be claimed, because an unpaid one of the monthly product held
 * the place and has ended since.
 */
async function claimMissing({ db }: Deps): Promise<void> {
  const { rows } = await sql<Claim>`
    select p.session_id as "sessionId", 'monthly' as "productId", p.payment_intent_id as "sourceId",
      p.stripe_customer_id as "customerId", p.payment_method_id as "paymentMethodId"
    from payments p
    where p.purpose = 'first' and p.settled_at is not null and not p.is_duplicate and p.refunded_cents = 0
      and p.settled_at > now() - interval '3 days' and p.product_id = any(${STARTING})
      and not exists (select from erasures e where e.session_id = p.session_id)
      and not exists (
        select 1 from subscriptions s where s.session_id = p.session_id
          and (s.source_payment_id = p.payment_intent_id or s.status != all(${OVER}))
      )
    limit 50`.execute(db)
  for (const claim of rows) await claimSubscription(db, claim)
}

/** One that cannot be worked through does not hold up the others. */
async function trying(deps: Deps, about: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    deps.log.error({ err: error, about }, 'reconciling one payment failed')
  }
}

/** Counters of the limits that are over. */
export async function forgetOldCounters({ db }: Deps): Promise<void> {
  await db.deleteFrom('rate_limits').where('expire', '<', String(Date.now())).execute()
}
