/** A PostgreSQL of its own: it is backed up, killed and restored. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { connect } from '../../db/connect.ts'
import { type EmbeddedPostgres, ensureDatabase, startPostgres } from '../../db/embedded.ts'
import { migrate } from '../../db/migrate.ts'
import { root } from '../../scripts/settings.ts'
import { startStandby } from './standby.ts'

const PASSWORD = 'of-a-test'

export interface Cluster {
  /** Where it lies; further folders may be made beside it. */
  folder: string
  url: string
  server: EmbeddedPostgres
  query<T extends pg.QueryResultRow>(text: string): Promise<T[]>
  /** Ends it at once, as a machine that dies, and takes its disk along. */
  destroy(): Promise<void>
}

export interface Clusters {
  folder: string
  /** A new one, once; `migrated` with our tables. */
  start(options?: { migrated?: boolean }): Promise<Cluster>
  /** A standby of it, below the same folder. */
  standby(cluster: Cluster): ReturnType<typeof startStandby>
  /** One that lies there already. */
  adopt(server: EmbeddedPostgres): Promise<Cluster>
  /** A file or folder of this place. */
  path(name: string): string
  end(): Promise<void>
}

/** Clusters that may be lost: what the operating system has is on the disk for these tests. */
const SETTINGS = ['fsync=off']

export function makeClusters(): Clusters {
  const folder = mkdtempSync(join(tmpdir(), 'eye-funnel-tests-'))
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'owner.json'), JSON.stringify({ pid: process.pid, password: PASSWORD }), { mode: 0o600 })
  const servers = new Set<EmbeddedPostgres>()
  const adopt = async (server: EmbeddedPostgres): Promise<Cluster> => {
    servers.add(server)
    const url = await ensureDatabase(server.url, 'funnel')
    return {
      folder: server.dataDir,
      url,
      server,
      query: async (text) => {
        const client = new pg.Client({ connectionString: url })
        await client.connect()
        try {
          return (await client.query(text)).rows
        } finally {
          await client.end()
        }
      },
      async destroy() {
        const pid = Number(readFileSync(join(server.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])
        process.kill(pid, 'SIGQUIT')
        while (alive(pid)) await new Promise((resume) => setTimeout(resume, 10))
        servers.delete(server)
        rmSync(server.dataDir, { recursive: true })
      },
    }
  }
  return {
    folder,
    adopt,
    path: (name) => join(folder, name),
    async start({ migrated = false } = {}) {
      // as what cleans up after runs that were killed expects it
      const dataDir = join(folder, 'data')
      const cluster = await adopt(await startPostgres({ dataDir, password: PASSWORD, settings: SETTINGS }))
      if (migrated) {
        const { db, close } = connect(cluster.url, { max: 2, name: 'migrate' })
        await migrate(db).finally(close)
      }
      return cluster
    },
    async standby({ url }) {
      const place = { dataDir: join(folder, 'standby'), bases: join(folder, 'bases') }
      const server = await startStandby(url, { ...place, password: PASSWORD })
      servers.add(server)
      return server
    },
    async end() {
      for (const server of servers) await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const environmentOf = (url: string): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], DATABASE_URL: url })

const PROGRAMS = { backup: 'db/backup.command.ts', restore: 'payments-service/restore.command.ts' }

/** Runs one of the commands to its end. */
export async function command(
  name: keyof typeof PROGRAMS,
  url: string,
  ...args: string[]
): Promise<{ code: number; text: string }> {
  const options = { cwd: root, env: environmentOf(url) }
  return promisify(execFile)(process.execPath, [PROGRAMS[name], ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, text: stdout + stderr }),
  )
}

/** `npm run backup -- <folder> --follow`, until it is stopped. */
export function follow(
  url: string,
  folder: string,
): { said(): string; stop(): Promise<number | null>; kill(): Promise<number | null> } {
  const child: ChildProcess = spawn(process.execPath, [PROGRAMS.backup, folder, '--follow'], {
    cwd: root,
    env: environmentOf(url),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece: Buffer) => (text += String(piece)))
  const gone = new Promise<number | null>((done) => child.once('exit', done))
  return {
    said: () => text,
    stop: () => {
      child.kill('SIGTERM')
      return gone
    },
    kill: () => {
      child.kill('SIGKILL')
      return gone
    },
  }
}
