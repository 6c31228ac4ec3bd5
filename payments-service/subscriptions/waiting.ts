import { sql } from 'kysely'
import { product, PRODUCT_IDS } from '../../contract/catalogue.ts'
import { startsSubscription } from '../payments/purpose.ts'
import { trying } from '../payments/reconcile.ts'
import type { Deps } from '../deps.ts'
import type { GoOn } from '../jobs/loop.ts'
import { OVER } from '../stripe/subscription-status.ts'
import { startSubscription } from './start.ts'
import { closeRow } from '../payments/intents.queries.ts'
import { type Claim, claimSubscription, closeClaim } from '../payments/subscriptions.queries.ts'
import { syncSubscription } from './sync.ts'

/** Products whose first payment starts the subscription. */
const STARTING = PRODUCT_IDS.filter((id) => startsSubscription(product(id).kind))

/**
 * Starts subscriptions that are paid for but do not exist yet: a crash or a lost answer came after the charge. Monthly
 * orders that nobody pays are given up after a day.
 */
export async function startWaitingSubscriptions(deps: Deps, goOn: GoOn = () => true): Promise<void> {
  await claimMissing(deps)
  const { rows } = await sql<Waiting>`
    update subscriptions set looked_at = now() where id in (
      select id from subscriptions
      -- the request that claimed it is at it
      where status = 'creating' and updated_at < now() - interval '10 seconds'
      -- what Stripe refuses for long is tried more rarely: after a tenth of the time that it has waited
        and (looked_at is null or looked_at < now() - least(interval '10 minutes', (now() - created_at) / 10))
      -- those that cannot be worked (a monthly product that nobody paid) take turns with all others
      order by looked_at nulls first, id limit 50 for update skip locked
    ) returning id, source_payment_id as source, stripe_customer_id as customer,
      created_at < now() - interval '1 day' and source_payment_id !~ '^(pi|seti)_' as unmade`.execute(deps.db)
  for (const { source, ...claim } of rows) {
    if (!goOn()) return
    if (!source) continue
    await trying(deps, source, () =>
      claim.unmade ? giveUp(deps, { source, ...claim }) : startSubscription(deps, source, undefined),
    )
  }
}

interface Waiting {
  id: string
  source: string | null
  customer: string | null
  /** A monthly order whose key Stripe has forgotten. */
  unmade: boolean
}

/** P-05: gives up a monthly order that Stripe never made, so that its visit can order again. */
async function giveUp(
  deps: Deps,
  { id, source, customer }: Pick<Waiting, 'id' | 'customer'> & { source: string },
): Promise<void> {
  const { db, stripe } = deps
  const all = customer ? await stripe.listSubscriptions(customer, undefined) : []
  const made = all.find(({ metadata }) => metadata['source'] === source)
  if (made) return void (await syncSubscription(deps, made.id, undefined))
  await closeClaim(db, id)
  await closeRow(db, source, 'given_up', true)
}

/**
 * Claims the subscriptions of first payments that could not be claimed before, because an unpaid one of the monthly
 * product held the place and has ended since.
 */
async function claimMissing({ db }: Deps): Promise<void> {
  const { rows } = await sql<Claim>`
    select p.session_id as "sessionId", 'monthly' as "productId", p.payment_intent_id as "sourceId",
      p.stripe_customer_id as "customerId", p.payment_method_id as "paymentMethodId",
      p.settled_at as "paidAt"
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
