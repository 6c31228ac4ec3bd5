/** A real PgBouncer in transaction mode, of Debian's package `pgbouncer`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ownerForRoot } from '../../db/embedded-place.ts'
import { anyPort } from '../../db/ports.ts'
import { killWithChildren } from './started.ts'

/** Names the port of the pooler of this run. */
export const poolerVariable = 'TEST_POOLER_PORT'

/** The pooler of this machine; undefined where there is none. */
export const findPgBouncer = (): string | undefined =>
  ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((path) => existsSync(path))

/** The same database through the pooler of this run; undefined where there is none, or for a test's own server. */
export function pooledUrl(databaseUrl: string): string | undefined {
  const port = process.env[poolerVariable]
  const behind = new URL(databaseUrl).host === new URL(process.env['TEST_DATABASE_ADMIN_URL'] ?? databaseUrl).host
  return port === undefined || !behind ? undefined : throughPort(databaseUrl, Number(port))
}

/** The same database at another port of this machine. */
export function throughPort(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return url.href
}

export interface Pooler {
  port: number
  pid: number
  /** kill -9; resolves when it is gone. */
  kill(): Promise<void>
  /** Starts it again where it was. */
  start(): Promise<void>
  /** From now on before another server; who waits is answered by that one. */
  lead(server: string): void
  stop(): Promise<void>
}

export interface PoolerOptions {
  /** Lines of its configuration beside ours. */
  settings?: readonly string[]
  /** Connections to the server, for each database. */
  size?: number
}

/** Starts one before every database of a server; it knows no prepared statement and takes no setting. */
export async function startPooler(server: string, { settings = [], size = 10 }: PoolerOptions = {}): Promise<Pooler> {
  const program = findPgBouncer()
  if (!program) throw new Error('There is no pgbouncer: apt-get install pgbouncer')
  const place = mkdtempSync(join(tmpdir(), 'eye-pooler-'))
  chmodSync(place, 0o755)
  const port = await anyPort()
  const file = join(place, 'pgbouncer.ini')
  const lines = (to: string) => [
    '[databases]',
    `* = ${addressOf(to)}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${size}`,
    'max_client_conn = 1000',
    `logfile = ${join(place, 'log')}`,
    ...settings,
  ]
  const write = (to: string) => writeFileSync(file, `${lines(to).join('\n')}\n`)
  write(server)
  const owner = ownerForRoot()
  if (owner) chmodSync(place, 0o777)
  const launch = () => spawn(program, [file], { stdio: 'ignore', ...owner })
  let child = launch()
  await answers(port, child, join(place, 'log'))
  return {
    port,
    pid: child.pid ?? 0,
    kill: () => killWithChildren(child.pid ?? 0),
    async start() {
      child = launch()
      await answers(port, child, join(place, 'log'))
    },
    lead(other) {
      write(other)
      child.kill('SIGHUP')
    },
    async stop() {
      const gone = once(child, 'exit')
      if (child.exitCode === null && child.kill('SIGTERM')) await gone
      rmSync(place, { recursive: true, force: true })
    },
  }
}

/** A server as PgBouncer names one. */
function addressOf(server: string): string {
  const { hostname, port, username, password } = new URL(server)
  return `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`
}

async function answers(port: number, child: ChildProcess, log: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) break
    const open = await new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1', () => done(true)).on('error', () => done(false))
      socket.once('connect', () => socket.destroy())
    })
    if (open) return
    await pause(50)
  }
  throw new Error(`pgbouncer did not start: ${existsSync(log) ? readFileSync(log, 'utf8') : ''}`)
}
