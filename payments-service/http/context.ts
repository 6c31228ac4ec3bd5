import { randomUUID } from 'node:crypto'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { Deadline, REQUEST_DEADLINE } from './deadline.ts'
import type { Log } from './logging.ts'

/** What every request carries. */
export interface RequestContext {
  requestId: string
  /** Names the request in every line; made when the first line is. */
  readonly log: Log
  deadline: Deadline
}

class Context implements RequestContext {
  readonly requestId: string
  readonly deadline = Deadline.in(REQUEST_DEADLINE)
  readonly #parent: Log
  #log: Log | undefined

  constructor(requestId: string, parent: Log) {
    this.requestId = requestId
    this.#parent = parent
  }

  get log(): Log {
    return (this.#log ??= this.#parent.child({ requestId: this.requestId }))
  }
}

const contexts = new WeakMap<Request, RequestContext>()

/** The context that `attachContext` made. */
export function contextOf(req: Request): RequestContext {
  const context = contexts.get(req)
  if (!context) throw new Error('attachContext has to come before every other middleware')
  return context
}

const SAFE_ID = /^[A-Za-z0-9_-]{8,64}$/

/** Request id (a proxy's is kept when it is harmless), logger, deadline; one line a finished request. */
export function attachContext(log: Log): RequestHandler {
  return (req: Request, res: Response, next: NextFunction) => {
    const { requestId } = beginContext(log, req, res, () => {
      const template: unknown = (req.route as { path?: unknown } | undefined)?.path
      return typeof template === 'string' ? template : '(none)'
    })
    res.setHeader('X-Request-Id', requestId)
    next()
  }
}

/** Makes the context of a request. `route` tells the template of its path, once the request has ended. */
export function beginContext(log: Log, req: Request, res: Response, route: () => string): RequestContext {
  const given = req.headers['x-request-id']
  const requestId = typeof given === 'string' && SAFE_ID.test(given) ? given : randomUUID()
  const started = performance.now()
  const context = new Context(requestId, log)
  contexts.set(req, context)
  if (log.isLevelEnabled('info')) {
    res.on('finish', () => {
      const line = {
        method: req.method,
        route: route(),
        status: res.statusCode,
        ms: Math.round(performance.now() - started),
      }
      if (line.route === '/healthz' || line.route === '/readyz') context.log.debug(line, 'request')
      else context.log.info(line, 'request')
    })
  }
  return context
}
