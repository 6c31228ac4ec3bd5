/**
 * D-12: `npm run privacy -- list|export|erase <session id or e-mail address> [visits]`. An address may be in the visits
 * of somebody else, who typed it: `list` shows which visits have proved it, and `export` and `erase` take the named
 * ones, or `--proved`. A session id names its one visit. An export goes to stdout.
 */
import { connect } from '../../db/connect.ts'
import type { Database } from '../../db/connect.ts'
import { namedDatabase } from '../../db/named-database.ts'
import { eraseVisitor } from './erase.ts'
import { exportVisitor } from './export.ts'
import { type FoundVisit, listVisits } from './visitor.ts'

const [what, who, ...named] = process.argv.slice(2)
if ((what !== 'list' && what !== 'export' && what !== 'erase') || !who) {
  console.error('npm run privacy -- list|export|erase <session id or e-mail address> [<session id>… | --proved]')
  process.exit(2)
}

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

async function run(db: Database, whom: string): Promise<void> {
  const found = await listVisits(db, whom)
  if (found.length === 0) throw new Error('Nobody with this address or id.')
  if (what === 'list') return console.log(found.map(lineOf).join('\n'))
  const byId = !whom.includes('@')
  const visits = found.filter(({ id, proved }) => byId || named.includes(id) || (named.includes('--proved') && proved))
  if (visits.length === 0) {
    throw new Error(`Which of these visits? Name their ids, or --proved.\n${found.map(lineOf).join('\n')}`)
  }
  const chosen = { who: whom, visits: visits.map(({ id }) => id) }
  if (what === 'export') return console.log(JSON.stringify(await exportVisitor(db, chosen), null, 2))
  const { sessions, stripeCustomers } = await eraseVisitor(db, chosen)
  console.log(`Erased: ${sessions} ${sessions === 1 ? 'session' : 'sessions'}.`)
  if (stripeCustomers.length > 0) console.log(`At Stripe the customer is still known: ${stripeCustomers.join(', ')}`)
}

try {
  const { db, close } = connect(namedDatabase(process.env), { max: 2, name: 'privacy' })
  try {
    await run(db, who)
  } finally {
    await close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
