/**
 * `npm run operator:create -- ann@example.com`: creates an operator's account and prints its password once.
 * `--new-password` gives an operator who lost theirs another, and ends every sign-in of that account. With
 * `--reset-second-factor` the next sign-in also sets up another authenticator app; until then the password alone is
 * enough, so a new one is set. OPERATOR_PASSWORD, as `npm start` sets it, is used as the password instead.
 */
import { randomBytes } from 'node:crypto'
import { connect } from '../../db/connect.ts'
import { namedDatabase, startedSite } from '../../db/named-database.ts'
import { createOperator, setOperatorPassword } from './accounts.ts'

const email = process.argv.slice(2).find((one) => !one.startsWith('-'))
const resetSecondFactor = process.argv.includes('--reset-second-factor')
const again = resetSecondFactor || process.argv.includes('--new-password')
if (!email) {
  console.error('Whose? npm run operator:create -- ann@example.com')
  process.exit(2)
}
try {
  const { db, close } = connect(namedDatabase(process.env), { max: 2, name: 'operator:create' })
  try {
    const password = process.env['OPERATOR_PASSWORD'] || randomBytes(18).toString('base64url')
    if (again) {
      await setOperatorPassword(db, email, password, { resetSecondFactor })
      console.log(`${email} is signed out everywhere. New password (shown this once): ${password}`)
    } else if (await createOperator(db, email, password)) {
      console.log(`${email} is an operator now. Password (shown this once): ${password}`)
    } else console.log(`${email} is an operator already; --new-password gives another password.`)
    const site = process.env['OPERATOR_URL'] || process.env['SITE_URL'] || startedSite()
    console.log(`Sign in at ${site}/operator/sign-in`)
  } finally {
    await close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
