import type { Request, Response, Router } from 'express'
import type { z } from 'zod'
import type { Done } from '../../contract/api.ts'
import { type EndpointName, type RequestOf, type ResponseOf, type Shape, shapes } from '../../contract/api/shapes.ts'
import { wholeApi } from '../../contract/whole-api.ts'
import { refusedCode } from '../../contract/api/parts.ts'
import { UUID } from '../../contract/uuid.ts'
import { contextOf, type RequestContext } from './context.ts'
import { AppError } from './errors.ts'
import type { Caller, Limiter, LimitName } from './limits.ts'

/** What a handler gets: everything parsed. */
export interface Call<Body> extends RequestContext {
  req: Request
  res: Response
  body: Body
  params: Record<string, string>
}

/** What the routes of one app share. */
export interface RouteTable {
  router: Router
  limiter: Limiter
  /** The caller that a request counts for, by its path and cookies. */
  callerOf: (req: Request, params: Record<string, string>) => Caller | undefined
  registered: EndpointName[]
}

/** The answer of a call that returns nothing. */
export const DONE: Done = { done: true }

/** A contract path in Express's syntax. */
export function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

/**
 * Parses outside input. Throws 422 with the dotted name of the first wrong field; a part with its own code for refusals
 * (`refusedAs`) throws that.
 */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const path = issue?.path.map(String) ?? []
  if (issue?.code === 'unrecognized_keys') path.push(issue.keys[0] ?? '')
  const code = (issue?.code === 'custom' && refusedCode(issue)) || 'invalid_body'
  throw new AppError(code, { field: path.join('.') || 'body' })
}

/** Mounts one endpoint of the contract: limit → parse → handle → JSON. */
export function route<N extends EndpointName>(
  table: RouteTable,
  name: N,
  limit: LimitName,
  handle: (call: Call<RequestOf<N>>) => Promise<ResponseOf<N>>,
): void {
  const endpoint = wholeApi[name]
  const { request }: Shape = shapes[name]
  table.registered.push(name)
  const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'

  table.router[method](expressPath(endpoint.path), async (req: Request, res: Response) => {
    const params = req.params as Record<string, string>
    const { sessionId } = params
    // not a session id: nothing to look up
    if (sessionId !== undefined && !UUID.test(sessionId)) throw new AppError('session_unknown', { field: 'sessionId' })
    await table.limiter.consume(limit, req, table.callerOf(req, params))
    const body = (request ? parse(request, req.body ?? {}) : undefined) as RequestOf<N>
    const answer = await handle({ ...contextOf(req), req, res, body, params })
    res.setHeader('Cache-Control', 'no-store')
    res.json(answer)
  })
}

/** Answers 405 with the allowed methods for another method on a known path. */
export function refuseOtherMethods(table: RouteTable): void {
  const taken = new Map<string, string[]>()
  for (const name of table.registered) {
    const { method, path } = wholeApi[name]
    taken.set(path, [...(taken.get(path) ?? []), method])
  }
  for (const [path, methods] of taken) {
    table.router.all(expressPath(path), (_req, res) => {
      res.setHeader('Allow', methods.join(', '))
      throw new AppError('method_not_allowed')
    })
  }
}
