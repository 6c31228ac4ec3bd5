import express, { type Express, type RequestHandler, type Router } from 'express'
import type { Deps } from './deps.ts'
import { accountRoutes } from './accounts/routes.ts'
import { callerOf } from './callers.ts'
import { checkoutRoutes } from './checkout/routes.ts'
import { editorRoutes } from './editors/routes.ts'
import { parseJson, refuseForeign, refuseNul, requireJson } from './http/body.ts'
import { attachContext } from './http/context.ts'
import { errorHandler, notFound } from './http/error-handler.ts'
import { endConnections, healthRoutes, type HealthSource } from './health.ts'
import { createLimiter, type Limiter } from './http/limits.ts'
import { openApiDocument, openApiPage } from './http/openapi.ts'
import { noticeUnnamedProxy } from './http/proxies.ts'
import { refuseOtherMethods, type RouteTable } from './http/route.ts'
import { securityHeaders } from './http/security-headers.ts'
import { traceRequests } from './http/trace-requests.ts'
import { isOperatorHost } from './operator/host.ts'
import { operatorRoutes } from './operator/routes.ts'
import { paypalRoutes } from './paypal/routes.ts'
import { plainExitRoutes } from './exit/plain.routes.ts'
import { exitRoutes } from './exit/routes.ts'
import { mailLinkRoutes } from './mail-links/routes.ts'
import { unsubscribeRoutes } from './mail-links/unsubscribe.ts'
import { programmeRoutes } from './programme/routes.ts'
import { readingRoutes } from './reading/routes.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { siteConfigRoutes } from './site-config/routes.ts'
import { memberRoutes } from './members/account.routes.ts'
import { subscriptionRoutes } from './members/subscriptions.routes.ts'
import { toAppError } from './stripe/failure.ts'
import { trackingRoutes } from './tracking/routes.ts'
import { upsellRoutes } from './upsell/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** The whole HTTP side. Middleware runs in the order of these lines. */
export function createApp(deps: Deps, count: RequestHandler, health: HealthSource): Express {
  const { config, log } = deps
  const limiter = createLimiter(deps.pool, config.limitFactor)
  const app = express()
  app.set('trust proxy', config.trustProxy)
  app.disable('x-powered-by')
  app.set('etag', false)

  if (deps.tracing) app.use(traceRequests(deps.tracing))
  app.use(count, attachContext(log), securityHeaders(!config.embedded), endConnections(health.draining), refuseNul)
  if (config.trustProxy === false) app.use(noticeUnnamedProxy(log))
  healthRoutes(app, health)
  // before any parser: signatures are over the raw bytes
  webhookRoutes(app, deps)
  // a mail program posts a form, from anywhere
  unsubscribeRoutes(app, deps, limiter)
  plainExitRoutes(app, deps, limiter)

  app.use(refuseForeign)
  // before the JSON parser: the operator's pages post forms
  const operator = express.Router()
  operatorRoutes(operator, deps, limiter)
  app.use((req, res, next) => (isOperatorHost(config, req) ? operator(req, res, next) : next()))

  app.use(requireJson, parseJson)
  app.use(endpoints(deps, limiter))
  app.use(notFound)
  app.use(errorHandler(toAppError))
  return app
}

/** What a worker answers: its probes. */
export function createProbes({ log }: Deps, health: HealthSource): Express {
  const app = express()
  app.disable('x-powered-by')
  app.use(attachContext(log), endConnections(health.draining))
  healthRoutes(app, health)
  app.use(notFound)
  app.use(errorHandler(toAppError))
  return app
}

/** Every endpoint of the contract, and their description. */
function endpoints(deps: Deps, limiter: Limiter): Router {
  const router = express.Router()
  const table: RouteTable = {
    router,
    limiter,
    callerOf: (req, params) => callerOf(deps, req, params),
    registered: [],
  }
  sessionRoutes(table, deps)
  trackingRoutes(table, deps)
  siteConfigRoutes(table, deps)
  checkoutRoutes(table, deps)
  paypalRoutes(table, deps)
  upsellRoutes(table, deps)
  accountRoutes(table, deps)
  memberRoutes(table, deps)
  subscriptionRoutes(table, deps)
  mailLinkRoutes(table, deps)
  exitRoutes(table, deps)
  programmeRoutes(table, deps)
  readingRoutes(table, deps)
  editorRoutes(table, deps)

  // after every route: documents the endpoints registered by now, and refuses other methods
  const document = openApiDocument(table.registered)
  router.get('/api/openapi.json', (_req, res) => void res.json(document))
  if (deps.config.embedded) router.get('/api/docs', (_req, res) => void res.type('html').send(openApiPage(document)))
  refuseOtherMethods(table)
  return router
}
