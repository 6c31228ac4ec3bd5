/**
 * The programs of the product: their files, their environment, when they are ready. Used by start, dev and the
 * journeys.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BUILD_VARIABLES, type Ports, root, type Secrets } from './settings.ts'

export interface Program {
  /** As in the table of addresses and in .data/logs. */
  name: string
  /** Run by the project's Node, from the project's root. */
  args: string[]
  env: Record<string, string>
  /** Ready when this answers with anything below 500. */
  readyUrl: string
}

export interface World {
  ports: Ports
  secrets: Secrets
  databaseUrl: string
  /** Folder for what the stand-ins keep. */
  dataDir: string
  /** The configured variables; each replaces a stand-in. */
  configured: NodeJS.ProcessEnv
}

const local = (port: number) => `http://127.0.0.1:${port}`
const has = (path: string) => existsSync(join(root, path))

/** Which stand-ins this world needs: those that exist and are not replaced by configuration. */
export function standIns({ configured }: World) {
  return {
    lake: !configured['SANITY_PROJECT_ID'] && has('stand-ins/content-lake/main.ts'),
    stripe: !configured['STRIPE_SECRET_KEY'] && has('stand-ins/stripe/main.ts'),
    mailbox: !configured['SMTP_URL'] && has('stand-ins/mailbox/mailbox.ts'),
    meta: !configured['META_PIXEL_ID'] && !configured['META_CAPI_TOKEN'] && has('stand-ins/meta/receiver.ts'),
  }
}

/** The configured values of these names that are set. */
function given(configured: NodeJS.ProcessEnv, ...names: string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (configured[name] ? [[name, configured[name]]] : [])))
}

/**
 * Where the public content comes from: for the site's build and the Studio. No token: a build reads what is public.
 */
export function contentEnv(world: World): Record<string, string> {
  const { ports, configured } = world
  if (!standIns(world).lake) {
    return given(configured, 'SANITY_API_HOST', 'SANITY_PROJECT_ID', 'SANITY_DATASET')
  }
  return {
    SANITY_API_HOST: local(ports.lake),
    SANITY_PROJECT_ID: 'local0001',
    SANITY_DATASET: configured['SANITY_DATASET'] ?? 'production',
  }
}

export function siteUrl({ ports, configured }: World): string {
  return configured['SITE_URL'] || `http://localhost:${ports.site}`
}

export function lake(world: World): Program {
  const { ports, secrets, dataDir, configured } = world
  return {
    name: 'lake',
    args: ['stand-ins/content-lake/main.ts'],
    env: {
      PORT: String(ports.lake),
      LAKE_DATA: join(dataDir, 'lake'),
      LAKE_SEED: configured['LAKE_SEED'] ?? join(root, 'studio', 'dataset'),
      LAKE_TOKEN: secrets.lakeToken,
      LAKE_STUDIO_ORIGINS: studioOrigins(world),
    },
    readyUrl: `${local(ports.lake)}/v2025-02-19/users/me`,
  }
}

export function stripeSandbox({ ports, secrets, dataDir }: World): Program {
  return {
    name: 'stripe',
    args: ['stand-ins/stripe/main.ts'],
    env: {
      PORT: String(ports.stripe),
      STRIPE_SANDBOX_DATA: join(dataDir, 'stripe'),
      STRIPE_SECRET_KEY: secrets.stripeSecretKey,
      STRIPE_PUBLISHABLE_KEY: secrets.stripePublishableKey,
      STRIPE_WEBHOOK_URL: `${local(ports.api)}/api/webhooks/stripe`,
      STRIPE_WEBHOOK_SECRET: secrets.stripeWebhookSecret,
    },
    readyUrl: `${local(ports.stripe)}/`,
  }
}

/** The operator that a clone on its own database has from the start. */
export const CLONE_OPERATOR = 'operator@example.com'

/**
 * Creates that account, or leaves an existing one as it is. Undefined with a configured database, and in production.
 */
export function cloneOperator(world: World): { args: string[]; env: Record<string, string> } | undefined {
  const { configured, databaseUrl, secrets } = world
  if (configured['DATABASE_URL'] || configured['NODE_ENV'] === 'production') return undefined
  return {
    args: ['payments-service/operator/create.ts', CLONE_OPERATOR],
    env: { DATABASE_URL: databaseUrl, SITE_URL: siteUrl(world), OPERATOR_PASSWORD: secrets.operatorPassword },
  }
}

export function mailbox({ ports, dataDir }: World): Program {
  return {
    name: 'mailbox',
    args: ['stand-ins/mailbox/mailbox.ts'],
    env: { PORT: String(ports.mailbox), SMTP_PORT: String(ports.smtp), MAILBOX_DATA: join(dataDir, 'mailbox') },
    readyUrl: `${local(ports.mailbox)}/`,
  }
}

/** Shows what would be sent to the advertising platform (T-02); nothing leaves the machine. */
export function meta({ ports }: World): Program {
  return {
    name: 'meta',
    args: ['stand-ins/meta/receiver.ts'],
    env: { PORT: String(ports.meta) },
    readyUrl: `${local(ports.meta)}/`,
  }
}

export function service(world: World): Program {
  const { ports, secrets, configured, databaseUrl } = world
  const embedded = standIns(world)
  return {
    name: 'api',
    args: ['payments-service/main.ts'],
    env: {
      PORT: String(ports.api),
      DATABASE_URL: databaseUrl,
      SITE_URL: siteUrl(world),
      EMBEDDED: '1',
      COOKIE_SUFFIX: secrets.cookieSuffix,
      TOKEN_SECRET: configured['TOKEN_SECRET'] ?? secrets.tokenSecret,
      ...(embedded.stripe
        ? {
            STRIPE_SECRET_KEY: secrets.stripeSecretKey,
            STRIPE_PUBLISHABLE_KEY: secrets.stripePublishableKey,
            STRIPE_WEBHOOK_SECRET: secrets.stripeWebhookSecret,
            STRIPE_API_BASE: local(ports.stripe),
            STRIPE_SCRIPT_URL: '/_stripe/stripe.js',
          }
        : {
            // without a way for Stripe's webhooks to this machine the service asks Stripe itself
            STRIPE_WEBHOOK_SECRET: secrets.stripeWebhookSecret,
            ...given(configured, 'STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'),
          }),
      ...contentEnv(world),
      ...(embedded.lake
        ? { SANITY_READ_TOKEN: secrets.lakeToken }
        : given(configured, 'SANITY_READ_TOKEN', 'SANITY_TOKEN')),
      STUDIO_ORIGINS: configured['STUDIO_ORIGINS'] ?? studioOrigins(world),
      ...(embedded.mailbox ? { SMTP_URL: `smtp://127.0.0.1:${ports.smtp}` } : given(configured, 'SMTP_URL')),
      MAIL_FROM: configured['MAIL_FROM'] ?? 'Eye programme <hello@localhost>',
      ...(embedded.meta
        ? { META_PIXEL_ID: secrets.metaPixelId, META_CAPI_TOKEN: secrets.metaToken, META_API_BASE: local(ports.meta) }
        : given(configured, 'META_PIXEL_ID', 'META_CAPI_TOKEN', 'META_TEST_EVENT_CODE')),
      ...given(
        configured,
        ...[
          'DATABASE_URL_DIRECT',
          'DATABASE_URL_READ',
          'LOG_LEVEL',
          'TRUST_PROXY',
          'COUNTRY_HEADER',
          'APP_URL',
          'OPERATOR_URL',
          'STRIPE_PAYPAL',
          'PAYPAL_TRIAL',
          'TAX_REGISTRATIONS',
        ],
        ...['CONSENT_REGIONS', 'EVENT_RETENTION_MONTHS', 'METRICS_PORT', 'ALERT_MAIL', 'ALERT_URL', 'SENTRY_DSN'],
        ...[
          'OTEL_EXPORTER_OTLP_ENDPOINT',
          'OTEL_EXPORTER_OTLP_HEADERS',
          'OTEL_SERVICE_NAME',
          'OTEL_TRACES_SAMPLER_ARG',
        ],
      ),
    },
    readyUrl: `${local(ports.api)}/readyz`,
  }
}

/** Fills the payment account's catalogue (P-13), then ends. For the sandbox only: a real account is set up by hand. */
export function catalogueSetup(world: World): { args: string[]; env: Record<string, string> } | undefined {
  if (!standIns(world).stripe || !has('payments-service/stripe-setup.command.ts')) return undefined
  return { args: ['payments-service/stripe-setup.command.ts'], env: service(world).env }
}

/** The front door over a built site (`dist`) or over a dev server (`devUrl`). */
export function frontDoor(world: World, site: { dist: string } | { devUrl: string }): Program {
  const { ports, configured } = world
  return {
    name: 'site',
    args: ['src/site/local-server.ts'],
    env: {
      PORT: String(ports.site),
      API_URL: local(ports.api),
      ...(standIns(world).stripe ? { STRIPE_URL: local(ports.stripe) } : {}),
      ...('dist' in site ? { SITE_DIST: site.dist } : { SITE_DEV_URL: site.devUrl }),
      ...given(configured, 'HOST'),
    },
    readyUrl: `${local(ports.site)}/`,
  }
}

/** Includes the token that reads drafts and writes: for the editors' programs, never for a build. */
function editorsEnv(world: World): Record<string, string> {
  const { secrets, configured } = world
  const token = standIns(world).lake ? { SANITY_TOKEN: secrets.lakeToken } : given(configured, 'SANITY_TOKEN')
  return { ...contentEnv(world), ...token }
}

/** Without a token, drafts cannot be read and editors do not learn the result of a publish. */
export function servesEditors(world: World): boolean {
  return standIns(world).lake || Boolean(world.configured['SANITY_TOKEN'])
}

const studioUrl = ({ ports }: World) => `http://localhost:${ports.studio}`
const studioOrigins = (world: World) => `${studioUrl(world)},${local(world.ports.studio)}`

/** The Studio built into `build`, as static files that learn at run time where the lake and the preview are. */
export function studio(world: World, build: string): Program {
  const { ports } = world
  return {
    name: 'studio',
    args: ['scripts/serve-studio.ts', build],
    env: {
      PORT: String(ports.studio),
      ...(standIns(world).lake ? { STUDIO_API_HOST: `http://localhost:${ports.lake}` } : {}),
      STUDIO_PREVIEW_URL: `http://localhost:${ports.preview}`,
      STUDIO_SITE_URL: siteUrl(world),
      STUDIO_PUBLISHER_URL: `http://localhost:${ports.publisher}`,
    },
    readyUrl: `${local(ports.studio)}/`,
  }
}

/** The draft deployment, built into `build`: what the Studio's Presentation tool shows (K-04). */
export function preview(world: World, build: string): Program {
  const { ports } = world
  return {
    name: 'preview',
    args: ['src/drafts/server.ts'],
    env: {
      PORT: String(ports.preview),
      DRAFTS_BUILD: build,
      SITE_RENDER: 'drafts',
      ...editorsEnv(world),
      SANITY_STUDIO_URL: studioUrl(world),
      STUDIO_ORIGINS: studioOrigins(world),
    },
    readyUrl: `${local(ports.preview)}/healthz`,
  }
}

/**
 * Publish → page: whenever published content changes, checks it, builds the site and swaps the build that `site` links
 * to (K-04, K-05).
 */
export function publisher(world: World, folders: { site: string; builds: string }): Program {
  const { ports, configured } = world
  return {
    name: 'publisher',
    args: ['scripts/publisher/main.ts'],
    env: {
      PORT: String(ports.publisher),
      SITE_LINK: folders.site,
      SITE_BUILDS: folders.builds,
      STUDIO_ORIGINS: configured['STUDIO_ORIGINS'] ?? studioOrigins(world),
      ...editorsEnv(world),
      // the same build as that of the start
      ...given(configured, ...BUILD_VARIABLES, 'SITE_BUILDS_KEPT'),
    },
    readyUrl: `${local(ports.publisher)}/`,
  }
}

/** Astro's dev server, reached through the front door so that the routing table holds there too. */
export function devServer(world: World): Program {
  const port = String(world.ports.dev)
  return {
    name: 'dev',
    args: ['node_modules/astro/bin/astro.mjs', 'dev', '--port', port, '--host', 'localhost'],
    env: { ...contentEnv(world), ASTRO_TELEMETRY_DISABLED: '1' },
    readyUrl: `http://localhost:${port}/`,
  }
}
