/** P-13: `npm run stripe:setup` reads the same .env as the service, of which it needs STRIPE_SECRET_KEY alone. */
import { Command } from 'commander'
import { runCommand } from '../db/command.ts'
import { settingsOf } from './command.ts'
import { readStripeAccount } from './config.ts'
import { setUpCatalogue } from './stripe/setup.ts'

new Command('npm run stripe:setup')
  .description('Creates or updates the catalogue in the account of STRIPE_SECRET_KEY, by lookup keys.')
  .showHelpAfterError()
  .parse()
await runCommand(async () => {
  const changed = await setUpCatalogue(readStripeAccount(settingsOf(process.env)))
  console.log(changed.length > 0 ? `Set up in Stripe: ${changed.join(', ')}` : 'The Stripe account is up to date')
})
