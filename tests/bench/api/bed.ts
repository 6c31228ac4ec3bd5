import { fork, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { connect } from '../../../db/connect.ts'
import { ensureDatabase, startPostgres } from '../../../db/embedded.ts'
import { migrate } from '../../../db/migrate.ts'
import { anyPort } from '../../../db/ports.ts'
import { environment } from '../../service/service.ts'
import type { Called, Order } from './caller.ts'

/** Concurrent requests, for the service and for the floor. */
export const CONNECTIONS = 32

/**
 * What the parts measure on: a separate PostgreSQL that flushes every commit to disk, with the memory that `npm start`
 * gives it, and a plain pool on it.
 */
export interface Bed {
  url: string
  /** The server's own process. */
  pid: number
  pool: pg.Pool
  /** Writes the rows of the floor: one prepared statement on the plain pool. Resolves with how many it wrote. */
  prepared(name: string, text: string, values: unknown[]): Promise<number>
  stop(): Promise<void>
}

/** `native`: of another PostgreSQL than ours. */
export async function makeBed(native?: string): Promise<Bed> {
  const folder = mkdtempSync(join(tmpdir(), 'eye-bench-'))
  chmodSync(folder, 0o755)
  const server = await startPostgres({
    dataDir: join(folder, 'data'),
    ...(native === undefined ? {} : { native }),
    password: randomBytes(12).toString('hex'),
  })
  const url = await ensureDatabase(server.url, 'bench')
  const { db, close } = connect(url, { max: 2 })
  await migrate(db)
  await close()
  const pool = new pg.Pool({ connectionString: url, max: 16 })
  // the server may stop before its last idle connection closes
  pool.on('error', () => undefined)
  return {
    url,
    pid: Number(readFileSync(join(server.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]),
    pool,
    prepared: async (name, text, values) => (await pool.query({ name, text, values })).rowCount ?? 0,
    stop: async () => {
      await pool.end()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface Service {
  port: number
  pid: number
  /** Sends requests from a separate process, so that making them takes no time from the floor's event loop. */
  call(order: Omit<Order, 'port' | 'connections'>): Promise<Called>
  stop(): Promise<void>
}

/** The programs to call: the service as it runs in production, and the smallest possible one (bare.ts). */
const PROGRAMS = { service: 'payments-service/main.ts', bare: join(import.meta.dirname, 'bare.ts') }

/** Starts a program and the process that calls it. SERVICE_PROFILE=folder leaves a CPU profile. */
export async function startService(
  { url }: Pick<Bed, 'url'>,
  program: keyof typeof PROGRAMS = 'service',
  more: Record<string, string> = {},
): Promise<Service> {
  const port = await anyPort()
  const settings = environment({ DATABASE_URL: url, PORT: String(port), LOG_LEVEL: 'info', ...more })
  // a line a request, as a real start writes it
  const logFile = join(tmpdir(), `eye-bench-${port}.log`)
  const log = openSync(logFile, 'w')
  const profile = process.env['SERVICE_PROFILE']
  const flags = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
  const service = spawn(process.execPath, [...flags, PROGRAMS[program]], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', log, 'inherit'],
  })
  const caller = fork(join(import.meta.dirname, 'caller.ts'))
  const gone = (child: typeof service) => new Promise((ended) => child.once('exit', ended))
  await untilReady(port)
  return {
    port,
    pid: service.pid ?? 0,
    call: (order) =>
      new Promise((resolve, reject) => {
        caller.once('message', (told: Called | { error: string }) =>
          'error' in told ? reject(new Error(told.error)) : resolve(told),
        )
        caller.send({ ...order, port, connections: CONNECTIONS } satisfies Order)
      }),
    stop: async () => {
      caller.disconnect()
      service.kill('SIGTERM')
      await gone(service)
      closeSync(log)
      rmSync(logFile, { force: true })
    },
  }
}

async function untilReady(port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) return
    await new Promise((resume) => setTimeout(resume, 100))
  }
  throw new Error('the service did not start')
}
