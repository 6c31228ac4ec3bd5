/** D-12: `npm run privacy -- export|erase <session id or e-mail address>`. An export goes to stdout. */
import { connect } from '../../db/connect.ts'
import { namedDatabase } from '../../db/named-database.ts'
import { eraseVisitor } from './erase.ts'
import { exportVisitor } from './export.ts'

const [what, who] = process.argv.slice(2)
if ((what !== 'export' && what !== 'erase') || !who) {
  console.error('npm run privacy -- export <session id or e-mail address>\nnpm run privacy -- erase <session id or e-mail address>') // prettier-ignore
  process.exit(2)
}
try {
  const { db, close } = connect(namedDatabase(process.env), { max: 2, name: 'privacy' })
  try {
    if (what === 'export') {
      const found = await exportVisitor(db, who)
      if (found.sessions.length === 0) throw new Error('Nobody with this address or id.')
      console.log(JSON.stringify(found, null, 2))
    } else {
      const { sessions, stripeCustomers } = await eraseVisitor(db, who)
      if (sessions === 0) throw new Error('Nobody with this address or id.')
      console.log(`Erased: ${sessions} ${sessions === 1 ? 'session' : 'sessions'}.`)
      if (stripeCustomers.length > 0) console.log(`At Stripe the customer is still known: ${stripeCustomers.join(', ')}`) // prettier-ignore
    }
  } finally {
    await close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
