/**
 * env → Config: main.ts hands in process.env, tests hand in what they like; beside it only the files of secrets are
 * read. No secret has a default.
 */
import { z } from 'zod'
import { EU } from '../contract/countries.ts'
import { countriesWith } from '../contract/duties/table.ts'
import { parseEmail } from '../contract/email.ts'
import { rateAt } from '../contract/tax/rates.ts'
import { missing, withSecretFiles } from '../db/secret-files.ts'
import { FAILPOINT_SYNTAX } from './failpoints.ts'
import { parseTrustProxy } from './http/proxies.ts'

export interface Config {
  port: number
  /** Interface to listen on. A client that bypasses the proxy in front could claim any address. */
  host: string
  /** Port of /metrics, on the same interface; null: not served. */
  metricsPort: number | null
  databaseUrl: string
  /** The database's host makes the backups: none of ours is missed. */
  backupsByHost: boolean
  /** Origin of the site, without a trailing slash; return addresses and links in mails are built from it. */
  siteUrl: string
  /** Address of the programme. */
  appUrl: string
  /** Origin of the operator pages, on a separate host; null: on the site's, like every other page. */
  operatorUrl: string | null
  /** Embedded mode: insecure LAN origins are allowed, API docs are public, Stripe is the sandbox. */
  embedded: boolean
  /** Distinguishes the cookies of two clones: Chromium shares cookies across all localhost ports. */
  cookieSuffix: string
  tokenSecret: string
  /** Express's "trust proxy": hops, or addresses of the proxies in front. False believes no header. */
  trustProxy: false | number | string
  /**
   * The one header in which the proxy in front names the visitor's country, in lower case; null believes none (D-07).
   */
  countryHeader: string | null
  /** Seconds that a replica serves on once it is asked to stop, so that balancers notice first. */
  drainSeconds: number
  logLevel: string
  /**
   * Factor by which limits are looser than in production: in embedded mode journeys and colleagues share one address.
   */
  limitFactor: number
  /** Where a test lets the process die (failpoints.ts). */
  failpoint: string | null
  stripe: {
    secretKey: string
    publishableKey: string
    webhookSecret: string
    /** Address of the embedded sandbox; null reaches Stripe itself. */
    apiBase: string | null
    scriptUrl: string | null
    /** PayPal through Stripe exists only for accounts in some countries. */
    paypal: boolean
    /** PayPal starts a trial at value 0 (P-06) instead of paying its price (C-14). */
    paypalSetup: boolean
  }
  sanity: { projectId: string; dataset: string; token: string; apiHost: string | null } | null
  mail: { smtpUrl: string | null; from: string }
  /** Who is told when something is wrong, beside the log. */
  alerts: { mail: string | null; url: string | null }
  /** Meta's Conversions API; `apiBase` is another address in tests and demos. */
  meta: { pixelId: string; accessToken: string; testEventCode: string | null; apiBase: string } | null
  /** Countries in which visitors are asked before anything is stored or sent for advertising or measurement. */
  consentRegions: readonly string[]
  /** Countries in which this shop declares tax, so that it is taken out of what buyers there pay. */
  taxRegistrations: readonly string[]
  /** Whole months that page views, activities and errors are kept. */
  eventRetentionMonths: number
}

/** Every missing or invalid variable at once, so that one start shows everything to fix. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The payments service cannot start:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

const EMBEDDED_LIMIT_FACTOR = 50

/** Two checks of a balancer that looks every five seconds; with the time to end, less than Kubernetes' 30 s. */
const DRAIN_SECONDS = 10

const flag = z.enum(['0', '1', 'true', 'false']).transform((text) => text === '1' || text === 'true')
const origin = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/{1,9}$/, ''))

const Environment = z.object({
  NODE_ENV: z.string().optional(),
  HOST: z.union([z.ipv4(), z.ipv6(), z.literal('localhost')], 'has to be an IP address').default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65535).default(4242),
  METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'has to be a postgres:// address' }),
  BACKUPS: z.literal('host', 'has to be host, or to be left out').optional(),
  SITE_URL: origin,
  APP_URL: origin.optional(),
  OPERATOR_URL: origin.optional(),
  EMBEDDED: flag.default(false),
  COOKIE_SUFFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]{0,32}$/, 'takes letters, digits, - and _ only')
    .default(''),
  TOKEN_SECRET: z.string().min(32, 'has to be at least 32 characters of randomness'),
  TRUST_PROXY: z
    .string()
    .transform((text, context) => {
      const setting = parseTrustProxy(text)
      if (setting !== undefined) return setting
      context.addIssue('has to be false, the number of proxies in front, or their addresses like 10.0.0.0/8,loopback')
      return z.NEVER
    })
    .optional(),
  COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{1,60}$/, 'has to be the name of a header, like cf-ipcountry')
    .transform((name) => name.toLowerCase())
    .optional(),
  DRAIN_SECONDS: z.coerce.number().min(0).max(600).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  LIMIT_FACTOR: z.coerce.number().min(1).optional(),
  FAILPOINT: z.string().regex(FAILPOINT_SYNTAX, 'has to be like kill@after:subscriptions.create').optional(),
  STRIPE_SECRET_KEY: z.string().regex(/^(sk|rk)_(test|live)_\w{8,}$/, 'has to be a key like sk_test_… or sk_live_…'),
  STRIPE_PUBLISHABLE_KEY: z.string().regex(/^pk_(test|live)_\w{8,}$/, 'has to be a key like pk_test_… or pk_live_…'),
  STRIPE_WEBHOOK_SECRET: z.string().regex(/^whsec_\w{8,}$/, 'has to be a secret like whsec_…'),
  STRIPE_API_BASE: origin.optional(),
  STRIPE_SCRIPT_URL: z.string().min(1).optional(),
  STRIPE_PAYPAL: flag.optional(),
  /** What a trial by PayPal costs today: its price, or nothing. */
  PAYPAL_TRIAL: z.enum(['paid', 'free']).default('paid'),
  SANITY_PROJECT_ID: z.string().optional(),
  SANITY_DATASET: z.string().default('production'),
  /** Reads programme documents; the older name works too. */
  SANITY_READ_TOKEN: z.string().optional(),
  SANITY_TOKEN: z.string().optional(),
  SANITY_API_HOST: origin.optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().min(3).optional(),
  ALERT_MAIL: z
    .string()
    .refine((text) => parseEmail(text), 'has to be an e-mail address')
    .optional(),
  ALERT_URL: z
    .url({ protocol: /^https?$/, error: 'has to be an http address' })
    // fetch() refuses it with an error that shows the password
    .refine((text) => new URL(text).username === '', 'has to be without a name and a password')
    .optional(),
  META_PIXEL_ID: z.string().optional(),
  META_CAPI_TOKEN: z.string().optional(),
  META_TEST_EVENT_CODE: z.string().optional(),
  META_API_BASE: origin.default('https://graph.facebook.com/v24.0'),
  CONSENT_REGIONS: z
    .string()
    .regex(/^(none|[A-Z]{2}(,[A-Z]{2})*)$/, 'has to be like DE,FR or none')
    .optional(),
  /** Unset: where tax on digital services is owed from a foreign seller's first sale. */
  TAX_REGISTRATIONS: z
    .string()
    .default('EU,GB')
    .transform((text, context) => {
      const found = readRegistrations(text)
      if (found) return found
      context.addIssue('has to be none, or EU and countries with one rate (contract/tax/rates.ts), like EU,GB,CH')
      return z.NEVER
    }),
  EVENT_RETENTION_MONTHS: z.coerce.number().int().min(1).max(120).default(13),
})

/** `none`, or countries with a rate of their own, `EU` for all member states; undefined for anything else. */
function readRegistrations(text: string): readonly string[] | undefined {
  if (text === 'none') return []
  const countries = text.split(',').flatMap((name) => (name === 'EU' ? EU : [name]))
  return countries.every((country) => rateAt(country, new Date()) !== undefined) ? countries : undefined
}

type Given = Readonly<Record<string, string | undefined>>

/**
 * What is wrong with variables taken together; `env` is what each of them says, undefined when one of them is wrong by
 * itself.
 */
function contradictions(given: Given, env: z.infer<typeof Environment> | undefined, embedded: boolean): string[] {
  const problems: string[] = []
  if (embedded && given['NODE_ENV'] === 'production') {
    problems.push('EMBEDDED=1 is for development, tests and demos: NODE_ENV=production refuses it and its secrets')
  }
  if (embedded && given['STRIPE_SECRET_KEY']?.includes('_live_')) {
    problems.push('STRIPE_SECRET_KEY is a live key: EMBEDDED=1 takes test keys only')
  }
  for (const name of ['STRIPE_API_BASE', 'STRIPE_SCRIPT_URL']) {
    if (!embedded && given[name]) problems.push(`${name} belongs to the embedded sandbox: it needs EMBEDDED=1`)
  }
  if (!embedded && given['META_API_BASE']) problems.push('META_API_BASE is for a stand-in: it needs EMBEDDED=1')
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

/** Parses an environment. Throws ConfigError naming every variable that is missing or wrong, never a value. */
export function readConfig(environment: Given): Config {
  const secrets = withSecretFiles(environment)
  // an empty line in .env means: not set
  const given = Object.fromEntries(
    Object.entries(secrets.given).filter(([, value]) => value !== '' && value !== undefined),
  )
  const parsed = Environment.safeParse(given)
  const embedded = given['EMBEDDED'] === '1' || given['EMBEDDED'] === 'true'
  const problems = [
    ...secrets.problems.values(),
    ...(parsed.error?.issues ?? [])
      .filter(({ path }) => !secrets.problems.has(String(path[0])))
      .map((issue) => explain(issue, given)),
    ...contradictions(given, parsed.data, embedded),
  ]
  if (!parsed.success || problems.length > 0) throw new ConfigError([...new Set(problems)])

  const env = parsed.data
  const readToken = env.SANITY_READ_TOKEN ?? env.SANITY_TOKEN
  return {
    port: env.PORT,
    host: env.HOST,
    metricsPort: env.METRICS_PORT ?? null,
    databaseUrl: env.DATABASE_URL,
    backupsByHost: env.BACKUPS === 'host',
    siteUrl: env.SITE_URL,
    appUrl: env.APP_URL ?? `${env.SITE_URL}/app/`,
    operatorUrl: env.OPERATOR_URL ?? null,
    embedded: env.EMBEDDED,
    cookieSuffix: env.COOKIE_SUFFIX,
    tokenSecret: env.TOKEN_SECRET,
    // embedded: the only proxy in front runs on this machine
    trustProxy: env.TRUST_PROXY ?? (env.EMBEDDED ? 'loopback' : false),
    countryHeader: env.COUNTRY_HEADER ?? (env.EMBEDDED ? 'x-country-code' : null),
    drainSeconds: env.DRAIN_SECONDS ?? (env.EMBEDDED ? 0 : DRAIN_SECONDS),
    logLevel: env.LOG_LEVEL,
    limitFactor: env.LIMIT_FACTOR ?? (env.EMBEDDED ? EMBEDDED_LIMIT_FACTOR : 1),
    failpoint: env.FAILPOINT ?? null,
    stripe: {
      secretKey: env.STRIPE_SECRET_KEY,
      publishableKey: env.STRIPE_PUBLISHABLE_KEY,
      webhookSecret: env.STRIPE_WEBHOOK_SECRET,
      apiBase: env.STRIPE_API_BASE ?? null,
      scriptUrl: env.STRIPE_SCRIPT_URL ?? null,
      paypal: env.STRIPE_PAYPAL ?? env.STRIPE_API_BASE !== undefined,
      paypalSetup: env.PAYPAL_TRIAL === 'free',
    },
    sanity:
      env.SANITY_PROJECT_ID && readToken
        ? {
            projectId: env.SANITY_PROJECT_ID,
            dataset: env.SANITY_DATASET,
            token: readToken,
            apiHost: env.SANITY_API_HOST ?? null,
          }
        : null,
    mail: { smtpUrl: env.SMTP_URL ?? null, from: env.MAIL_FROM ?? `no-reply@${new URL(env.SITE_URL).hostname}` },
    alerts: { mail: env.ALERT_MAIL ?? null, url: env.ALERT_URL ?? null },
    meta:
      env.META_PIXEL_ID && env.META_CAPI_TOKEN
        ? {
            pixelId: env.META_PIXEL_ID,
            accessToken: env.META_CAPI_TOKEN,
            testEventCode: env.META_TEST_EVENT_CODE ?? null,
            apiBase: env.META_API_BASE,
          }
        : null,
    consentRegions:
      env.CONSENT_REGIONS === undefined
        ? countriesWith('tracking_consent')
        : env.CONSENT_REGIONS === 'none'
          ? []
          : env.CONSENT_REGIONS.split(','),
    taxRegistrations: env.TAX_REGISTRATIONS,
    eventRetentionMonths: env.EVENT_RETENTION_MONTHS,
  }
}

/** A buyer must never pay for a programme that cannot be opened, or wait for a mail that nobody sends. */
function missingInProduction(given: Readonly<Record<string, string | undefined>>): string[] {
  const why = 'without it buyers pay for a programme that cannot be opened'
  return [
    ...(given['SANITY_PROJECT_ID'] ? [] : [`SANITY_PROJECT_ID is missing: ${why}`]),
    ...(given['SANITY_READ_TOKEN'] || given['SANITY_TOKEN'] ? [] : [`${missing('SANITY_READ_TOKEN')}: ${why}`]),
    ...(given['SMTP_URL'] ? [] : [`${missing('SMTP_URL')}: without it no buyer gets a confirmation`]),
  ]
}

const sameHost = (one: string, other: string): boolean => new URL(one).hostname === new URL(other).hostname

function explain(issue: z.core.$ZodIssue, given: Given): string {
  const name = String(issue.path[0])
  return given[name] === undefined ? missing(name) : `${name} is not right: ${issue.message}`
}
