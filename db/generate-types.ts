/**
 * `npm run db:types`: writes db/types.ts from a freshly migrated database; with `-- --check` it only compares and exits
 * with 1 on drift.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync, chmodSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Command } from 'commander'
import { format, resolveConfig } from 'prettier'
import { connect } from './connect.ts'
import { ensureDatabase, startPostgres } from './embedded.ts'
import { migrate } from './migrate.ts'

const run = promisify(execFile)
const typesFile = fileURLToPath(new URL('./types.ts', import.meta.url))

/** The text db/types.ts must have for the (migrated) database at `url`. */
export async function typesOf(url: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'eye-types-'))
  try {
    const out = join(folder, 'types.ts')
    const codegen = join(dirname(createRequire(import.meta.url).resolve('kysely-codegen')), 'cli', 'bin.js')
    const args = ['--dialect', 'postgres', '--url', url, '--out-file', out, '--default-schema', 'public']
    await run(process.execPath, [codegen, ...args, '--exclude-pattern', 'kysely_*'])
    return await format(readFileSync(out, 'utf8'), { ...(await resolveConfig(typesFile)), filepath: typesFile })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether the committed types match the database. */
export async function typesAreCurrent(url: string): Promise<boolean> {
  return readFileSync(typesFile, 'utf8') === (await typesOf(url))
}

async function main(): Promise<void> {
  const line = new Command('npm run db:types --')
    .description('Writes db/types.ts from a freshly migrated database.')
    .argument('[address]', 'of a database that may be migrated; else a PostgreSQL is started for it')
    .option('--check', 'only compares, and fails where db/types.ts differs')
    .showHelpAfterError()
    .parse()
  const { check = false } = line.opts<{ check?: boolean }>()
  const [given] = line.args
  const folder = mkdtempSync(join(tmpdir(), 'eye-types-pg-'))
  chmodSync(folder, 0o755)
  const server = given
    ? undefined
    : await startPostgres({ dataDir: join(folder, 'data'), password: randomBytes(12).toString('hex'), temporary: true })
  try {
    const url = given ?? (await ensureDatabase(server?.url ?? '', 'types'))
    const { db, close } = connect(url, { max: 2 })
    await migrate(db)
    await close()
    if (!check) writeFileSync(typesFile, await typesOf(url))
    else if (!(await typesAreCurrent(url))) {
      console.error('db/types.ts is not what the migrations make. Run: npm run db:types')
      process.exitCode = 1
    }
  } finally {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main()
