/**
 * P-13: `npm run stripe:setup` reads the same .env as the service, of which it needs STRIPE_SECRET_KEY alone; where
 * SITE_URL is set it registers that domain.
 */
import { Command } from 'commander'
import { runCommand } from '../db/command.ts'
import { settingsOf } from './command.ts'
import { readStripeAccount } from './config.ts'
import { registerSite } from './stripe/domains.ts'
import { setUpCatalogue } from './stripe/setup.ts'

new Command('npm run stripe:setup')
  .description('Creates or updates the catalogue in a Stripe account; registers the domain of SITE_URL for Apple Pay.')
  .showHelpAfterError()
  .parse()
await runCommand(async () => {
  const settings = settingsOf(process.env)
  const account = readStripeAccount(settings)
  const changed = await setUpCatalogue(account)
  console.log(changed.length > 0 ? `Set up in Stripe: ${changed.join(', ')}` : 'The Stripe account is up to date')
  // the catalogue is there, and buyers without Apple Pay pay by card
  const unregistered = (error: Error): string => `Apple Pay: the domain could not be registered: ${error.message}`
  console.log(await registerSite(account, settings['SITE_URL']).catch(unregistered))
})
