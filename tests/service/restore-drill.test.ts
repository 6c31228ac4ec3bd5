/** The drill: buyers buy, the database and its disk are lost, the backup is restored, and the books are compared. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recover } from '../../db/backup/recover.ts'
import type { Database } from '../../db/connect.ts'
import { orderOf } from '../support/order.ts'
import { type Cluster, command, follow, makeClusters } from '../support/cluster.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { eventually, startService } from './service.ts'

/** Buyers at a time, and purchases before and after the base backup: more with DRILL_BUYERS. */
const WIDTH = 3
const BUYERS = Number(process.env['DRILL_BUYERS'] ?? 6)
/** How much lies in the database beside what they buy: years of a shop with DRILL_MEGABYTES. */
const MEGABYTES = Number(process.env['DRILL_MEGABYTES'] ?? 0)
/** A gigabyte is filled, copied and restored twice in minutes. */
const PATIENCE = 60_000 + MEGABYTES * 300

const clusters = makeClusters()
const backups = clusters.path('backups')
let cluster: Cluster
let funnel: Funnel
beforeAll(async () => {
  cluster = await clusters.start({ migrated: true })
  // a kilobyte a row, which compresses about as well as what a shop keeps
  await cluster.query(`create table years as select n, (select string_agg(md5((n * 32 + part)::text), '')
    from generate_series(1, 32) part) as kept from generate_series(1, ${MEGABYTES * 1_000}) n`)
  // a commit that waits longer than its statement may is answered although this disk alone has it
  const patient = new URL(cluster.url)
  patient.searchParams.set('statement_timeout', '0')
  funnel = await startFunnel({ databaseUrl: patient.href })
}, PATIENCE)
afterAll(async () => {
  await funnel.stop()
  await clusters.end()
})

/** Payments of which the service said so while its database was there: later, their events settle them. */
const acknowledged = new Set<string>()
let stopped = false

/** Visits, pays, takes an add-on, as fast as answers come, until the shop is lost. */
async function keepBuying(): Promise<void> {
  for (const products = ['trial_1', 'trial_5', 'monthly'] as const; !stopped;) {
    try {
      const buyer = await funnel.buyer()
      const product = products[acknowledged.size % products.length]
      const paid = await buyer.pay(product)
      if (!stopped) acknowledged.add(paid)
      const guide = await buyer.browser.post(buyer.path('/upsells'), orderOf('guide_devices', {}))
      if (!stopped && guide.status === 200) acknowledged.add(guide.body.paymentIntentId)
    } catch (error) {
      if (!stopped) throw error
    }
  }
}

async function paid(count: number): Promise<void> {
  await eventually(
    () => Promise.resolve(acknowledged.size),
    (size) => size >= count,
  )
}

interface Charge {
  payment_intent: string
  status: string
  amount: number
  amount_refunded: number
}
const charges = async (): Promise<Charge[]> =>
  (await funnel.control('GET', 'objects?kind=charge&limit=100000')).data.filter(
    ({ status }: Charge) => status === 'succeeded',
  )
/** The visits of the subscriptions that will charge again; an order that was cut off leaves one that nobody paid. */
const renewing = async (): Promise<string[]> =>
  (await funnel.control('GET', 'objects?kind=subscription&limit=100000')).data
    .filter(({ status }: { status: string }) => status === 'active' || status === 'trialing')
    .map(({ metadata }: { metadata: { session_id: string } }) => metadata.session_id)
const recorded = (db: Database) =>
  db
    .selectFrom('payments')
    .select(['payment_intent_id', 'session_id', 'purpose', 'amount_cents', 'refunded_cents', 'is_duplicate'])
    .where('settled_at', 'is not', null)
    .execute()

/** Starts the service on a restored database; says what was missing at first, once nothing is. */
async function reconcile(url: string): Promise<{ missing: string[]; seconds: number }> {
  const began = Date.now()
  const restored = await startService({ databaseUrl: url, env: { STRIPE_API_BASE: funnel.stripeUrl } })
  const { db } = restored.service
  try {
    const all = await charges()
    const first = new Set((await recorded(db)).map(({ payment_intent_id }) => payment_intent_id))
    restored.service.startWorkers()
    const books = await eventually(
      () => recorded(db),
      (found) => all.every((charge) => found.some((one) => one.payment_intent_id === charge.payment_intent)),
    )
    const seconds = (Date.now() - began) / 1000
    // every charge once, for what it was, and nothing went back or was charged again
    expect(books.map((one) => [one.payment_intent_id, one.amount_cents, one.refunded_cents]).sort()).toEqual(
      all.map((one) => [one.payment_intent, one.amount, one.amount_refunded]).sort(),
    )
    expect(books.filter(({ is_duplicate, refunded_cents }) => is_duplicate || refunded_cents > 0)).toEqual([])
    expect(new Set(books.map(({ session_id, purpose }) => `${session_id} ${purpose}`)).size).toBe(books.length)
    // every visit that paid has one first payment, and one subscription
    const visits = new Set(books.map(({ session_id }) => session_id)).size
    expect(books.filter(({ purpose }) => purpose === 'first')).toHaveLength(visits)
    await eventually(
      () => db.selectFrom('subscriptions').select(['stripe_subscription_id', 'status']).execute(),
      (all) => all.filter(({ status }) => status === 'active' || status === 'trialing').length === visits,
      // a job that died with the old server's service is another's a minute later
      180_000,
    )
    expect(await funnel.totals()).toMatchObject({ charges_succeeded: all.length, refunded: 0 })
    const sessions = await renewing()
    expect([sessions.length, new Set(sessions).size]).toEqual([visits, visits])
    return { missing: all.map((one) => one.payment_intent).filter((id) => !first.has(id)), seconds }
  } finally {
    await restored.stop()
  }
}

/** From the folder of backups to a database that may be written to. */
async function restore(
  from: string,
  name: string,
): Promise<{ restored: Cluster; until: Date | null; seconds: number }> {
  const began = Date.now()
  const place = clusters.path(name)
  expect(await command('restore', cluster.url, from, '--to', place)).toMatchObject({ code: 0 })
  const server = await recover({ dataDir: place, password: 'of-a-test' })
  const restored = await clusters.adopt(server)
  expect(await command('restore', restored.url, from, '--finish')).toMatchObject({ code: 0 })
  return { restored, until: server.until, seconds: (Date.now() - began) / 1000 }
}

test(
  'P-10 P-14 D-11 the disk is lost while buyers buy: with the log or without, no charge stays unknown',
  async () => {
    const buyers = Array.from({ length: WIDTH }, keepBuying)
    await paid(BUYERS)
    const following = follow(cluster.url, backups)
    await eventually(
      () => Promise.resolve(following.said()),
      (said) => said.includes('as its server read it'),
      PATIENCE,
    )
    // from now on a commit waits for the copy of the log
    await cluster.query(`alter system set synchronous_standby_names = 'eye_funnel_wal'`)
    await cluster.query('select pg_reload_conf()')
    // the checkpointer tells the others, and reads the setting before its next checkpoint
    await cluster.query('checkpoint')
    await paid(acknowledged.size + BUYERS)
    stopped = true
    const lostAt = Date.now()
    await cluster.destroy()
    await Promise.all(buyers)
    await following.stop()
    await funnel.service.stop()
    const log = clusters.path('without-log')
    cpSync(backups, log, { recursive: true })
    rmSync(join(log, 'wal'), { recursive: true })

    const whole = await restore(backups, 'with')
    const kept = new Set(
      (await whole.restored.query<{ id: string }>('select payment_intent_id as id from payments')).map(({ id }) => id),
    )
    expect([...acknowledged].filter((id) => !kept.has(id))).toEqual([])
    const withLog = await reconcile(whole.restored.url)
    const without = await restore(log, 'without')
    const withoutLog = await reconcile(without.restored.url)
    expect(withoutLog.missing.length).toBeGreaterThanOrEqual(BUYERS)
    const rpo = (until: Date | null) => `${((lostAt - (until?.getTime() ?? 0)) / 1000).toFixed(1)} s`
    console.info(
      `drill: ${MEGABYTES} MB and ${(await charges()).length} charges; with the log RPO ${rpo(whole.until)}, ` +
        `${withLog.missing.length} missing, RTO ${whole.seconds.toFixed(1)} s, ` +
        `books whole after ${withLog.seconds.toFixed(1)} s more; without it ` +
        `${withoutLog.missing.length} missing, RTO ${without.seconds.toFixed(1)} s, ` +
        `whole after ${withoutLog.seconds.toFixed(1)} s more`,
    )
  },
  600_000 + PATIENCE,
)
