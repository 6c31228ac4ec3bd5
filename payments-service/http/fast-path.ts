import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import { wholeApi } from '../../contract/whole-api.ts'
import { isPlainPost, readPlainJson } from './body.ts'
import { beginContext } from './context.ts'
import type { Log } from './logging.ts'
import { ANSWER_HEADERS, expressPath, type RouteTable, type Serve } from './route.ts'
import type { Header } from './security-headers.ts'

export interface FastPathOptions {
  log: Log
  /** What every answer says. */
  headers: readonly Header[]
  /** The app's error handler. */
  failed: ErrorRequestHandler
}

interface Way {
  template: string
  pattern: RegExp
  serve: Serve
}

/**
 * First in the chain: takes what every visitor sends with every step straight to its endpoint. Same context, same
 * limits, same checks, same answers as the chain behind it; only posts in whose way no layer of the chain could stand
 * are taken, all others go on. Walking the chain cost as much as storing the row.
 */
export function fastPath(table: RouteTable, { log, headers, failed }: FastPathOptions): RequestHandler {
  const always = [...headers, ...ANSWER_HEADERS].flat()
  const ways = [...table.often].map(([name, serve]): Way => {
    const { path } = wholeApi[name]
    const pattern = new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[0-9a-f-]{36})')}$`)
    return { template: expressPath(path), pattern, serve }
  })

  const answer = async (req: Request, res: Response, way: Way, params: Record<string, string>): Promise<void> => {
    const { requestId } = beginContext(log, req, res, () => way.template)
    try {
      const text = JSON.stringify(await way.serve(req, res, params, await readPlainJson(req)))
      res.writeHead(200, [...always, 'X-Request-Id', requestId, 'Content-Length', String(Buffer.byteLength(text))])
      res.end(text)
    } catch (error) {
      for (const [header, value] of headers) res.setHeader(header, value)
      res.setHeader('X-Request-Id', requestId)
      failed(error, req, res, () => undefined)
    }
  }

  return (req, res, next) => {
    const { url } = req
    for (const way of ways) {
      const found = way.pattern.exec(url)
      if (found) return isPlainPost(req, url) ? void answer(req, res, way, found.groups ?? {}) : next()
    }
    next()
  }
}
