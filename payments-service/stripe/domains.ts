/** C-13: Apple Pay appears at registered domains alone (docs.stripe.com/payments/payment-methods/pmd-registration). */
import type Stripe from 'stripe'
import type { StripeAccount } from '../config.ts'
import { createSdk } from './sdk.ts'

/** The domain of a site; null where it has none that Apple could verify from outside. */
export function domainOf(siteUrl: string): string | null {
  if (!URL.canParse(siteUrl)) return null
  const { protocol, hostname } = new URL(siteUrl)
  const local = /(?:^|\.)localhost$|^[\d.]+$|^\[/.test(hostname)
  return protocol === 'https:' && !local ? hostname : null
}

/** What keeps Apple Pay from a domain of the account; undefined when nothing does. Changes nothing. */
export async function applePayProblem(config: StripeAccount, domain: string): Promise<string | undefined> {
  return problemOf(await find(createSdk(config), domain), domain)
}

/** P-13: registers the domain of the site, or switches it on, or has it verified again. Says what is so then. */
export async function registerSite(config: StripeAccount, siteUrl = ''): Promise<string> {
  const domain = domainOf(siteUrl)
  if (!domain) return `No domain to register for Apple Pay: SITE_URL is ${siteUrl || 'not set'}`
  const sdk = createSdk(config)
  let found = (await find(sdk, domain)) ?? (await sdk.paymentMethodDomains.create({ domain_name: domain }))
  if (!found.enabled) found = await sdk.paymentMethodDomains.update(found.id, { enabled: true })
  if (problemOf(found, domain)) found = await sdk.paymentMethodDomains.validate(found.id)
  const problem = problemOf(found, domain)
  return problem ? `Apple Pay does not appear: ${problem}` : `Apple Pay may appear at ${domain}`
}

async function find(sdk: Stripe, domain: string): Promise<Stripe.PaymentMethodDomain | undefined> {
  const { data } = await sdk.paymentMethodDomains.list({ domain_name: domain, limit: 1 })
  return data[0]
}

function problemOf(found: Stripe.PaymentMethodDomain | undefined, domain: string): string | undefined {
  if (!found) return `the domain ${domain} is not registered`
  if (!found.enabled) return `the domain ${domain} is switched off`
  const { status, status_details: details } = found.apple_pay
  if (status === 'active') return undefined
  return `the domain ${domain} is not verified for it (${details?.error_message ?? status})`
}
