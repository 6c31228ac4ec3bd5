/** The service behind a real PgBouncer in transaction mode, and each way of setting the two addresses wrongly. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../db/connect.ts'
import { examine } from '../../payments-service/doctor/checks.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { orderOf } from '../support/order.ts'
import { findPgBouncer, type Pooler, startPooler, throughPort } from '../support/pooler.ts'
import { adminUrl } from '../support/postgres.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { environment, eventually } from './service.ts'

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

describe.skipIf(!findPgBouncer())('behind a pooler', () => {
  let database: TestDatabase
  let strict: Pooler
  /** Drops settings that come with a connection, and says nothing. */
  let silent: Pooler
  let funnel: Funnel
  beforeAll(async () => {
    database = await createTestDatabase()
    const ignored = 'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout'
    // fewer connections than the service has: a request that waits gets one that another has left
    strict = await startPooler(adminUrl(), { size: 4 })
    silent = await startPooler(adminUrl(), { settings: [ignored] })
    funnel = await startFunnel({
      databaseUrl: throughPort(database.url, strict.port),
      env: { DATABASE_URL_DIRECT: database.url },
    })
  })
  afterAll(async () => {
    await funnel.stop()
    await strict.stop()
    await silent.stop()
    await database.drop()
  })

  test('D-11 P-04 sixteen buyers at once share four connections: all pay, are opened and charged once', async () => {
    const codes: number[] = []
    // four times the connections, and few enough that a slow machine keeps a request's 30 s
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        const buyer = await funnel.buyer()
        await buyer.pay()
        const answers = await buyer.browser.post(buyer.path('/answers'), {
          answers: [{ questionId: 'eyeColor', answer: 'blue', answeredAt: new Date().toISOString() }],
        })
        const guide = await buyer.browser.post(buyer.path('/upsells'), orderOf('guide_devices', {}))
        codes.push(answers.status, guide.status)
      }),
    )
    expect(codes).toEqual(codes.map(() => 200))
    expect(codes).toHaveLength(32)
    const paid = await eventually(
      () => database.db.selectFrom('payments').select('id').where('settled_at', 'is not', null).execute(),
      (rows) => rows.length >= 32,
    )
    expect(paid).toHaveLength(32)
    expect((await funnel.totals()).charges_succeeded).toBe(32)
    // an order, its settling and an add-on each, by network and by caller: counters that failed would count in memory
    const { rows: counted } = await sql<{ points: number }>`
      select sum(points)::int as points from rate_limits where key like 'payment:%'`.execute(database.db)
    expect(counted).toEqual([{ points: 96 }])
    const { rows } = await sql<{ busy: number }>`
      select count(*)::int as busy from pg_stat_activity where datname = current_database()
        and application_name like 'payments-service%'`.execute(database.db)
    expect(rows[0]?.busy).toBeLessThanOrEqual(4)
  })

  test('D-11 a transaction has its time limits through it, and leaves none to whoever comes next', async () => {
    // long enough for a statement to follow another on a slow machine
    const pooled = { pooled: true, max: 1, limits: { statement: 2_000, idleInTransaction: 3_000 } }
    const { db, close } = connect(throughPort(database.url, strict.port), pooled)
    const ofNow = sql<{ statement_timeout: string }>`show statement_timeout`
    await expect(db.transaction().execute((tx) => sql`select pg_sleep(60)`.execute(tx))).rejects.toMatchObject({
      code: '57014',
    })
    for (const isolation of ['serializable', 'read committed'] as const) {
      const work = db
        .transaction()
        .setIsolationLevel(isolation)
        .setAccessMode('read only')
        .execute(async (tx) => {
          const { rows } = await sql<{ way: string }>`
            select current_setting('transaction_isolation') || ' ' || current_setting('transaction_read_only') || ' ' ||
              current_setting('statement_timeout') as way`.execute(tx)
          expect(rows).toEqual([{ way: `${isolation} on 2s` }])
          await new Promise((resume) => setTimeout(resume, 5_000))
          await sql`select 1`.execute(tx)
        })
      await expect(work).rejects.toThrow()
    }
    expect((await ofNow.execute(db)).rows).toEqual([{ statement_timeout: '0' }])
    await close()
  })

  const service = async (change: Record<string, string>): Promise<string> => {
    const env = environment({ ...change, STRIPE_API_BASE: funnel.stripeUrl, LOG_LEVEL: 'info' })
    const child = spawn(process.execPath, [file('payments-service/main.ts')], {
      env: { PATH: process.env['PATH'], ...env } as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (said += part.toString()))
    const gone = once(child, 'exit')
    await eventually(
      () => Promise.resolve(said),
      (text) => child.exitCode !== null || text.includes('"listening"'),
    )
    child.kill('SIGTERM')
    const [code] = (await gone) as [number | null]
    return `${code} ${said}`
  }
  test.each([
    ['refuses our settings', () => strict.port],
    ['drops our settings', () => silent.port],
  ])('D-11 a pooler that %s: the service and migrations ask for the direct address', async (_what, port) => {
    const through = throughPort(database.url, port())
    expect(await service({ DATABASE_URL: through })).toMatch(/^1 .*set DATABASE_URL_DIRECT/s)
    const migrate = (env: NodeJS.ProcessEnv) => promisify(execFile)(process.execPath, [file('db/migrate.ts')], { env })
    const words = expect.stringContaining('set DATABASE_URL_DIRECT') as string
    await expect(migrate({ DATABASE_URL: through })).rejects.toMatchObject({ code: 1, stderr: words })
    const both = { DATABASE_URL: through, DATABASE_URL_DIRECT: database.url }
    expect((await migrate(both)).stdout).toContain('up to date')
    expect(await service(both)).toMatch(/^0 .*"listening"/s)
  })

  test('D-11 the doctor says what is in between, and where the addresses do not belong together', async () => {
    const other = await createTestDatabase()
    const said = async (databaseUrl: string, databaseUrlDirect: string | null) => {
      const { deps } = funnel.service
      const found = await examine({ ...deps, config: { ...deps.config, databaseUrl, databaseUrlDirect } })
      return found.filter(({ about }) => about === 'database').map(({ level, text }) => `${level} ${text}`)
    }
    const through = throughPort(database.url, strict.port)
    expect(await said(through, database.url)).toEqual([
      expect.stringMatching(/^warn a statement outside of a transaction has no time limit .* alter role current_user/),
      'ok a pooler is in between; DATABASE_URL_DIRECT leads past it',
      expect.stringMatching(/^ok PostgreSQL 1[78]$/),
    ])
    expect(await said(through, null)).toContainEqual(expect.stringMatching(/^fail A pooler stands between us/))
    expect(await said(through, through)).toContainEqual(
      expect.stringMatching(/^fail DATABASE_URL_DIRECT leads through/),
    )
    expect(await said(through, other.url)).toContainEqual(expect.stringMatching(/^fail .* are two databases/))
    expect(await said(database.url, database.url)).toContainEqual(expect.stringMatching(/^ok no pooler is in between/))
    await other.drop()
  })
})
