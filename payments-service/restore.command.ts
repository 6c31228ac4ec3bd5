/**
 * `npm run restore -- <backups> [--until <moment>]`: makes the database of `npm start` from the newest base backup of
 * that folder and the log beside it, and erases again whoever was erased since. With `--to <data folder>` it makes the
 * folder for a PostgreSQL of your own; once that is up, `npm run restore -- <backups> --finish` does the rest at
 * DATABASE_URL. Until then the database is read-only. Nothing that is there is ever overwritten.
 */
import { fileURLToPath } from 'node:url'
import { Command, InvalidArgumentError, Option } from 'commander'
import { erasedSince, type ErasedEntry } from '../db/backup/erased-list.ts'
import { open, recover, recovered, writable } from '../db/backup/recover.ts'
import { prepare } from '../db/backup/restore.ts'
import { runCommand } from '../db/command.ts'
import { connect } from '../db/connect.ts'
import { placeOfData } from '../db/embedded-place.ts'
import { migrate } from '../db/migrate.ts'
import { namedDatabase } from '../db/named-database.ts'
import { eraseAgain } from './privacy/again.ts'

const EMBEDDED = fileURLToPath(new URL('../.data/postgres', import.meta.url))

const line = new Command('npm run restore --')
  .description('Makes the database of npm start from its backups; nothing that is there is ever overwritten.')
  .argument('<backups>', 'the folder of npm run backup')
  .option('--until <moment>', 'up to a moment, like 2026-11-23T04:15:00Z', aMoment)
  .option('--to <folder>', 'makes the data folder of a PostgreSQL of your own instead')
  .addOption(
    new Option('--finish', 'does the rest at DATABASE_URL, once that PostgreSQL is up').conflicts(['until', 'to']),
  )
  .showHelpAfterError()
  .parse()
const [folder = ''] = line.args
const { until, to, finish: finishes } = line.opts<{ until?: Date; to?: string; finish?: boolean }>()

function aMoment(text: string): Date {
  const moment = new Date(text)
  if (Number.isNaN(moment.getTime())) throw new InvalidArgumentError('No moment.')
  return moment
}

async function prepared(from: string, target: string): Promise<void> {
  const { base, segments, gap } = await prepare(from, target, until)
  console.log(`${target}: from ${base} and ${segments} files of the log, every file as it was read`)
  if (gap) console.log(`WARN  the log from ${gap} on is missing: what came after it is not restored`)
}

/** Brings a recovered database to this release, erases again, and lets it be written to. */
async function finish(url: string, erased: readonly ErasedEntry[]): Promise<void> {
  const { until: last, timeline } = await recovered(url)
  console.log(`The last change that came back is of ${last?.toISOString() ?? 'before the base backup'}`)
  const { db, close } = connect(await writable(url), { max: 3, name: 'restore' })
  try {
    await migrate(db)
    const { again, unknown } = await eraseAgain(db, erased)
    console.log(`Erased again: ${again}; erased and not in the backup: ${unknown}`)
  } finally {
    await close()
  }
  await open(url)
  console.log(`Open, on timeline ${timeline}. Take a new base backup: this log begins anew`)
}

/** The same database at another port of this machine. */
function at(url: string, port: number): string {
  const address = new URL(url)
  address.host = `127.0.0.1:${port}`
  // what is named among the parameters counts before the address, and would lead to the database that is running
  for (const elsewhere of ['host', 'hostaddr', 'port']) address.searchParams.delete(elsewhere)
  return address.href
}

await runCommand(async () => {
  const erased = await erasedSince(folder)
  if (finishes) await finish(namedDatabase(process.env), erased)
  else if (to) {
    await prepared(folder, to)
    console.log('Start your PostgreSQL on it, as its owner, then: npm run restore -- <backups> --finish')
  } else {
    const target = placeOfData(EMBEDDED)
    const url = namedDatabase(process.env)
    await prepared(folder, target)
    const server = await recover({ dataDir: target, password: decodeURIComponent(new URL(url).password) })
    try {
      await finish(at(url, server.port), erased)
    } finally {
      await server.stop()
    }
  }
})
