/** The server drops log that the backup has not received (`max_slot_wal_keep_size`), or has lost the backup's slot. */
import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basesIn } from '../../db/backup/folder.ts'
import { recover } from '../../db/backup/recover.ts'
import { connect } from '../../db/connect.ts'
import { backups } from '../../payments-service/doctor/backups.ts'
import { type Cluster, command, follow, makeClusters } from '../support/cluster.ts'
import { eventually } from './service.ts'

const clusters = makeClusters()
const others = makeClusters()
let cluster: Cluster
let other: Cluster
beforeAll(async () => {
  other = await others.start()
  cluster = await clusters.start({ migrated: true })
  await cluster.query('create table written (n int primary key)')
})
afterAll(() => Promise.all([clusters.end(), others.end()]))

type Following = ReturnType<typeof follow>
const says = (following: Following, text: string) =>
  eventually(
    () => Promise.resolve(following.said()),
    (said) => said.includes(text),
  )
/** More than the server keeps for those who have not received it. */
async function writeOn(): Promise<void> {
  await cluster.query("alter system set max_slot_wal_keep_size = '16MB'")
  await cluster.query('select pg_reload_conf()')
  for (let n = 0; n < 4; n++) {
    await cluster.query('create table if not exists spent (n int)')
    await cluster.query('insert into spent select generate_series(1, 100)')
    await cluster.query('select pg_switch_wal()')
  }
  await cluster.query('checkpoint')
}
const slot = async () =>
  (
    await cluster.query<{ wal_status: string }>(
      "select wal_status from pg_replication_slots where slot_name = 'eye_funnel_wal'",
    )
  )[0]?.wal_status

test.each([
  ['dropped the log that had not been received', 1, async () => expect(await slot()).toBe('lost')],
  [
    'lost the slot, and the log with it',
    2,
    async () => {
      await cluster.query("select pg_drop_replication_slot('eye_funnel_wal')")
      expect(await slot()).toBeUndefined()
    },
  ],
])('D-11 where the server has %s, the backup begins anew and is whole', async (_what, n, lose) => {
  const folder = clusters.path(`backups-${n}`)
  const first = follow(cluster.url, folder)
  await says(first, 'as its server read it')
  await cluster.query(`insert into written values (${n * 10})`)
  await first.stop()
  await writeOn()
  await lose()

  const { db, close } = connect(cluster.url, { max: 1 })
  const config = { backupsByHost: false, embedded: false }
  const doctor = async () => (await backups({ db, config } as Parameters<typeof backups>[0])).map(({ text }) => text)
  if (n === 1) expect(await doctor()).toContainEqual(expect.stringMatching(/^the server has dropped log .*--follow/))
  // a server that keeps next to nothing drops what a base backup holds, too
  await cluster.query('alter system reset max_slot_wal_keep_size')
  await cluster.query('select pg_reload_conf()')
  const second = follow(cluster.url, folder)
  await says(second, 'is missing: a new base backup')
  await eventually(
    () => Promise.resolve(basesIn(folder).length),
    (count) => count === 2,
  )
  await cluster.query(`insert into written values (${n * 10 + 1})`)
  await caughtUp(cluster)
  expect((await doctor()).filter((text) => /log/.test(text))).toEqual([])
  await close()
  await second.stop()

  const place = clusters.path(`restored-${n}`)
  const restored = await command('restore', cluster.url, folder, '--to', place)
  expect(restored).toMatchObject({ code: 0 })
  expect(restored.text).not.toContain('WARN')
  const server = await clusters.adopt(await recover({ dataDir: place, password: 'of-a-test' }))
  expect(await server.query('select n from written where n >= ' + n * 10)).toEqual([{ n: n * 10 }, { n: n * 10 + 1 }])
})

/** Waits until the copy of the log holds all that is written now. */
const caughtUp = (of: Cluster) =>
  eventually(
    () =>
      of.query<{ there: boolean }>(`select restart_lsn >= pg_current_wal_lsn() as there
        from pg_replication_slots where slot_name = 'eye_funnel_wal'`),
    ([row]) => row?.there === true,
  )
async function restored(folder: string, name: string, until: string): Promise<Cluster> {
  const place = clusters.path(name)
  const made = await command('restore', cluster.url, folder, '--until', until, '--to', place)
  expect(made).toMatchObject({ code: 0 })
  const server = await clusters.adopt(await recover({ dataDir: place, password: 'of-a-test' }))
  expect(await command('restore', server.url, folder, '--finish')).toMatchObject({ code: 0 })
  return server
}
/** A folder of backups, and a moment of its log after which more was written. */
async function followed(name: string, n: number): Promise<{ folder: string; until: string }> {
  const folder = clusters.path(name)
  const following = follow(cluster.url, folder)
  await says(following, 'as its server read it')
  const [{ now }] = (await cluster.query('select clock_timestamp() as now')) as [{ now: Date }]
  await cluster.query(`insert into written values (${n})`)
  await caughtUp(cluster)
  await following.stop()
  return { folder, until: new Date(now.getTime() + 1).toISOString() }
}

test('D-11 a file of the log that was not received to its end is a hole where the slot was lost', async () => {
  const { folder } = await followed('half-a-file', 820)
  await cluster.query("select pg_drop_replication_slot('eye_funnel_wal')")
  await cluster.query('insert into written values (821)')
  await cluster.query('select pg_switch_wal()')
  await cluster.query('checkpoint')
  const second = follow(cluster.url, folder)
  await says(second, 'is missing: a new base backup')
  await says(second, 'as its server read it')
  await second.stop()
})

test('D-11 after a second restore the copies of the first one are put aside, and the backup is whole', async () => {
  const { folder, until } = await followed('restored-twice', 800)
  const base = (count: number) =>
    eventually(
      () => Promise.resolve(basesIn(folder).length),
      (found) => found === count,
    )
  const one = await restored(folder, 'restored-once', until)
  const first = follow(one.url, folder)
  await base(2)
  for (let n = 0; n < 3; n++) await one.query(`insert into written values (${900 + n}); select pg_switch_wal()`)
  await caughtUp(one)
  await first.stop()
  const two = await restored(folder, 'restored-again', until)
  const second = follow(two.url, folder)
  await says(second, 'as its server read it')
  expect(second.said()).toContain('another history of this timeline')
  expect(basesIn(folder)).toHaveLength(2)
  await second.stop()
  const [aside = ''] = readdirSync(folder).filter((name) => name.startsWith('aside-'))
  expect(basesIn(join(folder, aside))).toHaveLength(1)
  expect(await command('restore', two.url, folder, '--to', clusters.path('whole'))).toMatchObject({ code: 0 })
  // with the list of whoever was erased until now, these can be restored too
  copyFileSync(join(folder, 'erased.jsonl'), join(folder, aside, 'erased.jsonl'))
  const other = await command('restore', two.url, join(folder, aside), '--to', clusters.path('aside'))
  expect(other).toMatchObject({ code: 0 })
})

test('D-11 a second restore whose server has passed the log of the first one is not mixed with it', async () => {
  const { folder, until } = await followed('passed', 810)
  const one = await restored(folder, 'passed-once', until)
  const first = follow(one.url, folder)
  await says(first, 'as its server read it')
  await one.query('insert into written values (910)')
  await caughtUp(one)
  await first.stop()
  const two = await restored(folder, 'passed-again', until)
  for (let n = 0; n < 3; n++) await two.query(`insert into written values (${920 + n}); select pg_switch_wal()`)
  const second = follow(two.url, folder)
  await says(second, 'another history of this timeline')
  await says(second, 'as its server read it')
  await two.query('insert into written values (930)')
  await caughtUp(two)
  await second.stop()
  const [aside = ''] = readdirSync(folder).filter((name) => name.startsWith('aside-'))
  copyFileSync(join(folder, 'erased.jsonl'), join(folder, aside, 'erased.jsonl'))
  for (const [from, held] of [
    [folder, [920, 921, 922, 930]],
    [join(folder, aside), [910]],
  ] as const) {
    const place = clusters.path(`passed-${held[0]}`)
    expect(await command('restore', two.url, from, '--to', place)).toMatchObject({ code: 0 })
    const server = await clusters.adopt(await recover({ dataDir: place, password: 'of-a-test' }))
    expect((await server.query('select n from written where n > 900 order by n')).map(({ n }) => n)).toEqual(held)
  }
})

test('D-11 where another server is named, the folder of backups and that server stay as they are', async () => {
  const folder = clusters.path('of-one-server')
  const own = follow(cluster.url, folder)
  await says(own, 'as its server read it')
  await own.stop()
  const held = () => readdirSync(folder, { recursive: true }).sort()
  const before = held()
  // younger: its log ends before what was received
  const mistaken = follow(other.url, folder)
  await says(mistaken, 'the backups of another server')
  await mistaken.stop()
  expect(mistaken.said()).toMatch(/^\S+ {2}the log is not received: .* another server: choose another folder$/m)
  expect(held()).toEqual(before)
  expect(await other.query('select slot_name from pg_replication_slots')).toEqual([])
  const based = await command('backup', other.url, folder, '--keep', '1')
  expect(based).toEqual({ code: 1, text: expect.stringContaining('another server: choose another folder') })
  expect(held()).toEqual(before)
})

test('D-11 a folder that holds only a base backup takes none of another server either, nor its log', async () => {
  const folder = clusters.path('base-alone')
  expect(await command('backup', cluster.url, folder)).toMatchObject({ code: 0 })
  const held = () => readdirSync(folder, { recursive: true }).sort()
  const before = held()
  expect(await command('backup', other.url, folder, '--keep', '1')).toEqual({
    code: 1,
    text: expect.stringContaining('of another server: choose another folder'),
  })
  const mistaken = follow(other.url, folder)
  await says(mistaken, 'of another server: choose another folder')
  await mistaken.stop()
  expect(held()).toEqual(before)
  expect(await other.query('select slot_name from pg_replication_slots')).toEqual([])
})
