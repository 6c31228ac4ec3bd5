/**
 * What has to hold after every case, worked out from the embedded Stripe's objects alone and compared with the
 * database: none of the service's own rules is used, so that a wrong rule shows.
 */
import { createHash } from 'node:crypto'
import { product, type ProductId, PRODUCT_IDS } from '../../contract/catalogue.ts'
import { type DatabaseBooks, readDatabase, readStripe, type StripeBooks, type Success } from './books.ts'
import type { Buyer } from './buyer.ts'
import { pause } from './random.ts'
import type { World } from './world.ts'

/** One broken promise, in words. */
export type Violation = string

const LIVE = new Set(['trialing', 'active', 'past_due', 'unpaid', 'incomplete', 'paused'])
/** Subscription statuses in which the programme is locked. */
const CLOSED = new Set(['canceled', 'unpaid', 'incomplete_expired', 'paused'])
const RECEIPTS = ['mail:order_confirmation', 'mail:one_time_receipt', 'mail:addon_receipt', 'mail:renewal_receipt']

const stands = ({ amount, refunded, lost }: Success): boolean => !lost && (amount === 0 || refunded < amount)
const priceOf = (id: string): number | undefined =>
  PRODUCT_IDS.includes(id as ProductId) ? product(id as ProductId).price : undefined
const stableId = (reason: string): string => createHash('sha256').update(reason).digest('hex').slice(0, 32)

function group<T>(list: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of list) groups.set(key(one), [...(groups.get(key(one)) ?? []), one])
  return groups
}

/** P-02, P-14, U-08: one success per session and purpose is kept; every success is on record, and nothing else is. */
function money(stripe: StripeBooks, db: DatabaseBooks, duplicatesAllowed: ReadonlySet<string>): Violation[] {
  const found: Violation[] = []
  const recorded = new Map(db.payments.map((payment) => [payment.payment_intent_id, payment]))
  for (const [key, all] of group(stripe.successes, ({ sessionId, purpose }) => `${sessionId} ${purpose}`)) {
    const charged = all.filter(({ amount }) => amount > 0)
    const kept = charged.filter(stands)
    if (kept.length > 1) found.push(`charged ${kept.length} times: ${key}`)
    if (charged.length > 1 && !duplicatesAllowed.has(all[0]?.sessionId ?? ''))
      found.push(`charged twice and given back: ${key}`)
    const settled = all.flatMap(({ intentId }) => recorded.get(intentId) ?? [])
    if (settled.filter(({ is_duplicate }) => !is_duplicate).length !== 1)
      found.push(`not exactly one settled payment: ${key}`)
    for (const payment of settled.filter(({ is_duplicate, amount_cents }) => is_duplicate && amount_cents > 0)) {
      const success = all.find(({ intentId }) => intentId === payment.payment_intent_id)
      if (success && stands(success)) found.push(`a duplicate was not given back: ${key}`)
    }
  }
  for (const success of stripe.successes) {
    const payment = recorded.get(success.intentId)
    const about = `${success.intentId} (${success.purpose}, ${success.productId})`
    if (!payment) found.push(`a charge without a record: ${about}`)
    else {
      if (payment.amount_cents !== success.amount)
        found.push(`recorded ${payment.amount_cents}, charged ${success.amount}: ${about}`)
      if (payment.refunded_cents !== success.refunded)
        found.push(`recorded ${payment.refunded_cents} as given back, Stripe ${success.refunded}: ${about}`)
      if (payment.session_id !== success.sessionId) found.push(`recorded for another session: ${about}`)
      if (payment.product_id !== success.productId) found.push(`recorded as ${payment.product_id}: ${about}`)
    }
    if (success.amount > 0 && success.amount !== priceOf(success.productId))
      found.push(`charged ${success.amount}, the catalogue says ${priceOf(success.productId)}: ${about}`)
  }
  const addOns = group(
    stripe.successes.filter((one) => one.purpose.startsWith('upsell:') && stands(one)),
    ({ sessionId }) => sessionId,
  )
  for (const [session, all] of addOns) {
    const products = all.map(({ productId }) => productId)
    if (products.includes('bundle') && products.length > 1)
      found.push(`charged for the bundle and for ${products.length - 1} of its guides: ${session}`)
    if (new Set(products).size < products.length) found.push(`charged twice for one add-on: ${session}`)
  }
  const charged = new Set(stripe.successes.map(({ intentId }) => intentId))
  for (const { payment_intent_id } of db.payments) {
    if (!charged.has(payment_intent_id)) found.push(`a record without a charge: ${payment_intent_id}`)
  }
  return found
}

/** P-01: one customer per session and address, whose id is on record here. */
function customers(stripe: StripeBooks, db: DatabaseBooks): Violation[] {
  const found: Violation[] = []
  const here = new Set(
    db.customers.map(({ session_id, email, stripe_customer_id }) => `${session_id} ${email} ${stripe_customer_id}`),
  )
  const groups = group(
    stripe.customers.filter(({ sessionId }) => sessionId),
    ({ sessionId, email }) => `${sessionId} ${email}`,
  )
  for (const [key, all] of groups) {
    if (all.length > 1) found.push(`${all.length} customers for ${key}`)
    if (!all.some(({ id }) => here.has(`${key} ${id}`))) {
      // an unused one does no harm as long as no money is attached to it
      if (stripe.successes.some(({ customerId }) => all.some(({ id }) => id === customerId)))
        found.push(`a customer that is not ours: ${key}`)
    }
  }
  return found
}

const STARTING = new Set(['trial', 'special_offer', 'monthly'])

/** P-04, P-05: one live subscription for every first payment that starts one; our record agrees with Stripe. */
function subscriptions(stripe: StripeBooks, db: DatabaseBooks): Violation[] {
  const found: Violation[] = []
  const bySession = group(stripe.subscriptions, ({ sessionId }) => sessionId)
  const duplicates = new Set(db.payments.filter(({ is_duplicate }) => is_duplicate).map((one) => one.payment_intent_id))
  for (const [session, all] of bySession) {
    const live = all.filter(({ status }) => LIVE.has(status))
    if (live.length > 1) found.push(`${live.length} live subscriptions: ${session}`)
    const paid = stripe.successes.filter(
      ({ sessionId, intentId, purpose }) =>
        sessionId === session && !duplicates.has(intentId) && (purpose === 'first' || purpose.startsWith('renewal:')),
    )
    if (live.length > 0 && paid.length > 0 && !paid.some(stands))
      found.push(`all money went back, and the subscription would charge again: ${session}`)
    if (live.length > 0 && paid.some(({ lost }) => lost))
      found.push(`a payment was lost, and the subscription would charge again: ${session}`)
    for (const one of live) {
      const row = db.subscriptions.find(({ stripe_subscription_id }) => stripe_subscription_id === one.id)
      if (!row) found.push(`a subscription that no row knows: ${one.id}`)
      else if (row.status !== one.status)
        found.push(`subscription ${one.id} is ${one.status} at Stripe, ${row.status} here`)
      if (one.price !== product('monthly').price) found.push(`subscription ${one.id} renews at ${one.price}`)
    }
  }
  // one subscription per address, across visits
  const addressOf = new Map(stripe.customers.map(({ id, email }) => [id, email.toLowerCase()]))
  const renewing = stripe.subscriptions.filter(
    ({ status, leaving }) => LIVE.has(status) && status !== 'incomplete' && !leaving,
  )
  for (const [address, all] of group(renewing, ({ customerId }) => addressOf.get(customerId ?? '') ?? '')) {
    if (address && all.length > 1) found.push(`${all.length} subscriptions renew under one address: ${address}`)
  }
  // one that is ended at once may have charged by then
  const bySource = group(stripe.subscriptions, ({ id, source }) => source ?? id)
  for (const [source, all] of bySource)
    if (all.length > 1) found.push(`${all.length} subscriptions were made for ${source}`)
  const kinds = new Map(PRODUCT_IDS.map((id) => [id as string, product(id).kind as string]))
  for (const success of stripe.successes.filter(({ purpose }) => purpose === 'first')) {
    if (!STARTING.has(kinds.get(success.productId) ?? '')) continue
    if (!bySession.has(success.sessionId) && stands(success))
      found.push(`paid, and no subscription: ${success.sessionId}`)
    const kept = db.payments.find(
      (one) => one.session_id === success.sessionId && one.purpose === 'first' && !one.is_duplicate,
    )
    const own = bySession.get(success.sessionId)?.find(({ source }) => source === success.intentId)
    if (
      own &&
      kept?.payment_intent_id === success.intentId &&
      kinds.get(success.productId) === 'trial' &&
      own.trialDays !== 3
    ) {
      found.push(`a trial of ${own.trialDays} days: ${own.id}`)
    }
  }
  for (const row of db.subscriptions.filter(({ status }) => status === 'creating')) {
    if (db.payments.some(({ session_id, purpose }) => session_id === row.session_id && purpose === 'first'))
      found.push(`a subscription is still being made: ${row.session_id}`)
  }
  return found
}

/** P-12: a grant exists exactly where money was kept. */
function grants(stripe: StripeBooks, db: DatabaseBooks): Violation[] {
  const due = new Set<string>()
  const bySession = group(stripe.successes, ({ sessionId }) => sessionId)
  const kept = new Set(db.payments.filter(({ is_duplicate }) => !is_duplicate).map((one) => one.payment_intent_id))
  const subscriptionsOf = group(stripe.subscriptions, ({ sessionId }) => sessionId)
  for (const [session, all] of bySession) {
    const counted = all.filter(({ intentId }) => kept.has(intentId))
    const first = counted.find(({ purpose }) => purpose === 'first')
    const paid = counted.some((one) => (one.purpose === 'first' || one.purpose.startsWith('renewal:')) && stands(one))
    const own = subscriptionsOf.get(session) ?? []
    const closed = own.length > 0 && own.every(({ status }) => CLOSED.has(status))
    if (first && paid && !closed) due.add(`${session} ${first.productId}`)
    for (const one of counted.filter(({ purpose }) => purpose === 'reading' || purpose.startsWith('upsell:'))) {
      if (stands(one)) due.add(`${session} ${one.productId}`)
    }
  }
  const list = db.grants.map(({ session_id, product_id }) => `${session_id} ${product_id}`)
  const given = new Set(list)
  return [
    ...(list.length > given.size ? [`${list.length - given.size} grants given twice`] : []),
    ...[...given].filter((one) => !due.has(one)).map((one) => `a grant without money: ${one}`),
    ...[...due].filter((one) => !given.has(one)).map((one) => `money without a grant: ${one}`),
  ]
}

/** T-03, D-09: one purchase event and one mail for every payment, with ids that do not depend on who wrote them. */
function outgoing(db: DatabaseBooks): Violation[] {
  const found: Violation[] = []
  const bySession = group(db.outbox, ({ session_id }) => session_id ?? '')
  for (const payment of db.payments) {
    const id = payment.payment_intent_id
    const own = (bySession.get(payment.session_id) ?? []).filter(({ dedupe_key }) => dedupe_key.endsWith(`:${id}`))
    const events = own.filter(({ kind }) => kind === 'conversion:Purchase')
    const receipts = own.filter(({ kind }) => RECEIPTS.includes(kind))
    const renewal = payment.purpose.startsWith('renewal:')
    const [wantedEvents, wantedReceipts] = payment.is_duplicate ? [0, 0] : [renewal ? 0 : 1, 1]
    if (events.length !== wantedEvents) found.push(`${events.length} purchase events instead of ${wantedEvents}: ${id}`)
    if (receipts.length !== wantedReceipts)
      found.push(`${receipts.length} receipts instead of ${wantedReceipts}: ${id}`)
    for (const { payload } of events) {
      const { session_id, product_id } = payment
      if ((payload as { eventId?: string }).eventId !== stableId(`Purchase:${session_id}:${product_id}`))
        found.push(`an event id that is not the purchase's: ${id}`)
    }
    if (payment.is_duplicate && payment.amount_cents > 0) {
      const jobs = own.filter(({ kind }) => kind === 'refund_duplicate')
      if (jobs.length !== 1 || !jobs[0]?.sent_at) found.push(`a duplicate whose refund is not done: ${id}`)
      const told = (bySession.get(payment.session_id) ?? []).filter(({ kind }) => kind === 'mail:duplicate_refunded')
      if (told.length === 0) found.push(`a duplicate that nobody was told of: ${id}`)
    }
  }
  const paid = new Set(db.payments.map(({ payment_intent_id }) => payment_intent_id))
  for (const { kind, dedupe_key } of db.outbox.filter(
    ({ kind }) => kind === 'conversion:Purchase' || RECEIPTS.includes(kind),
  )) {
    if (!paid.has(dedupe_key.slice(dedupe_key.lastIndexOf(':') + 1)))
      found.push(`${kind} for no payment: ${dedupe_key}`)
  }
  for (const { dead_at, dedupe_key } of db.outbox) if (dead_at) found.push(`given up: ${dedupe_key}`)
  return found
}

/** D-09, P-04: a session is converted if and only if it has a first payment. */
function sessions(db: DatabaseBooks): Violation[] {
  const paid = new Set(
    db.payments
      .filter(({ purpose }) => purpose === 'first' || purpose === 'reading')
      .map(({ session_id }) => session_id),
  )
  return db.sessions.flatMap(({ id, payment_status, conversion_status }) => {
    const says = payment_status !== 'unpaid' && conversion_status === 'converted'
    return says === paid.has(id)
      ? []
      : [`session ${id} is ${payment_status} and ${conversion_status}, paid: ${paid.has(id)}`]
  })
}

/** All violations at this moment. */
export async function violations(world: World): Promise<Violation[]> {
  const [stripe, db] = await Promise.all([readStripe(world), readDatabase(world)])
  return [
    ...money(stripe, db, world.duplicatesAllowed),
    // what is restored from Stripe's charges has no row of the customer that was made before them
    ...(world.restored ? [] : customers(stripe, db)),
    ...subscriptions(stripe, db),
    ...grants(stripe, db),
    ...outgoing(db),
    ...sessions(db),
  ]
}

export interface Settled {
  violations: Violation[]
  /** Milliseconds until everything held. */
  milliseconds: number
}

/** How long everything may take to hold: the promise is 60 s. */
export const patience = { milliseconds: 60_000 }

/** Waits until everything holds, at most `within`, and says what still does not. */
export async function settled(
  world: World,
  buyers: readonly Buyer[] = [],
  within = patience.milliseconds,
): Promise<Settled> {
  const started = Date.now()
  for (let wait = 150; ; wait = Math.min(2_000, wait * 1.5)) {
    const wrong = await violations(world).catch((error: unknown) => [`the books cannot be read: ${String(error)}`])
    const milliseconds = Date.now() - started
    if (wrong.length === 0) return { violations: await promises(world, buyers), milliseconds }
    if (milliseconds > within) return { violations: [...wrong, ...(await promises(world, buyers))], milliseconds }
    await pause(wait)
  }
}

/** Whatever the service confirmed that it had saved is in the database. */
async function promises(world: World, buyers: readonly Buyer[]): Promise<Violation[]> {
  const { db } = world
  const payments = new Set(
    (await db.selectFrom('payments').select('payment_intent_id').execute()).map((one) => one.payment_intent_id),
  )
  const answers = new Set(
    (await db.selectFrom('quiz_answers').select(['session_id', 'question_id', 'answer']).execute()).map(
      (one) => `${one.session_id} ${one.question_id} ${one.answer}`,
    ),
  )
  return buyers.flatMap((buyer) => [
    ...buyer.acknowledged.filter((id) => !payments.has(id)).map((id) => `acknowledged and lost: ${id}`),
    ...buyer.saved
      .filter(({ questionId, answer }) => !answers.has(`${buyer.sessionId} ${questionId} ${answer}`))
      .map(({ questionId }) => `an acknowledged answer was lost: ${questionId}`),
    ...(buyer.slowest > 35_000 ? [`an answer took ${Math.round(buyer.slowest)} ms`] : []),
  ])
}
