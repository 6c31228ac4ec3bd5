/** A replication slot that nothing reads: the server keeps its log until its disk is full. */
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../db/connect.ts'
import { holdingNow } from '../../payments-service/alerts/rules.ts'
import { keptLog } from '../../payments-service/doctor/kept-log.ts'
import { createLog } from '../../payments-service/http/logging.ts'
import { createMetrics, type Sample } from '../../payments-service/metrics/metrics.ts'
import { type Cluster, makeClusters } from '../support/cluster.ts'

const clusters = makeClusters()
let cluster: Cluster
beforeAll(async () => {
  cluster = await clusters.start({ migrated: true })
  await cluster.query("select pg_create_physical_replication_slot('standby_1', true)")
  // keeps nothing: nobody has asked for log by it yet
  await cluster.query("select pg_create_physical_replication_slot('unused')")
  await cluster.query('select pg_logical_emit_message(false, $$big$$, repeat($$x$$, 3_000_000))')
})
afterAll(() => clusters.end())

const METRIC = 'funnel_wal_kept_bytes'

/** What metrics and doctor say of the slots to this role; `looks` times. */
async function seenBy(url: string, looks = 1) {
  const { db, close } = connect(url, { max: 1 })
  const lines: string[] = []
  const log = createLog('warn', new Writable({ write: (line, _encoding, done) => done(void lines.push(String(line))) }))
  const metrics = createMetrics({ db, pools: {}, loops: () => ({}), lake: null, log })
  let samples: Sample[] = []
  for (let look = 0; look < looks; look++) samples = await metrics.samples()
  const said = await keptLog({ db })
  const failures = (await metrics.registry.metrics()).split('\n').filter((line) => line.includes(`metric="${METRIC}"`))
  await close()
  const logged = lines.filter((line) => line.includes(METRIC))
  return { slots: samples.filter(({ name }) => name === METRIC), said, failures, logged, unread: metrics.unread() }
}

test('N-03 a slot that nothing reads is measured, and named by the doctor with the command that drops it', async () => {
  const { slots, said } = await seenBy(cluster.url)
  expect(slots).toEqual([{ name: METRIC, labels: { slot: 'standby_1' }, value: expect.any(Number) }])
  expect(slots[0]?.value).toBeGreaterThan(3_000_000)
  expect(said).toEqual([
    {
      level: 'warn',
      text: expect.stringMatching(
        /slot standby_1 since 20\d\d-.* UTC: it keeps \d+ MB .*select pg_drop_replication_slot\('standby_1'\)/,
      ),
    },
  ])
  const [command = ''] = /select pg_drop_replication_slot\('standby_1'\)/.exec(said[0]?.text ?? '') ?? []
  await cluster.query(command)
  expect(await seenBy(cluster.url)).toMatchObject({ slots: [], said: [] })
  await cluster.query("select pg_create_physical_replication_slot('standby_1', true)")
})

test('N-03 each slot that keeps more than 5 GB is an alert of its own', () => {
  const kept = (slot: string, gigabytes: number) => ({
    name: METRIC,
    labels: { slot },
    value: gigabytes * 1024 ** 3,
  })
  const holding = holdingNow([kept('standby_1', 5.1), kept('standby_2', 4.9), kept('eye_funnel_wal', 80)])
  expect([...holding.keys()].sort()).toEqual(['LogKept eye_funnel_wal', 'LogKept standby_1'])
})

test('N-03 a role that may not see slots: no failure, said once in the log, and the doctor goes on', async () => {
  await cluster.query("create role shop login password 'shop'")
  await cluster.query('revoke select on pg_replication_slots from public')
  await cluster.query('grant select on all tables in schema public to shop')
  const url = new URL(cluster.url)
  url.username = 'shop'
  url.password = 'shop'
  const { slots, said, failures, logged, unread } = await seenBy(url.href, 2)
  expect({ slots, failures }).toEqual({ slots: [], failures: [] })
  expect([...unread]).toEqual([METRIC])
  expect(logged).toHaveLength(1)
  expect(said).toEqual([{ level: 'ok', text: expect.stringContaining('may not see replication slots') }])
})
