import { randomUUID } from 'node:crypto'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { Deadline, REQUEST_DEADLINE } from './deadline.ts'
import type { Log } from './logging.ts'
import { isFromProxy } from './proxies.ts'
import { isRecorded, spanUnderWay } from '../tracing/tracing.ts'

/** What every request carries. */
export interface RequestContext {
  requestId: string
  /** Adds the request's id to every line. */
  log: Log
  deadline: Deadline
}

const contexts = new WeakMap<Request, RequestContext>()

/** The context that `attachContext` has attached. */
export function contextOf(req: Request): RequestContext {
  const context = contexts.get(req)
  if (!context) throw new Error('attachContext has to come before every other middleware')
  return context
}

/** The template of the route that handles a request, never its address: that contains ids and tokens. */
export function routeOf(req: Request): string {
  const template: unknown = (req.route as { path?: unknown } | undefined)?.path
  return typeof template === 'string' ? template : '(none)'
}

/** Whether a route is asked by balancers, not by visitors. */
export const isProbe = (route: string): boolean => route === '/healthz' || route === '/readyz'

const SAFE_ID = /^[A-Za-z0-9_-]{8,64}$/

/**
 * Attaches request id (a trusted proxy's is kept if well-formed), logger and deadline; logs one line per finished
 * request.
 */
export function attachContext(parent: Log): RequestHandler {
  return (req: Request, res: Response, next: NextFunction) => {
    const given = isFromProxy(req) ? req.headers['x-request-id'] : undefined
    const requestId = typeof given === 'string' && SAFE_ID.test(given) ? given : randomUUID()
    const started = performance.now()
    const traceId = isRecorded() ? spanUnderWay()?.spanContext().traceId : undefined
    const log = parent.child({ requestId, ...(traceId ? { traceId } : {}) })
    contexts.set(req, { requestId, log, deadline: Deadline.in(REQUEST_DEADLINE) })
    res.setHeader('X-Request-Id', requestId)
    res.on('finish', () => {
      const route = routeOf(req)
      const line = { method: req.method, route, status: res.statusCode, ms: Math.round(performance.now() - started) }
      if (isProbe(route)) log.debug(line, 'request')
      else log.info(line, 'request')
    })
    next()
  }
}
