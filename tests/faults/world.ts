/**
 * The real programs as processes: one PostgreSQL for the run; for each case a database, an embedded Stripe, replicas.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { sql } from 'kysely'
import { connect, type Database } from '../../db/connect.ts'
import { type EmbeddedPostgres, ensureDatabase, startPostgres } from '../../db/embedded.ts'
import { migrate } from '../../db/migrate.ts'
import { readConfig } from '../../payments-service/config.ts'
import { MONEY_KINDS } from '../../payments-service/jobs/kinds.ts'
import { setUpCatalogue } from '../../payments-service/stripe/setup.ts'
import { anyPort } from '../../db/ports.ts'
import { environment } from '../service/service.ts'
import { templateName } from '../support/postgres.ts'
import { killWithChildren } from '../support/started.ts'
import { bundleService } from './bundle.ts'
import { pause } from './random.ts'
import { balancer, postgresWire, type Wire } from './wires.ts'

const sandboxProgram = fileURLToPath(new URL('../../stand-ins/stripe/main.ts', import.meta.url))

export interface Server {
  folder: string
  /** The service as one file. */
  program: string
  /** postgres://… of a database, past the proxy that may cut connections. */
  url(database: string): string
  wirePort: number
  port(): number
  /** kill -9 of the server and all its processes. Resolves when they are gone. */
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * A PostgreSQL that keeps acknowledged commits when it is killed (unlike the throw-away one of the other tests).
 * `durable`: it flushes every commit to disk, as in production; for measurements.
 */
export async function startServer({ durable = false } = {}): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'eye-funnel-tests-'))
  chmodSync(folder, 0o755)
  const password = randomBytes(12).toString('hex')
  // the other tests clean up after runs that were killed
  writeFileSync(join(folder, 'owner.json'), JSON.stringify({ pid: process.pid, password }), { mode: 0o600 })
  const dataDir = join(folder, 'data')
  // room for the connections that killed services leave behind
  const cluster = { dataDir, password, connections: 900 }
  let server: EmbeddedPostgres = await startPostgres(cluster)
  const wire = await postgresWire(
    () => server.port,
    () => false,
  )
  const url = (database: string) => `postgres://postgres:${password}@127.0.0.1:${wire.port}/${database}`
  // a killed server loses nothing it handed to the operating system; a crash of the machine is not tested here
  await admin(url('postgres'), `alter system set fsync = ${durable ? 'on' : 'off'}`)
  await server.stop()
  server = await startPostgres(cluster)
  const { db, close } = connect(await ensureDatabase(url('postgres'), templateName), { max: 2 })
  await migrate(db)
  await close()
  const program = await bundleService()
  return {
    folder,
    program,
    url,
    wirePort: wire.port,
    port: () => server.port,
    async kill() {
      await killWithChildren(Number(readFileSync(join(server.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]))
    },
    async start() {
      server = await startPostgres(cluster)
    },
    async stop() {
      await wire.close()
      await server.stop()
      rmSync(program, { force: true })
    },
  }
}

async function admin(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** One replica of the service, on its own port. */
export interface Replica {
  readonly url: string
  readonly port: number
  readonly pid: number | undefined
  /** What its last process ended with. */
  readonly exitCode: number | null
  running(): boolean
  /** Starts it, with variables changed, and waits until it answers; `failpoint` says where it will die. */
  start(failpoint?: string, change?: Readonly<Record<string, string>>): Promise<void>
  signal(signal: NodeJS.Signals): void
  /** Resolves when the process is gone. */
  gone(): Promise<void>
  /** kill -9 */
  kill(): Promise<void>
}

export interface World {
  server: Server
  db: Database
  databaseUrl: string
  folder: string
  stripeUrl: string
  /** What the replicas are started with, but for their port. */
  env: Record<string, string | undefined>
  replicas: Replica[]
  /** The address of the balancer before the replicas; the webhooks go there too. */
  url: string
  /** Decides for every commit whether the service receives its confirmation. */
  cut: { next: () => boolean; count: number }
  /** The sandbox's control API. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever the control API says
  control(method: string, path: string, body?: unknown): Promise<any>
  /** A call to the embedded Stripe: with the secret key (a dashboard) or the publishable one (a page). */
  stripe(
    who: 'dashboard' | 'page',
    method: string,
    path: string,
    form?: Record<string, string>,
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- Stripe's objects
  ): Promise<{ status: number; body: any }>
  /** Sessions in which a second charge is intended by the case (P-14). */
  duplicatesAllowed: Set<string>
  /** Kills the replicas, and restores a backup from before every visit. */
  restore(): Promise<void>
  /** Whether that was done. */
  readonly restored: boolean
  stop(keep?: boolean): Promise<void>
}

let worlds = 0

/**
 * A database, an embedded Stripe with the catalogue, and `replicas` services (started unless `idle`). `direct`: they
 * connect to PostgreSQL without the proxy in this program, whose work would otherwise be measured too.
 */
export async function startWorld(
  server: Server,
  options: { replicas?: number; idle?: boolean; direct?: boolean; env?: Record<string, string> } = {},
): Promise<World> {
  const name = `faults_${++worlds}`
  const folder = join(server.folder, name)
  mkdirSync(folder)
  const create = `create database ${name} template ${templateName} strategy file_copy`
  await admin(server.url('postgres'), create)
  const databaseUrl = server.url(name)
  const cut = { next: () => false, count: 0 }
  let restored = false
  const wire = await postgresWire(server.port, () => {
    const now = cut.next()
    if (now) cut.count += 1
    return now
  })
  const ports = await Promise.all(Array.from({ length: options.replicas ?? 1 }, () => anyPort()))
  const front: Wire = await balancer(ports)
  const url = `http://127.0.0.1:${front.port}`
  const stripePort = await anyPort()
  const stripeUrl = `http://127.0.0.1:${stripePort}`
  const serviceUrl = new URL(databaseUrl)
  serviceUrl.port = String(options.direct ? server.port() : wire.port)
  const env = environment({
    DATABASE_URL: serviceUrl.href,
    STRIPE_API_BASE: stripeUrl,
    LOG_LEVEL: 'warn',
    ...options.env,
  })
  const { STRIPE_SECRET_KEY: secret = '', STRIPE_PUBLISHABLE_KEY: publishable = '' } = env
  const sandbox = launch(sandboxProgram, join(folder, 'stripe.log'), {
    NODE_ENV: 'test',
    PORT: String(stripePort),
    STRIPE_SANDBOX_DATA: join(folder, 'stripe'),
    STRIPE_SECRET_KEY: secret,
    STRIPE_PUBLISHABLE_KEY: publishable,
    STRIPE_WEBHOOK_URL: `${url}/api/webhooks/stripe`,
    STRIPE_WEBHOOK_SECRET: env['STRIPE_WEBHOOK_SECRET'],
  })
  await answering(`${stripeUrl}/healthz`, sandbox)
  await setUpCatalogue(readConfig(env).stripe)
  const { db, close } = connect(databaseUrl, { max: 8, name: 'faults' })
  const replicas = ports.map((port, at) =>
    replica(server.program, port, { ...env, PORT: String(port) }, join(folder, `service-${at}.log`)),
  )
  if (!options.idle) await Promise.all(replicas.map((one) => one.start()))

  return {
    server,
    db,
    databaseUrl,
    folder,
    stripeUrl,
    env,
    replicas,
    url,
    cut,
    duplicatesAllowed: new Set(),
    get restored() {
      return restored
    },
    async restore() {
      restored = true
      await Promise.all(replicas.map((one) => one.kill()))
      await admin(server.url('postgres'), `drop database ${name} with (force)`, create)
    },
    async control(method, path, body) {
      const reply = await fetch(`${stripeUrl}/_sandbox/${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return reply.json()
    },
    async stripe(who, method, path, form = {}) {
      const text = new URLSearchParams(form).toString()
      const reply = await fetch(`${stripeUrl}${path}${method === 'GET' && text ? `?${text}` : ''}`, {
        method,
        headers: {
          authorization: `Bearer ${who === 'page' ? publishable : secret}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        ...(method === 'GET' ? {} : { body: text }),
      })
      return { status: reply.status, body: await reply.json() }
    },
    async stop(keep = false) {
      await Promise.all(replicas.map((one) => one.kill()))
      sandbox.kill('SIGKILL')
      await front.close()
      await wire.close()
      await close()
      await admin(server.url('postgres'), `drop database if exists ${name} with (force)`)
      if (!keep) rmSync(folder, { recursive: true, force: true })
    },
  }
}

const children = new Set<ChildProcess>()
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')))

function launch(program: string, log: string, env: Record<string, string | undefined>): ChildProcess {
  const out = openSync(log, 'a')
  const cache = join(tmpdir(), 'eye-funnel-faults-cache')
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: cache, ...env } as NodeJS.ProcessEnv,
    stdio: ['ignore', out, out],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

const ended = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

async function answering(url: string, child: ChildProcess): Promise<void> {
  for (let end = Date.now() + 60_000; ; await pause(50)) {
    // a process that a failpoint froze takes the connection and never answers
    if (
      await fetch(url, { signal: AbortSignal.timeout(3_000) }).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
    if (ended(child)) return
    if (Date.now() > end) throw new Error(`nothing answers at ${url}`)
  }
}

function replica(program: string, port: number, env: Record<string, string | undefined>, log: string): Replica {
  let child: ChildProcess | undefined
  const url = `http://127.0.0.1:${port}`
  const running = () => child !== undefined && !ended(child)
  const gone = async () => {
    while (running()) await pause(5)
  }
  return {
    url,
    port,
    running,
    gone,
    get pid() {
      return child?.pid
    },
    get exitCode() {
      return child?.exitCode ?? null
    },
    async start(failpoint, change) {
      do {
        child = launch(program, log, { ...env, ...change, ...(failpoint ? { FAILPOINT: failpoint } : {}) })
        await answering(`${url}/healthz`, child)
        // its database was away when it started: start it again, as a supervisor would
      } while (!failpoint && ended(child))
    },
    signal: (signal) => void child?.kill(signal),
    async kill() {
      child?.kill('SIGKILL')
      await gone()
    },
  }
}

/** The last lines in which services reported trouble, for the report of a violation. */
export function lastLines(world: World, lines = 5): string[] {
  return world.replicas.flatMap((_, at) => {
    const file = join(world.folder, `service-${at}.log`)
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').slice(-lines) : []
  })
}

/** Ends the leases of dead workers now instead of in a minute. */
export async function endLeases({ db }: World): Promise<void> {
  await sql`update webhook_events set next_attempt_at = now() where handled_at is null`.execute(db)
  await sql`update outbox set next_attempt_at = now() where sent_at is null and kind = any(${MONEY_KINDS})`.execute(db)
  await sql`update bookmarks set held_until = now() where held_by is not null`.execute(db)
}
