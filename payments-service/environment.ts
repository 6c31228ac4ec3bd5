/** What each variable has to look like by itself. */
import { z } from 'zod'
import { EEA, EU } from '../contract/countries.ts'
import { parseEmail } from '../contract/email.ts'
import { rateAt } from '../contract/tax/rates.ts'
import { PostgresAddress } from '../db/named-database.ts'
import { FAILPOINT_SYNTAX } from './failpoints.ts'
import { parseDsn } from './http/error-reports.ts'
import { parseTrustProxy } from './http/proxies.ts'

const flag = z.enum(['0', '1', 'true', 'false']).transform((text) => text === '1' || text === 'true')
const origin = z
  .url({ protocol: /^https?$/, error: 'has to be an address like https://shop.example' })
  .transform((text) => text.replace(/\/{1,9}$/, ''))

/** Secrets separated by commas: two are valid while one replaces the other, and the first one signs. */
const listOf = (secret: z.ZodString) =>
  z
    .string()
    .transform((text) => text.split(',').map((one) => one.trim()))
    .pipe(z.tuple([secret], secret))

/** `none`, or countries that `knows` knows, with `EU` for all of `union`. */
function countries(union: readonly string[], knows: (name: string) => boolean, words: string) {
  return z.string().transform((text, context): readonly string[] => {
    const names = text === 'none' ? [] : text.split(',').flatMap((name) => (name === 'EU' ? union : [name]))
    const wrong = names.find((name) => !/^[A-Z]{2}$/.test(name) || !knows(name))
    if (wrong === undefined) return names
    // no more of it than a code: values are never shown
    context.addIssue(`has to be none, or ${words}${/^\w{2,3}$/.test(wrong) ? `; ${wrong} is none of them` : ''}`)
    return z.NEVER
  })
}

const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
/** Regions with a name that are no countries. */
const GROUPS = ['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']
/** No former code either, nor `UK`: headers name a country by its present one. */
const isCountry = (name: string): boolean =>
  regions.of(name) !== undefined && new Intl.Locale(`und-${name}`).region === name && !GROUPS.includes(name)

export const Environment = z.object({
  NODE_ENV: z.string().optional(),
  HOST: z.union([z.ipv4(), z.ipv6(), z.literal('localhost')], 'has to be an IP address').default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65535).default(4242),
  METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  DATABASE_URL: PostgresAddress,
  DATABASE_URL_DIRECT: PostgresAddress.optional(),
  DATABASE_URL_READ: PostgresAddress.optional(),
  BACKUPS: z.literal('host', 'has to be host, or to be left out').optional(),
  SITE_URL: origin,
  APP_URL: origin.optional(),
  OPERATOR_URL: origin.optional(),
  EMBEDDED: flag.default(false),
  REHEARSAL: flag.default(false),
  ROLE: z.enum(['web', 'worker', 'all'], 'has to be web, worker or all').default('all'),
  COOKIE_SUFFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]{0,32}$/, 'takes letters, digits, - and _ only')
    .default(''),
  TOKEN_SECRET: listOf(z.string().min(32, 'has to be at least 32 characters of randomness')),
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
  STRIPE_WEBHOOK_SECRET: listOf(z.string().regex(/^whsec_\w{8,}$/, 'has to be a secret like whsec_…')),
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
  STUDIO_ORIGINS: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(origin))
    .default([]),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'has to be like smtps://name:password@mail.example:465' }).optional(),
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
  SENTRY_DSN: z
    .string()
    .transform((text, context) => {
      const target = parseDsn(text)
      if (target) return target
      context.addIssue('has to be like https://key@host/project')
      return z.NEVER
    })
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'has to be an http address, like http://127.0.0.1:4318' })
    // a password there would be in no file
    .refine((text) => new URL(text).username === '', 'has to be without a name and a password')
    .transform((text) => text.replace(/\/{1,9}$/, ''))
    .optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[^=,\s]+=[^,\s]*(,[^=,\s]+=[^,\s]*)*$/, 'has to be like api-key=…,other=…, with %20 for a space')
    .optional(),
  OTEL_SERVICE_NAME: z.string().default('payments-service'),
  /** The share of traces that is kept. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number('has to be a share, 0 to 1').min(0).max(1).default(0.1),
  META_PIXEL_ID: z.string().optional(),
  META_CAPI_TOKEN: z.string().optional(),
  META_TEST_EVENT_CODE: z.string().optional(),
  META_API_BASE: origin.default('https://graph.facebook.com/v24.0'),
  /** `EU` is the whole EEA: its law on consent is one. */
  CONSENT_REGIONS: countries(EEA, isCountry, 'EU and countries by ISO 3166, like EU,GB,CH').optional(),
  /** Unset: where tax on digital services is owed from a foreign seller's first sale. */
  TAX_REGISTRATIONS: countries(
    EU,
    (name) => rateAt(name, new Date()) !== undefined,
    'EU and countries with one rate (contract/tax/rates.ts), like EU,GB,CH',
  ).prefault('EU,GB'),
  EVENT_RETENTION_MONTHS: z.coerce.number().int().min(1).max(120).default(13),
})
