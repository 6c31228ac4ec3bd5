/**
 * `npm run operator:create -- ann@example.com`: creates an operator's account and prints its password once. With
 * `--reset-second-factor` the password alone is enough until the next sign-in, so a new one is set. OPERATOR_PASSWORD,
 * as `npm start` sets it, is used as the password instead.
 */
import { randomBytes } from 'node:crypto'
import { Command } from 'commander'
import { runOnDatabase } from '../../db/database-command.ts'
import { startedSite } from '../../db/named-database.ts'
import { createOperator, setOperatorPassword } from './accounts.ts'

const line = new Command('npm run operator:create --')
  .description("Creates an operator's account and prints its password once.")
  .argument('<email>', 'like ann@example.com')
  .option('--new-password', 'gives an operator who lost theirs another, and ends every sign-in of that account')
  .option('--reset-second-factor', 'the same, and the next sign-in also sets up another authenticator app')
  .showHelpAfterError()
  .parse()
const [email = ''] = line.args
const { newPassword, resetSecondFactor } = line.opts<{ newPassword?: boolean; resetSecondFactor?: boolean }>()
const again = resetSecondFactor || newPassword
await runOnDatabase('operator:create', async (db) => {
  const password = process.env['OPERATOR_PASSWORD'] || randomBytes(18).toString('base64url')
  if (again) {
    await setOperatorPassword(db, email, password, { resetSecondFactor: resetSecondFactor ?? false })
    console.log(`${email} is signed out everywhere. New password (shown this once): ${password}`)
  } else if (await createOperator(db, email, password)) {
    console.log(`${email} is an operator now. Password (shown this once): ${password}`)
  } else console.log(`${email} is an operator already; --new-password gives another password.`)
  const site = process.env['OPERATOR_URL'] || process.env['SITE_URL'] || startedSite()
  console.log(`Sign in at ${site}/operator/sign-in`)
})
