/**
 * env → Config: main.ts hands in process.env, tests hand in what they like; beside it only the files of secrets are
 * read. No secret has a default.
 */
import type { z } from 'zod'
import { countriesWith } from '../contract/duties/table.ts'
import { missing, withSecretFiles } from '../db/secret-files.ts'
import { contradictions, type Given, isOn } from './contradictions.ts'
import { Environment } from './environment.ts'
import type { ReportTarget } from './http/error-reports.ts'
import type { TracesTarget } from './tracing/otlp.ts'

export interface Config {
  /** `web` answers requests, `worker` does what is done beside them, `all` both. */
  role: 'web' | 'worker' | 'all'
  port: number
  /** Interface to listen on. A client that bypasses the proxy in front could claim any address. */
  host: string
  /** Port of /metrics, on the same interface; null: not served. */
  metricsPort: number | null
  databaseUrl: string
  /** The server itself where `databaseUrl` leads through a transaction pooler; null without one. */
  databaseUrlDirect: string | null
  /** A replica that reports are read from; null without one. */
  databaseUrlRead: string | null
  /** The database's host makes the backups: ours may be absent. */
  backupsByHost: boolean
  /** Origin of the site, without a trailing slash; return addresses and links in mails are built from it. */
  siteUrl: string
  /** Address of the programme. */
  appUrl: string
  /** Origin of the operator pages, on a separate host; null: on the site's, like every other page. */
  operatorUrl: string | null
  /** Embedded mode: insecure LAN origins are allowed, API docs are public, Stripe is the sandbox. */
  embedded: boolean
  /** Everything as in production, but Stripe is the sandbox: no one is charged. */
  rehearsal: boolean
  /** Distinguishes the cookies of two clones: Chromium shares cookies across all localhost ports. */
  cookieSuffix: string
  tokenSecret: string
  /** Secrets that are being replaced, or are about to replace it: what they signed counts, and they sign nothing. */
  otherTokenSecrets: readonly string[]
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
    /** Any of them may have signed an event: two while one replaces the other. */
    webhookSecrets: readonly string[]
    /** Address of the embedded sandbox; null reaches Stripe itself. */
    apiBase: string | null
    scriptUrl: string | null
    /** PayPal through Stripe exists only for accounts in some countries. */
    paypal: boolean
    /** PayPal starts a trial at value 0 (P-06) instead of paying its price (C-14). */
    paypalSetup: boolean
  }
  /** Origins of the Studio, whose pages may read what editors may. */
  studioOrigins: readonly string[]
  sanity: { projectId: string; dataset: string; token: string; apiHost: string | null } | null
  mail: { smtpUrl: string | null; from: string }
  /** Who is notified when something is wrong, beside the log. */
  alerts: { mail: string | null; url: string | null }
  /** Where the service's own errors are reported; null: in the log alone. */
  errorReports: { target: ReportTarget; environment: string } | null
  /** Where traces are sent; null: none are made. */
  traces: TracesTarget | null
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

/** Parses an environment. Throws ConfigError naming every variable that is missing or wrong, never a value. */
export function readConfig(environment: Given): Config {
  const secrets = withSecretFiles(environment)
  // an empty line in .env means: not set
  const given = Object.fromEntries(
    Object.entries(secrets.given).filter(([, value]) => value !== '' && value !== undefined),
  )
  const parsed = Environment.safeParse(given)
  const problems = [
    ...secrets.problems.values(),
    ...(parsed.error?.issues ?? [])
      .filter(({ path }) => !secrets.problems.has(String(path[0])))
      .map((issue) => explain(issue, given)),
    ...contradictions(given, parsed.data, isOn(given['EMBEDDED'])),
  ]
  if (!parsed.success || problems.length > 0) throw new ConfigError([...new Set(problems)])

  const env = parsed.data
  const readToken = env.SANITY_READ_TOKEN ?? env.SANITY_TOKEN
  return {
    role: env.ROLE,
    port: env.PORT,
    host: env.HOST,
    metricsPort: env.METRICS_PORT ?? null,
    databaseUrl: env.DATABASE_URL,
    databaseUrlDirect: env.DATABASE_URL_DIRECT ?? null,
    databaseUrlRead: env.DATABASE_URL_READ ?? null,
    backupsByHost: env.BACKUPS === 'host',
    siteUrl: env.SITE_URL,
    appUrl: env.APP_URL ?? `${env.SITE_URL}/app/`,
    operatorUrl: env.OPERATOR_URL ?? null,
    embedded: env.EMBEDDED,
    rehearsal: env.REHEARSAL,
    cookieSuffix: env.COOKIE_SUFFIX,
    tokenSecret: env.TOKEN_SECRET[0],
    otherTokenSecrets: env.TOKEN_SECRET.slice(1),
    // embedded: the only proxy in front runs on this machine
    trustProxy: env.TRUST_PROXY ?? (env.EMBEDDED ? 'loopback' : false),
    countryHeader: env.COUNTRY_HEADER ?? (env.EMBEDDED ? 'x-country-code' : null),
    // no balancer sends anything to a worker
    drainSeconds: env.ROLE === 'worker' ? 0 : (env.DRAIN_SECONDS ?? (env.EMBEDDED ? 0 : DRAIN_SECONDS)),
    logLevel: env.LOG_LEVEL,
    limitFactor: env.LIMIT_FACTOR ?? (env.EMBEDDED ? EMBEDDED_LIMIT_FACTOR : 1),
    failpoint: env.FAILPOINT ?? null,
    stripe: {
      secretKey: env.STRIPE_SECRET_KEY,
      publishableKey: env.STRIPE_PUBLISHABLE_KEY,
      webhookSecrets: env.STRIPE_WEBHOOK_SECRET,
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
    studioOrigins: env.STUDIO_ORIGINS,
    mail: { smtpUrl: env.SMTP_URL ?? null, from: env.MAIL_FROM ?? `no-reply@${new URL(env.SITE_URL).hostname}` },
    alerts: { mail: env.ALERT_MAIL ?? null, url: env.ALERT_URL ?? null },
    errorReports: env.SENTRY_DSN ? { target: env.SENTRY_DSN, environment: env.NODE_ENV ?? 'development' } : null,
    traces: env.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
          headers: readHeaders(env.OTEL_EXPORTER_OTLP_HEADERS),
          serviceName: env.OTEL_SERVICE_NAME,
          share: env.OTEL_TRACES_SAMPLER_ARG,
        }
      : null,
    meta:
      env.META_PIXEL_ID && env.META_CAPI_TOKEN
        ? {
            pixelId: env.META_PIXEL_ID,
            accessToken: env.META_CAPI_TOKEN,
            testEventCode: env.META_TEST_EVENT_CODE ?? null,
            apiBase: env.META_API_BASE,
          }
        : null,
    consentRegions: env.CONSENT_REGIONS ?? countriesWith('tracking_consent'),
    taxRegistrations: env.TAX_REGISTRATIONS,
    eventRetentionMonths: env.EVENT_RETENTION_MONTHS,
  }
}

/** What a command needs that asks Stripe alone. */
export type StripeAccount = Pick<Config['stripe'], 'secretKey' | 'apiBase'>

/** Parses it; no other variable has to be set. Throws ConfigError as readConfig does. */
export function readStripeAccount(environment: Given): StripeAccount {
  const { given, problems } = withSecretFiles(environment)
  const named = {
    STRIPE_SECRET_KEY: given['STRIPE_SECRET_KEY'] || undefined,
    STRIPE_API_BASE: given['STRIPE_API_BASE'] || undefined,
  }
  const parsed = Environment.pick({ STRIPE_SECRET_KEY: true, STRIPE_API_BASE: true }).safeParse(named)
  const unreadable = problems.get('STRIPE_SECRET_KEY')
  const wrong = [
    ...(unreadable ? [unreadable] : (parsed.error?.issues ?? []).map((issue) => explain(issue, named))),
    ...contradictions(given, undefined, isOn(given['EMBEDDED'])).filter((one) => /^STRIPE_(?:SECRET|API)_/.test(one)),
  ]
  if (!parsed.success || wrong.length > 0) throw new ConfigError([...new Set(wrong)])
  return { secretKey: parsed.data.STRIPE_SECRET_KEY, apiBase: parsed.data.STRIPE_API_BASE ?? null }
}

/** `name=value,other=value`, where values are percent-encoded. */
function readHeaders(text = ''): Record<string, string> {
  const pairs = text.split(',').filter(Boolean)
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))]
    }),
  )
}

function explain(issue: z.core.$ZodIssue, given: Given): string {
  const name = String(issue.path[0])
  return given[name] === undefined ? missing(name) : `${name} is not right: ${issue.message}`
}
