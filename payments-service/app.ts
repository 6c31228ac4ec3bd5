import express, { type Express, type Request } from 'express'
import type { HelmetOptions } from 'helmet'
import { pendingMigrations } from '../db/migrate.ts'
import type { Deps } from './deps.ts'
import { accountRoutes } from './accounts/routes.ts'
import { callerOf } from './callers.ts'
import { checkoutRoutes } from './checkout/routes.ts'
import { parseJson, refuseForeign, requireJson } from './http/body.ts'
import { attachContext } from './http/context.ts'
import { errorHandler, notFound } from './http/error-handler.ts'
import { fastPath } from './http/fast-path.ts'
import { createLimiter } from './http/limits.ts'
import { trustProxies } from './http/proxies.ts'
import { openApiDocument, openApiPage } from './http/openapi.ts'
import { refuseOtherMethods, type RouteTable } from './http/route.ts'
import { securityHeaders, setHeaders } from './http/security-headers.ts'
import { isOperatorHost } from './operator/host.ts'
import { operatorRoutes } from './operator/routes.ts'
import { paypalRoutes } from './paypal/routes.ts'
import { mailLinkRoutes } from './mail-links/routes.ts'
import { unsubscribeRoutes } from './mail-links/unsubscribe.ts'
import { programmeRoutes } from './programme/routes.ts'
import { readingRoutes } from './reading/routes.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { siteConfigRoutes } from './site-config/routes.ts'
import { subscriptionRoutes } from './subscriptions/routes.ts'
import { toAppError } from './stripe/failure.ts'
import { trackingRoutes } from './tracking/routes.ts'
import { upsellRoutes } from './upsell/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** What every visitor sends with every step: it goes past the layers that are not for it. */
const VISITS = /^\/api\/(track|sessions)\b/i

/** Headers of an answer that is data and no page: what OWASP asks of an API. */
const AS_DATA = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], baseUri: ["'none'"], frameAncestors: ["'none'"] },
  },
  // they speak to browsers that show a page, or to ones of long ago
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
} satisfies HelmetOptions

/** The whole HTTP side. The order of the middleware is the order of these lines. */
export function createApp(deps: Deps): Express {
  const { config, db, log } = deps
  const app = express()
  trustProxies(app, config.trustProxy)
  app.disable('x-powered-by')
  app.set('etag', false)
  const limiter = createLimiter(deps.pool, config.limitFactor)
  const table: RouteTable = {
    router: express.Router(),
    limiter,
    callerOf: (req, params) => callerOf(deps, req, params),
    registered: [],
    often: new Map(),
  }
  mountEndpoints(table, deps)

  const always = {
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: !config.embedded,
  } satisfies HelmetOptions
  const dataHeaders = securityHeaders({ ...always, ...AS_DATA })
  const failed = errorHandler(toAppError)
  app.use(fastPath(table, { log, headers: dataHeaders, failed }))

  app.use(attachContext(log))
  const asPage = setHeaders(securityHeaders(always))
  const asData = setHeaders(dataHeaders)
  app.use((req, res, next) => (VISITS.test(req.path) ? asData : asPage)(req, res, next))

  const apart = express.Router()
  apart.get('/healthz', (_req, res) => void res.json({ alive: true }))
  apart.get('/readyz', async (_req, res) => {
    const pending = await pendingMigrations(db)
    res.status(pending.length === 0 ? 200 : 503).json({ ready: pending.length === 0, pendingMigrations: pending })
  })

  // before any parser: signatures are over the raw bytes
  webhookRoutes(apart, deps)
  // a mail program posts a form, from anywhere
  unsubscribeRoutes(apart, deps, limiter)
  app.use((req, res, next) => (VISITS.test(req.path) ? next() : apart(req, res, next)))

  app.use(refuseForeign)
  // forms of the operator's pages are no JSON
  const operator = express.Router()
  operatorRoutes(operator, deps, limiter)
  const isOperators = (req: Request): boolean => !/^\/api\//i.test(req.path) && isOperatorHost(config, req)
  app.use((req, res, next) => (isOperators(req) ? operator(req, res, next) : next()))
  app.use(requireJson, parseJson)

  // after every route: what is known by then is documented, and other methods are refused
  const document = openApiDocument(table.registered)
  table.router.get('/api/openapi.json', (_req, res) => void res.json(document))
  if (config.embedded) table.router.get('/api/docs', (_req, res) => void res.type('html').send(openApiPage(document)))
  refuseOtherMethods(table)

  app.use(table.router)
  app.use(notFound)
  app.use(failed)
  return app
}

/** Every endpoint of the contract. */
function mountEndpoints(table: RouteTable, deps: Deps): void {
  // first what every visitor sends: a router asks its routes one by one
  trackingRoutes(table, deps)
  sessionRoutes(table, deps)
  siteConfigRoutes(table, deps)
  checkoutRoutes(table, deps)
  paypalRoutes(table, deps)
  upsellRoutes(table, deps)
  accountRoutes(table, deps)
  subscriptionRoutes(table, deps)
  mailLinkRoutes(table, deps)
  programmeRoutes(table, deps)
  readingRoutes(table, deps)
}
