/** Each check asks one part of the installation for real and says in a sentence what is wrong and what to do. */
import { sql } from 'kysely'
import nodemailer from 'nodemailer'
import { ADD_ON_IDS } from '../../contract/catalogue.ts'
import { DAYS } from '../../contract/programme.ts'
import { pendingMigrations } from '../../db/migrate.ts'
import { refused } from '../../db/server-version.ts'
import type { Deps } from '../deps.ts'
import { scrub } from '../http/logging.ts'
import { applePayProblem, domainOf } from '../stripe/domains.ts'
import { isFailure } from '../stripe/failure.ts'
import { wrongPrices } from '../stripe/setup.ts'
import { TOLERANCE } from '../webhooks/endpoint.ts'
import { webhookProblems } from '../webhooks/watch.ts'
import { backups } from './backups.ts'
import { keptLog } from './kept-log.ts'
import { wayTo, wayToReplica } from './way-to-database.ts'
import { fail, type Finding, ok, type Said, warn } from './finding.ts'
import { DOCTOR_HEADER, doctorsMark, type Seen } from '../site-config/forwarded.ts'
import { INVENTED, proxies } from './proxies.ts'

/** Milliseconds that one part may take to answer. */
const PATIENCE = 10_000
/** Seconds by which two clocks may differ: half of what webhooks tolerate. */
const CLOCK_SLACK = TOLERANCE / 2
/** Connections that a replica may open (service.ts), and a few for commands. */
const CONNECTIONS = 30

type Check = (deps: Deps) => Promise<Said[]>

const reason = (error: unknown): string => scrub(error instanceof Error ? error.message : String(error))
const clocks = (whose: string, at: Date): Said[] => {
  const off = Math.round((Date.now() - at.getTime()) / 1000)
  if (Math.abs(off) <= CLOCK_SLACK) return []
  return [fail(`the clock of ${whose} and ours differ by ${Math.abs(off)} s. Set both by NTP`)]
}

const database: Check = async ({ db, replica, config }) => {
  const { rows } = await sql<{ version: number; read_only: boolean; connections: number; now: Date }>`
    select current_setting('server_version_num')::int as version,
      current_setting('transaction_read_only')::boolean as read_only,
      current_setting('max_connections')::int as connections, now() as now`.execute(db)
  const [row] = rows
  if (!row) return [fail('PostgreSQL answers nothing')]
  const why = refused(row.version)
  if (why) return [fail(why)]
  const pending = await pendingMigrations(db)
  return [
    ...(row.read_only ? [fail('the database is read-only: DATABASE_URL has to name the primary')] : []),
    ...(pending.length > 0 ? [fail(`the schema lacks ${pending.join(', ')}. Run: npm run migrate`)] : []),
    ...(row.connections < CONNECTIONS
      ? [warn(`max_connections is ${row.connections}; a replica of the service opens up to ${CONNECTIONS}`)]
      : []),
    ...clocks('PostgreSQL', row.now),
    ...(await wayTo(db, config)),
    ...(await wayToReplica({ replica })),
    ...(await keptLog({ db })),
    ok(`PostgreSQL ${Math.floor(row.version / 10_000)}`),
  ]
}

const stripe: Check = async ({ stripe: gateway, config }) => {
  const seen = await gateway.eventsSince(new Date(), () => false)
  return [
    ...(seen?.at ? clocks('Stripe', seen.at) : []),
    ...(config.rehearsal ? [warn('REHEARSAL=1: payments go to the sandbox and nobody is charged')] : []),
    ok(`the key works, in ${config.stripe.secretKey.includes('_live_') ? 'live' : 'test'} mode`),
  ]
}

/** The latest events of two hours, as soon as there are some. */
const LATEST = 10

async function onlyByPoll(db: Deps['db']): Promise<Said[]> {
  const { rows } = await sql<{ count: number; polled: boolean | null }>`
    select count(*)::int as count, bool_and(source = 'poll') as polled from (
      select source from webhook_events where received_at > now() - interval '2 hours'
      order by received_at desc limit ${LATEST}) latest`.execute(db)
  const [row] = rows
  if (!row?.polled || row.count < LATEST) return []
  return [
    fail(
      `the last ${LATEST} events came by the poll alone: STRIPE_WEBHOOK_SECRET is not the endpoint's, the clocks ` +
        'differ, or nothing leads Stripe here. The log says which: webhook refused (docs/runbooks/webhooks-silent.md)',
    ),
  ]
}

const webhooks: Check = async ({ config, db, stripe: gateway }) => {
  const endpoints = await gateway.listWebhookEndpoints()
  // the sandbox sends its webhooks without an endpoint object
  const silent = await onlyByPoll(db)
  if (config.stripe.apiBase && endpoints.length === 0) return [...silent, ok('the sandbox sends them')]
  const problems = [...silent, ...webhookProblems(config, endpoints).map(({ text }) => fail(text))]
  return problems.length > 0 ? problems : [ok('Stripe sends every event here')]
}

const catalogue: Check = async ({ config }) => {
  const wrong = await wrongPrices(config.stripe)
  if (wrong.length === 0) return [ok('every price is in the account')]
  return [fail(`missing or another amount at Stripe: ${wrong.join(', ')}. Run: npm run stripe:setup`)]
}

const wallets: Check = async ({ config }) => {
  const domain = domainOf(config.siteUrl)
  if (!domain) return [ok(`${config.siteUrl} has no domain that could be registered for Apple Pay`)]
  const problem = await applePayProblem(config.stripe, domain)
  if (problem) return [warn(`Apple Pay does not appear: ${problem}. Run: npm run stripe:setup`)]
  return [ok(`Apple Pay may appear at ${domain}`)]
}

const mail: Check = async ({ config }) => {
  if (!config.mail.smtpUrl) return [warn('SMTP_URL is not set: mails wait and nobody gets them')]
  const transport = nodemailer.createTransport({
    url: config.mail.smtpUrl,
    connectionTimeout: PATIENCE,
    greetingTimeout: PATIENCE,
  })
  try {
    await transport.verify()
    return [ok('the mail server takes our login')]
  } catch (error) {
    return [fail(`the mail server refuses SMTP_URL: ${reason(error)}`)]
  } finally {
    transport.close()
  }
}

const content: Check = async ({ lake }) => {
  if (!lake) return [fail('SANITY_PROJECT_ID and SANITY_READ_TOKEN are not set: nobody can open the programme')]
  const found = (await lake.fetch(`{
    "settings": count(*[_id == "settings"]), "days": *[_type == "programmeSession"].day,
    "guides": *[_type == "guide"].productId, "site": *[_id == "site.status"][0]{state, at, pin}
  }`)) as { settings: number; days: unknown[]; guides: unknown[]; site: PublisherReport | null }
  const sessions = new Set(found.days).size
  const problems = [
    ...(found.settings === 0
      ? [fail('the settings are not published in this dataset. Run: npm run content:import')]
      : []),
    ...(sessions === 0
      ? [fail('the token reads no session of the programme: give SANITY_READ_TOKEN one that may read all documents')]
      : ofProgramme(sessions, found.guides)),
  ]
  const read = problems.length > 0 ? problems : [ok(`the token reads ${sessions} sessions of the programme`)]
  return [...read, ...ofSite(found.site)]
}

/** Whether all that is sold can be opened. */
function ofProgramme(sessions: number, guides: readonly unknown[]): Said[] {
  const gone = ADD_ON_IDS.filter((id) => !guides.includes(id))
  return [
    ...(gone.length > 0
      ? [fail(`no guide is published for ${gone.join(', ')}: who buys it finds nothing. Publish it in the Studio`)]
      : []),
    ...(sessions < DAYS
      ? [warn(`only ${sessions} of ${DAYS} days of the programme are published. The Studio lists the others`)]
      : []),
  ]
}

/** What the publisher wrote into the lake (scripts/publisher/site-status.ts). */
interface PublisherReport {
  state: 'live' | 'broken'
  at: string
  pin?: { since: string; by: string } | null
}

function ofSite(site: PublisherReport | null): Omit<Finding, 'about'>[] {
  return [
    ...(site?.pin
      ? [warn(`the site is pinned since ${site.pin.since} by ${site.pin.by}: publishes wait. Run: npm run site:unpin`)]
      : []),
    ...(site?.state === 'broken'
      ? [warn(`the publish of ${site.at} is not on the site. The Studio says where, under "Site status"`)]
      : []),
  ]
}

const hasEnded = ({ cause }: Error): boolean => (cause as { code?: string } | undefined)?.code === 'CERT_HAS_EXPIRED'

/** Asks for our own configuration as a browser would, through whatever is in front of the service. */
const address: Check = async ({ config }) => {
  const url = `${config.siteUrl}/api/config`
  const headers = { [DOCTOR_HEADER]: doctorsMark(config.tokenSecret), 'X-Forwarded-For': INVENTED }
  const asked = fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE), redirect: 'manual' })
  const reply = await asked.catch((error: Error) => (hasEnded(error) ? null : Promise.reject(error)))
  if (!reply) return [fail(`the certificate has ended at ${config.siteUrl}: nobody can open the shop. Renew it`)]
  const body = (await reply.json().catch(() => null)) as {
    stripe?: { publishableKey?: string }
    country?: string | null
  } | null
  if (!reply.ok || !body?.stripe) return [fail(`${url} answers ${reply.status} and not the service: route /api/ to it`)]
  if (body.stripe.publishableKey !== config.stripe.publishableKey)
    return [fail(`${url} is answered by an installation with another Stripe key`)]
  const seen = reply.headers.get(DOCTOR_HEADER)
  const wrong = seen ? proxies(JSON.parse(seen) as Seen, config.trustProxy) : []
  if (config.countryHeader && body.country)
    return [...wrong, ok(`visitors reach the service; we come from ${body.country}`)]
  return [
    ...wrong,
    warn(
      config.countryHeader
        ? `the proxy names no country in ${config.countryHeader}: strict rules apply to every visitor`
        : 'COUNTRY_HEADER is not set: strict rules apply to every visitor',
    ),
  ]
}

const operators: Check = async ({ db }) => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from operator_user`.execute(db)
  return rows[0]?.count
    ? [ok(`${rows[0].count} can sign in`)]
    : [warn('nobody can sign in. Run: npm run operator:create')]
}

const CHECKS: Record<Finding['about'], Check> = {
  database,
  backups,
  stripe,
  webhooks,
  catalogue,
  wallets,
  mail,
  content,
  'public address': address,
  operators,
}

/** What a check that could not be made means. */
function unanswered(about: Finding['about'], error: unknown): Said {
  if (about === 'stripe' && isFailure(error, 'refused'))
    return fail(`Stripe refuses STRIPE_SECRET_KEY: ${reason(error)}`)
  // without an answer buyers still pay by card
  return (about === 'wallets' ? warn : fail)(`no answer: ${reason(error)}`)
}

/** Runs every check, each by itself: one that fails hides no other. */
export async function examine(deps: Deps): Promise<Finding[]> {
  const found = await Promise.all(
    Object.entries(CHECKS).map(async ([name, check]) => {
      const about = name as Finding['about']
      const said = await check(deps).catch((error: unknown) => [unanswered(about, error)])
      return said.map((one) => ({ ...one, about }))
    }),
  )
  return found.flat()
}
