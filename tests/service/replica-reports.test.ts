/** Operators' reports from a replica: a real standby of the shop's server. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import pg from 'pg'
import { wayToReplica } from '../../payments-service/doctor/way-to-database.ts'
import { type Cluster, makeClusters } from '../support/cluster.ts'
import { bearer, type EditorsLake, startEditorsLake } from './editors.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { signedOperator } from './operators.ts'
import { Browser, eventually } from './service.ts'

const clusters = makeClusters()
let cluster: Cluster
let standby: Awaited<ReturnType<typeof clusters.standby>>
let replica: pg.Client
let funnel: Funnel
let operator: Browser
let lake: EditorsLake
beforeAll(async () => {
  cluster = await clusters.start({ migrated: true })
  standby = await clusters.standby(cluster)
  const url = new URL('/funnel', standby.url).href
  replica = new pg.Client({ connectionString: url })
  await replica.connect()
  lake = await startEditorsLake()
  const env = { ...lake.env, DATABASE_URL_READ: url }
  funnel = await startFunnel({ databaseUrl: cluster.url, background: false, env })
  operator = (await signedOperator({ ...funnel, db: funnel.service.db })).browser
})
afterAll(async () => {
  await funnel.stop()
  await replica.end().catch(() => undefined)
  await clusters.end()
  await lake.close()
})

/** Whether the replica is asked for more than how far it is while `look` looks. */
async function asksReplica<T>(look: () => Promise<T>): Promise<{ seen: T; asked: boolean }> {
  const { rows: before } = await replica.query<{ at: Date }>('select clock_timestamp() as at')
  const seen = await look()
  const { rowCount } = await replica.query(
    `select from pg_stat_activity where application_name = 'payments-service reports'
      and query not like '%pg_is_in_recovery%' and query_start > $1`,
    [before[0]?.at],
  )
  return { seen, asked: (rowCount ?? 0) > 0 }
}

/** What the report says of visits, and whether the replica was asked for it. */
async function report(): Promise<{ visits: string | undefined; asked: boolean }> {
  const { seen: csv, asked } = await asksReplica(
    async () => (await operator.get('/operator/funnel.csv')).body as string,
  )
  const visits = csv.split('\r\n').flatMap((line) => (line.includes(',visit,') ? [Number(line.split(',')[5])] : []))
  return { visits: String(visits.reduce((sum, one) => sum + one, 0)), asked }
}

/** A replica on a busy machine may be behind for a while. */
const fromReplica = async () => (await eventually(report, ({ asked }) => asked)).visits

test('N-03 a report is read from the replica, and from the primary where the replica is behind or away', async () => {
  await funnel.buyer()
  expect(await fromReplica()).toBe('1')
  for (const path of ['/operator/funnel', '/operator/steps']) expect((await operator.get(path)).status).toBe(200)
  const [editor, token] = [new Browser(funnel.url), await lake.signIn()]
  const numbers = () => editor.get('/api/numbers/steps', bearer(token))
  const { seen } = await eventually(
    () => asksReplica(numbers),
    ({ asked }) => asked,
  )
  expect(seen.status).toBe(200)

  const doctor = async () => (await wayToReplica(funnel.service.deps)).map(({ level, text }) => `${level} ${text}`)
  expect(await doctor()).toEqual(['ok reports are read from a replica'])
  await replica.query('select pg_wal_replay_pause()')
  await funnel.buyer()
  expect(await report()).toEqual({ visits: '2', asked: false })
  await replica.query('select pg_wal_replay_resume()')
  expect(await fromReplica()).toBe('2')

  // one that took over is another shop's from then on
  await standby.promote()
  expect((await report()).asked).toBe(false)
  expect(await doctor()).toEqual([expect.stringMatching(/^warn DATABASE_URL_READ names no replica/)])
  await replica.end()
  await standby.stop()
  expect(await doctor()).toEqual([expect.stringMatching(/^warn DATABASE_URL_READ does not answer/)])
  await funnel.buyer()
  const csv = (await operator.get('/operator/funnel.csv')).body as string
  expect(csv).toMatch(/,visit,[^,]*,3,/)
})
