/**
 * D-12: `npm run privacy`. An address may be in the visits of somebody else, who typed it: `list` shows which visits
 * have proved it, and the others take the named ones, or `--proved`. A session id names its one visit.
 */
import { Command } from 'commander'
import { runOnDatabase } from '../../db/database-command.ts'
import type { Database } from '../../db/connect.ts'
import { eraseVisitor } from './erase.ts'
import { exportVisitor } from './export.ts'
import { withdrawHealthOf, withdrawnWords } from './health.ts'
import { type Chosen, type FoundVisit, listVisits } from './visitor.ts'

const lineOf = ({ id, createdAt, paymentStatus, tiedBy, proved, live }: FoundVisit): string =>
  [
    id,
    createdAt.toISOString().slice(0, 10),
    paymentStatus,
    proved ? 'proved' : 'typed only',
    tiedBy.join('+') || 'id',
    live ? 'live subscription' : '',
  ]
    .join('  ')
    .trim()

async function found(db: Database, who: string): Promise<FoundVisit[]> {
  const visits = await listVisits(db, who)
  if (visits.length === 0) throw new Error('Nobody with this address or id.')
  return visits
}

/** The visits that are meant. Throws where none is, and for an id that is not among this visitor's. */
async function chosen(db: Database, who: string, named: readonly string[], proved = false): Promise<Chosen> {
  const all = await found(db, who)
  const strange = named.filter((id) => !all.some((visit) => visit.id === id))
  if (strange.length > 0) throw new Error(`${strange.join(', ')}: no visit of ${who}.`)
  const byId = !who.includes('@')
  const visits = all.filter((visit) => byId || named.includes(visit.id) || (proved && visit.proved))
  if (visits.length > 0) return { who, visits: visits.map(({ id }) => id) }
  throw new Error(`Which of these visits? Name their ids, or --proved.\n${all.map(lineOf).join('\n')}`)
}

async function erase(db: Database, visits: Chosen): Promise<void> {
  const { sessions, stripeCustomers } = await eraseVisitor(db, visits)
  console.log(`Erased: ${sessions} ${sessions === 1 ? 'session' : 'sessions'}.`)
  if (stripeCustomers.length > 0) console.log(`At Stripe the customer is still known: ${stripeCustomers.join(', ')}`)
}

const connected = (work: (db: Database) => Promise<void>): Promise<void> => runOnDatabase('privacy', work)

const program = new Command('npm run -s privacy --').description("A visitor's data.").showHelpAfterError()
const about = (name: string, description: string): Command =>
  program.command(name).description(description).argument('<who>', 'e-mail address or session id')
const ofVisits = (name: string, description: string): Command =>
  about(name, description)
    .argument('[visits...]', 'ids of the visits that are meant')
    .option('--proved', 'those that have proved the address')

about('list', 'the visits, and which have proved the address').action((who: string) =>
  connected(async (db) => console.log((await found(db, who)).map(lineOf).join('\n'))),
)
ofVisits('export', 'everything about them, as JSON on stdout').action(
  (who: string, visits: string[], { proved }: { proved?: boolean }) =>
    connected(async (db) =>
      console.log(JSON.stringify(await exportVisitor(db, await chosen(db, who, visits, proved)), null, 2)),
    ),
)
ofVisits('erase', 'erases them').action((who: string, visits: string[], { proved }: { proved?: boolean }) =>
  connected(async (db) => erase(db, await chosen(db, who, visits, proved))),
)
ofVisits('withdraw-health', 'takes their health consent back and deletes the answers; subscriptions go on').action(
  (who: string, visits: string[], { proved }: { proved?: boolean }) =>
    connected(async (db) =>
      console.log(withdrawnWords(await withdrawHealthOf(db, await chosen(db, who, visits, proved)))),
    ),
)
await program.parseAsync()
