/** The failover: the primary and its disk are lost while buyers buy, its standby takes over behind the pooler. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../db/connect.ts'
import { orderOf } from '../support/order.ts'
import { type Cluster, makeClusters } from '../support/cluster.ts'
import { findPgBouncer, type Pooler, startPooler, throughPort } from '../support/pooler.ts'
import { STANDBY } from '../support/standby.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { eventually } from './service.ts'

/** Buyers at a time, and purchases before and after: more with FAILOVER_BUYERS. */
const WIDTH = 3
const BUYERS = Number(process.env['FAILOVER_BUYERS'] ?? 6)

describe.skipIf(!findPgBouncer())('a failover', () => {
  const clusters = makeClusters()
  let primary: Cluster
  let standby: Awaited<ReturnType<typeof clusters.standby>>
  let pooler: Pooler
  let funnel: Funnel
  beforeAll(async () => {
    primary = await clusters.start({ migrated: true })
    standby = await clusters.standby(primary)
    // from now on a commit waits until the standby has it
    await primary.query(`alter system set synchronous_standby_names = '${STANDBY}'`)
    await primary.query('select pg_reload_conf()')
    await eventually(
      () => primary.query<{ sync_state: string }>('select sync_state from pg_stat_replication'),
      (rows) => rows.some(({ sync_state }) => sync_state === 'sync'),
    )
    pooler = await startPooler(primary.url, { settings: ['server_login_retry = 1'] })
    funnel = await startFunnel({
      databaseUrl: throughPort(primary.url, pooler.port),
      env: { DATABASE_URL_DIRECT: primary.url },
    })
  })
  afterAll(async () => {
    await funnel.stop()
    await pooler.stop()
    await clusters.end()
  })

  /** Payments of which the service said that they are settled, and when. */
  const acknowledged = new Map<string, number>()
  let lost = false
  let over = false

  /** Visits, pays, takes an add-on; tries again while the database is away, as a page does. */
  async function keepBuying(): Promise<void> {
    for (const products = ['trial_1', 'trial_5', 'monthly'] as const; !over;) {
      try {
        const buyer = await funnel.buyer()
        acknowledged.set(await buyer.pay(products[acknowledged.size % products.length]), Date.now())
        const guide = await buyer.browser.post(buyer.path('/upsells'), orderOf('guide_devices', {}))
        if (guide.status === 200) acknowledged.set(guide.body.paymentIntentId, Date.now())
      } catch (error) {
        if (!lost) throw error
        await new Promise((resume) => setTimeout(resume, 100))
      }
    }
  }
  const paid = (count: number) =>
    eventually(
      () => Promise.resolve(acknowledged.size),
      (size) => size >= count,
    )

  test('D-11 P-10 P-14 the primary is lost under buyers: its standby has every acknowledged payment', async () => {
    const buyers = Array.from({ length: WIDTH }, keepBuying)
    await paid(BUYERS)
    lost = true
    const lostAt = Date.now()
    await primary.destroy()
    const known = [...acknowledged.keys()]
    await standby.promote()
    const promotedAt = Date.now()
    pooler.lead(standby.url)
    const { db, close } = connect(new URL('/funnel', standby.url).href, { max: 3 })
    const recorded = () =>
      db
        .selectFrom('payments')
        .select(['payment_intent_id', 'session_id', 'purpose', 'amount_cents', 'refunded_cents', 'is_duplicate'])
        .where('settled_at', 'is not', null)
        .execute()
    // before anything is caught up with from Stripe: the poll and the webhooks go by what is recorded
    const first = new Set((await recorded()).map(({ payment_intent_id }) => payment_intent_id))
    expect(known.filter((id) => !first.has(id))).toEqual([])

    await paid(acknowledged.size + BUYERS)
    const back = Math.min(...[...acknowledged.values()].filter((at) => at > promotedAt))
    over = true
    await Promise.all(buyers)
    const charges = async () =>
      (await funnel.control('GET', 'objects?kind=charge&limit=100000')).data.filter(
        ({ status }: { status: string }) => status === 'succeeded',
      ) as { payment_intent: string; amount: number; amount_refunded: number }[]
    const all = await charges()
    const books = await eventually(recorded, (found) => found.length >= all.length)
    // every charge once, for what it was, and nothing went back
    expect(books.map((one) => [one.payment_intent_id, one.amount_cents, one.refunded_cents]).sort()).toEqual(
      all.map((one) => [one.payment_intent, one.amount, one.amount_refunded]).sort(),
    )
    expect(books.filter(({ is_duplicate, refunded_cents }) => is_duplicate || refunded_cents > 0)).toEqual([])
    expect(new Set(books.map(({ session_id, purpose }) => `${session_id} ${purpose}`)).size).toBe(books.length)
    await close()
    const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`
    console.info(
      `failover: ${all.length} charges, ${known.length} acknowledged before, 0 lost; promoted after ` +
        `${seconds(lostAt, promotedAt)}, the next payment ${seconds(lostAt, back)} after the loss`,
    )
  })
})
