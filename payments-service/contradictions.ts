/** What is wrong with variables that are right by themselves. */
import type { z } from 'zod'
import { missing } from '../db/secret-files.ts'
import type { Environment } from './environment.ts'

export type Given = Readonly<Record<string, string | undefined>>

/**
 * What is wrong with variables taken together; `env` is what each of them says, undefined when one of them is wrong by
 * itself.
 */
export function contradictions(
  given: Given,
  env: z.infer<typeof Environment> | undefined,
  embedded: boolean,
): string[] {
  const problems: string[] = []
  if (embedded && given['NODE_ENV'] === 'production') {
    problems.push('EMBEDDED=1 is for development, tests and demos: NODE_ENV=production refuses it and its secrets')
  }
  const rehearsal = isOn(given['REHEARSAL'])
  for (const mode of [...(embedded ? ['EMBEDDED=1'] : []), ...(rehearsal ? ['REHEARSAL=1'] : [])]) {
    for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY']) {
      if (given[name]?.includes('_live_')) problems.push(`${name} is a live key: ${mode} takes test keys only`)
    }
  }
  if (embedded && rehearsal) problems.push('REHEARSAL=1 is for production with the sandbox: EMBEDDED=1 is for neither')
  if (rehearsal && !given['STRIPE_API_BASE']) {
    problems.push('REHEARSAL=1 needs STRIPE_API_BASE, the address of the sandbox')
  }
  for (const name of ['STRIPE_API_BASE', 'STRIPE_SCRIPT_URL', 'META_API_BASE']) {
    if (!embedded && !rehearsal && given[name])
      problems.push(`${name} belongs to a stand-in: it needs EMBEDDED=1 or REHEARSAL=1`)
  }
  for (const name of ['LIMIT_FACTOR', 'FAILPOINT']) {
    if (!embedded && given[name]) problems.push(`${name} is for tests: it needs EMBEDDED=1`)
  }
  const secret = given['STRIPE_SECRET_KEY']
  const publishable = given['STRIPE_PUBLISHABLE_KEY']
  if (secret && publishable && secret.includes('_live_') !== publishable.includes('_live_')) {
    problems.push('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY have to be both live or both test')
  }
  if (!embedded && given['SITE_URL']?.startsWith('http:')) {
    problems.push('SITE_URL has to be https: the cookies of the service are secure ones')
  }
  if (!embedded && given['OPERATOR_URL']?.startsWith('http:')) {
    problems.push('OPERATOR_URL has to be https: its cookies are secure ones')
  }
  if (env?.OPERATOR_URL && sameHost(env.OPERATOR_URL, env.SITE_URL)) {
    problems.push('OPERATOR_URL has to name another host than SITE_URL, or to be left out')
  }
  if (env?.METRICS_PORT && env.METRICS_PORT === env.PORT) {
    problems.push('METRICS_PORT has to be another port than PORT: nobody outside may read the metrics')
  }
  if (given['ALERT_MAIL'] && !given['SMTP_URL']) problems.push('ALERT_MAIL needs SMTP_URL, the server that sends it')
  if (!embedded && given['TRUST_PROXY'] === undefined) {
    problems.push(
      'TRUST_PROXY is missing: how many proxies stand in front, or false. Unset, all visitors would share one address',
    )
  }
  if (given['NODE_ENV'] === 'production') problems.push(...missingInProduction(given))
  if (Boolean(given['META_PIXEL_ID']) !== Boolean(given['META_CAPI_TOKEN'])) {
    problems.push('META_PIXEL_ID and META_CAPI_TOKEN go together')
  }
  return problems
}

/** A buyer must never pay for a programme that cannot be opened, or wait for a mail that is never sent. */
function missingInProduction(given: Readonly<Record<string, string | undefined>>): string[] {
  const why = 'without it buyers pay for a programme that cannot be opened'
  return [
    ...(given['SANITY_PROJECT_ID'] ? [] : [`SANITY_PROJECT_ID is missing: ${why}`]),
    ...(given['SANITY_READ_TOKEN'] || given['SANITY_TOKEN'] ? [] : [`${missing('SANITY_READ_TOKEN')}: ${why}`]),
    ...(given['SMTP_URL'] ? [] : [`${missing('SMTP_URL')}: without it no buyer gets a confirmation`]),
  ]
}

/** Whether a switch is on; for the time before everything is known to be right. */
export const isOn = (text: string | undefined): boolean => text === '1' || text === 'true'

const sameHost = (one: string, other: string): boolean => new URL(one).hostname === new URL(other).hostname
