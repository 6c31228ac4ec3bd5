/** `npm run backup` and `npm run restore` on a real server: what they write, what they refuse, what comes back. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeBase } from '../../db/backup/base.ts'
import { readErased } from '../../db/backup/erased-list.ts'
import { basesIn } from '../../db/backup/folder.ts'
import { readBase } from '../../db/backup/manifest.ts'
import { recover } from '../../db/backup/recover.ts'
import { prepare } from '../../db/backup/restore.ts'
import { type Cluster, command, follow, makeClusters } from '../support/cluster.ts'
import { eventually } from './service.ts'

const clusters = makeClusters()
let cluster: Cluster
beforeAll(async () => {
  cluster = await clusters.start({ migrated: true })
  await cluster.query('create table written (n int primary key, at timestamptz not null default clock_timestamp())')
})
afterAll(() => clusters.end())

const write = (...all: number[]) =>
  cluster.query(`insert into written (n) values ${all.map((n) => `(${n})`).join()} returning at`)
const numbers = async (of: Cluster) =>
  (await of.query<{ n: number }>('select n from written order by n')).map(({ n }) => n)
/** What a restored folder holds. */
const started = async (dataDir: string) => clusters.adopt(await recover({ dataDir, password: 'of-a-test' }))
const received = (following: ReturnType<typeof follow>) =>
  eventually(
    () => Promise.resolve(following.said()),
    (said) => said.includes('as its server read it'),
  )
/** Waits until the copy of the log holds all that is written now. */
async function caughtUp(): Promise<void> {
  await eventually(
    () =>
      cluster.query<{ there: boolean }>(`select restart_lsn >= pg_current_wal_lsn() as there
        from pg_replication_slots where slot_name = 'eye_funnel_wal'`),
    ([row]) => row?.there === true,
  )
}

test('D-11 a backup is compared with its server’s manifest: damage of one byte, or a lost file, is named', async () => {
  const folder = clusters.path('checked')
  expect(await command('backup', cluster.url, folder)).toMatchObject({ code: 0 })
  const [base = ''] = basesIn(folder)
  const { files } = await readBase(base)
  expect(files).toBeGreaterThan(1_000)
  expect(await cluster.query('select timeline from backups')).toEqual([{ timeline: 1 }])

  const tar = join(base, 'base.tar.gz')
  const whole = gunzipSync(readFileSync(tar))
  const at = whole.indexOf('PG_VERSION')
  const damaged = Buffer.from(whole)
  damaged[at + 512] = (damaged[at + 512] ?? 0) ^ 1
  writeFileSync(tar, gzipSync(damaged, { level: 1 }))
  await expect(readBase(base)).rejects.toThrow('PG_VERSION has another checksum')
  expect(await command('restore', cluster.url, folder, '--to', clusters.path('never'))).toEqual({
    code: 1,
    text: expect.stringContaining('is damaged: '),
  })
  expect(readdirSync(clusters.folder).filter((name) => name.startsWith('never'))).toEqual([])
  writeFileSync(tar, gzipSync(whole.subarray(0, whole.length / 2), { level: 1 }))
  await expect(readBase(base)).rejects.toThrow(/ends in the middle|is missing/)

  const manifest = join(base, 'backup_manifest')
  const text = readFileSync(manifest, 'utf8')
  writeFileSync(manifest, text.replace('PG_VERSION', 'PG_VERSIOM'))
  await expect(readBase(base)).rejects.toThrow('backup_manifest is not whole')
})

test('D-11 two backups that begin in the same second are both whole, each in a folder of its own', async () => {
  const folder = clusters.path('together')
  const taken = await Promise.all([takeBase(cluster.url, folder), takeBase(cluster.url, folder)])
  expect(basesIn(folder).sort()).toEqual(taken.map((one) => one.folder).sort())
  expect(new Set(basesIn(folder)).size).toBe(2)
  for (const base of basesIn(folder)) expect((await readBase(base)).files).toBeGreaterThan(1_000)
  expect(readdirSync(folder).filter((name) => name.startsWith('unfinished-'))).toEqual([])
})

test('D-11 a backup is whole although the server drops its log as fast as it may meanwhile', async () => {
  const folder = clusters.path('hurried')
  let ended = false
  const taking = takeBase(cluster.url, folder).finally(() => (ended = true))
  const hurry = async () => {
    while (!ended) {
      await cluster.query('select pg_logical_emit_message(false, $$hurry$$, $$on$$)')
      await cluster.query('select pg_switch_wal()')
      await cluster.query('checkpoint')
    }
  }
  const [base] = await Promise.all([taking, hurry()])
  expect((await readBase(base.folder)).files).toBeGreaterThan(1_000)
  // what held the log is gone with the backup
  expect(await cluster.query('select slot_name from pg_replication_slots where temporary')).toEqual([])
})

test('D-11 the log of what came after a base backup brings back every commit, and a moment between', async () => {
  const folder = clusters.path('followed')
  await write(1)
  const following = follow(cluster.url, folder)
  await received(following)
  await write(2, 3)
  await write(4)
  const [{ at }] = (await cluster.query('select clock_timestamp() as at')) as [{ at: Date }]
  // the server breaks off; the receiver waits for it and goes on
  await cluster.query(`select pg_terminate_backend(pid) from pg_stat_replication`).catch(() => undefined)
  await cluster.query('select pg_switch_wal()')
  await write(5)
  await eventually(
    () => Promise.resolve(following.said()),
    (said) => said.split('receiving the log').length > 2,
  )
  await write(6)
  await caughtUp()
  expect(await following.stop()).toBe(0)
  expect(basesIn(folder)).toHaveLength(1)

  const all = clusters.path('all')
  expect(await command('restore', cluster.url, folder, '--to', all)).toMatchObject({ code: 0 })
  const restored = await started(all)
  expect(await numbers(restored)).toEqual([1, 2, 3, 4, 5, 6])
  // nobody writes before it is finished
  await expect(restored.query('insert into written values (0)')).rejects.toThrow('read-only')
  expect(await command('restore', restored.url, folder, '--finish')).toMatchObject({ code: 0 })
  await restored.query('insert into written values (7)')

  const until = new Date(at.getTime() + 1).toISOString()
  const half = clusters.path('half')
  expect(await command('restore', cluster.url, folder, '--until', until, '--to', half)).toMatchObject({ code: 0 })
  expect(await numbers(await started(half))).toEqual([1, 2, 3, 4])
  const early = await command('restore', cluster.url, folder, '--until', '2020-01-01', '--to', clusters.path('early'))
  expect(early).toEqual({ code: 1, text: expect.stringContaining('holds no base backup of before 2020') })
})

test('D-11 what a restore adds belongs to the role of the other tables, not to whoever finishes it', async () => {
  const folder = clusters.path('of-a-role')
  expect(await command('backup', cluster.url, folder)).toMatchObject({ code: 0 })
  await cluster.query('create role "a shop" login')
  await cluster.query('create database elsewhere owner "a shop"')
  const elsewhere = new URL(cluster.url)
  elsewhere.pathname = '/elsewhere'
  const ask = async (text: string) => {
    const client = new pg.Client({ connectionString: elsewhere.href })
    await client.connect()
    return (await client.query(text).finally(() => client.end())).rows
  }
  // as it was before all migrations of this release
  const columns = 'name varchar(255) primary key, timestamp varchar(255) not null'
  await ask(`create table kysely_migration (${columns}); alter table kysely_migration owner to "a shop"`)
  expect(await command('restore', elsewhere.href, folder, '--finish')).toMatchObject({ code: 0 })
  const tables = "from pg_tables where schemaname = 'public'"
  expect(await ask(`select distinct tableowner ${tables}`)).toEqual([{ tableowner: 'a shop' }])
  expect(Number((await ask(`select count(*) as n ${tables}`))[0].n)).toBeGreaterThan(50)
})

test('D-11 nothing that is there is overwritten, and a log with a hole is said to have one', async () => {
  const folder = clusters.path('followed')
  const running = await command('restore', cluster.url, folder, '--to', cluster.folder)
  expect(running).toEqual({ code: 1, text: expect.stringContaining('is not empty. Stop the server that uses it') })
  expect((await numbers(cluster)).length).toBeGreaterThan(5)

  const wal = join(folder, 'wal')
  const [, , ...later] = readdirSync(wal).filter((name) => name !== 'system')
  expect(later.length).toBeGreaterThan(0)
  const base = basesIn(folder)[0] ?? ''
  const { gap: none } = await prepare(folder, clusters.path('no-hole'))
  expect(none).toBeUndefined()
  // the second file that the backup needs
  const { segments } = await prepare(folder, clusters.path('counted'))
  expect(segments).toBeGreaterThan(1)
  const needed = readdirSync(wal)
    .filter((name) => name !== 'system')
    .slice(-segments)
  renameSync(join(wal, needed[0] ?? ''), clusters.path('aside'))
  const holed = await command('restore', cluster.url, folder, '--to', clusters.path('holed'))
  expect(holed.text).toContain(`WARN  the log from ${needed[0]?.replace('.partial', '')} on is missing`)
  renameSync(clusters.path('aside'), join(wal, needed[0] ?? ''))

  // the log of another server has files of the same names
  writeFileSync(join(wal, 'system'), '1')
  await expect(prepare(folder, clusters.path('mixed'))).rejects.toThrow(`holds the log of another server than ${base}`)
  rmSync(folder, { recursive: true })
})

test('D-11 older backups, and the log that only they need, go with --keep', async () => {
  const folder = clusters.path('kept')
  const following = follow(cluster.url, folder)
  await received(following)
  await cluster.query('select pg_switch_wal()')
  await write(101)
  await caughtUp()
  await following.stop()
  const before = readdirSync(join(folder, 'wal')).length
  // left by a machine that died meanwhile
  mkdirSync(join(folder, 'unfinished-base-20200101T000000Z'))
  await cluster.query('select pg_switch_wal()')
  const { code, text } = await command('backup', cluster.url, folder, '--keep', '1')
  expect([code, text]).toEqual([0, expect.stringContaining('deleted')])
  expect(readdirSync(folder).filter((name) => name.includes('base-'))).toHaveLength(1)
  expect(readdirSync(join(folder, 'wal')).length).toBeLessThan(before)
})

test('D-11 a role that may not replicate is told what it needs, and where the backup comes from instead', async () => {
  await cluster.query(`create role shop login password 'of-a-test'`)
  const address = new URL(cluster.url)
  address.username = 'shop'
  const { code, text } = await command('backup', address.href, clusters.path('refused'))
  expect([code, text]).toEqual([1, expect.stringContaining('needs REPLICATION')])
  expect(text).toContain('point-in-time recovery')
  expect(basesIn(clusters.path('refused'))).toEqual([])
})

test('D-11 D-12 where the base backup fails log and erasures are taken all the same, and it says so', async () => {
  const folder = clusters.path('tried-again')
  await cluster.query('alter table backups rename to backups_away')
  const following = follow(cluster.url, folder)
  try {
    await eventually(
      () => Promise.resolve(following.said()),
      (said) => said.includes('"backups" does not exist'),
    )
    await cluster.query('alter table backups_away rename to backups')
    // the clock of the server was ahead, and is set right
    for (const [visit, ahead] of [
      ['0198c0de-0000-7000-8000-000000000001', '2 hours'],
      ['0198c0de-0000-7000-8000-000000000002', '0'],
    ]) {
      await cluster.query(`insert into sessions (id) values ('${visit}')`)
      await cluster.query(
        `insert into erasures (session_id, erased_at) values ('${visit}', now() + interval '${ahead}')`,
      )
      await eventually(
        () => readErased(folder),
        (list) => list.some((one) => one.visit === visit),
      )
    }
    // what cannot be noted is said, and the list is never taken for whole
    appendFileSync(join(folder, 'erased.jsonl'), '\nnonsense\n\n')
    await eventually(
      () => Promise.resolve(following.said()),
      (said) => said.includes('cannot be read'),
    )
    expect(following.said()).not.toContain('is not received')
  } finally {
    await following.stop()
  }
})

test('D-11 D-12 a restore to within a base backup takes an older one; no list of erasures, no opening', async () => {
  const folder = clusters.path('moments')
  expect(await command('backup', cluster.url, folder)).toMatchObject({ code: 0 })
  const [last] = await cluster.query<{ began: Date }>('select max(started_at) as began from backups')
  const within = new Date((last?.began.getTime() ?? 0) + 1)
  await expect(prepare(folder, clusters.path('within'), within)).rejects.toThrow('holds no base backup of before')

  const place = clusters.path('closed')
  expect(await command('restore', cluster.url, folder, '--to', place)).toMatchObject({ code: 0 })
  const restored = await started(place)
  const mistyped = await command('restore', restored.url, clusters.path('mistyped'), '--finish')
  expect(mistyped).toEqual({ code: 1, text: expect.stringContaining('erased.jsonl') })
  await expect(restored.query('insert into written values (0)')).rejects.toThrow('read-only')
  expect(await command('restore', restored.url, folder, '--finish')).toMatchObject({ code: 0 })
})

test("D-12 the database of a host, whose role sets nothing, is finished too; a server's settings stay", async () => {
  const folder = clusters.path('of-a-host')
  await cluster.query(`create role host login password 'of-a-test'`)
  await cluster.query('grant all on all tables in schema public to host')
  await cluster.query(`alter system set synchronous_standby_names = ''`)
  const address = new URL(cluster.url)
  address.username = 'host'
  expect(await command('backup', address.href, folder, '--erased')).toMatchObject({ code: 0 })
  expect(await command('restore', address.href, folder, '--finish')).toEqual({
    code: 0,
    text: expect.stringContaining('Erased again: 0'),
  })
  expect(await command('restore', cluster.url, folder, '--finish')).toMatchObject({ code: 0 })
  expect(readFileSync(join(cluster.folder, 'postgresql.auto.conf'), 'utf8')).toContain('synchronous_standby_names')
  await cluster.query('alter system reset synchronous_standby_names')
})
