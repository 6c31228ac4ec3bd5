/** The table of endpoints. All of Sanity's are under `/v<version>/…`, except assets and health. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as assets from './asset-routes.ts'
import * as data from './data.ts'
import { badRequest, notFound } from './errors.ts'
import { history } from './history.ts'
import { cors, sendError, sendJson, type Call } from './http.ts'
import { identify, type IdentityRules } from './identity.ts'
import { events } from './live.ts'
import { listen } from './listen.ts'
import { project } from './project.ts'
import type { Lake } from './lake.ts'

const VERSION = /^\/v(\d{4}-\d{2}-\d{2}|1|X)(?=\/)/

export async function handle(
  lake: Lake | null,
  rules: IdentityRules,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  try {
    const url = URL.parse(req.url ?? '/', 'http://lake.localhost')
    if (!url) throw badRequest('The address cannot be read')
    if (cors(req, res)) return
    if (!lake) return sendJson(res, 503, { statusCode: 503, error: 'Service Unavailable', message: 'Starting' })
    if (url.pathname === '/healthz')
      return sendJson(res, 200, { ok: true, projectId: lake.projectId, datasets: lake.names() })
    const version = VERSION.exec(url.pathname)?.[1]
    let path = url.pathname.replace(VERSION, '')
    try {
      path = decodeURIComponent(path)
    } catch {
      throw badRequest('The address cannot be read')
    }
    const call: Call = {
      req,
      res,
      method: req.method ?? 'GET',
      path,
      version: version ?? '1',
      query: url.searchParams,
      who: identify(req, rules),
    }
    await route(lake, call)
  } catch (cause) {
    sendError(req, res, cause)
  }
}

async function route(lake: Lake, call: Call): Promise<void> {
  const { method, path } = call
  const [area = '', ...rest] = path.split('/').filter(Boolean)
  const reads = method === 'GET' || method === 'HEAD'
  if (reads && (area === 'images' || area === 'files') && rest.length >= 3 && rest[0] === lake.projectId)
    // A fourth part is the vanity file name of `@sanity/image-url`.
    return assets.serve(lake, call, area, rest[1] as string, rest[2] as string)
  if (area === 'assets' && method === 'POST' && (rest[0] === 'images' || rest[0] === 'files'))
    return assets.upload(lake, call, lake.dataset(rest[1] ?? ''), rest[0] === 'images' ? 'image' : 'file')
  if (area === 'data') return dataRoute(lake, call, rest)
  return project(lake, call)
}

async function dataRoute(lake: Lake, call: Call, [what = '', name = '', ...rest]: string[]): Promise<void> {
  const { method } = call
  const last = rest.at(-1) ?? ''
  if (what === 'ping') return sendJson(call.res, 200, { pong: true })
  if (what === 'live' && name === 'events') return events(call, lake.dataset(rest[0] ?? ''))
  if (method === 'GET' || method === 'HEAD' || (method === 'POST' && what === 'query')) {
    switch (what) {
      case 'query':
        return data.query(lake, call, lake.dataset(name))
      case 'doc':
        return data.documents(call, lake.dataset(name), rest.join('/'))
      case 'listen':
        return listen(lake, call, lake.dataset(name))
      case 'export':
        return data.exportAll(call, lake.dataset(name))
      case 'history':
        return history(call, lake.dataset(name), rest)
      case 'references':
        return data.references(call, lake.dataset(name), last === 'to' ? (rest.at(-2) ?? '') : last)
    }
  }
  if (method === 'POST' && what === 'mutate') return data.mutate(lake, call, lake.dataset(name))
  if (method === 'POST' && what === 'actions') return data.actions(call, lake.dataset(name))
  throw notFound(`No such endpoint: ${method} ${call.path.slice(0, 200)}`)
}
