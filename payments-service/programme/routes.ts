import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { requireMember } from '../accounts/member.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { route, type RouteTable } from '../http/route.ts'
import { openDay, programmeContent, reportListening, viewDay, viewGuide, viewProgramme } from './programme.ts'

/** Headers of a partial file that matter to a player. */
const PASSED = ['content-type', 'content-length', 'content-range', 'accept-ranges', 'etag'] as const

/** the paid content, only for members with a live grant. */
export function programmeRoutes(table: RouteTable, deps: Deps): void {
  const content = programmeContent(deps)
  const limit = 'member' as const

  route(table, 'programme', limit, async (call) => viewProgramme(deps, content, await requireMember(deps, call.req)))
  route(table, 'programmeDay', limit, async (call) =>
    viewDay(deps, content, await requireMember(deps, call.req), call.params['day'] ?? ''),
  )
  route(table, 'guide', limit, async (call) =>
    viewGuide(deps, content, await requireMember(deps, call.req), call.params['productId'] ?? ''),
  )
  route(table, 'listening', limit, async (call) =>
    reportListening(deps, content, await requireMember(deps, call.req), call.params['day'] ?? '', call.body.seconds),
  )

  // audio is streamed through this service, so that the address of the recording is never revealed
  table.router.get('/api/programme/days/:day/audio', async (req, res) => {
    await table.limiter.consume(limit, req, table.callerOf(req, {}))
    const { day } = await openDay(deps, content, await requireMember(deps, req), req.params['day'])
    if (!day.audio || !deps.lake) throw new AppError('not_found')
    const left = new AbortController()
    res.on('close', () => left.abort())
    const found = await deps.lake.file(day.audio.url, req.get('range'), left.signal)
    if (found.status === 416) {
      res.status(416).setHeader('Content-Range', `bytes */${day.audio.size}`)
      return void res.end()
    }
    if (!found.ok || !found.body) throw new AppError('service_unavailable', { retryAfter: 5 })
    res.status(found.status)
    for (const name of PASSED) {
      const value = found.headers.get(name)
      if (value) res.setHeader(name, value)
    }
    res.setHeader('Accept-Ranges', 'bytes')
    res.setHeader('Cache-Control', 'private, no-store')
    try {
      await pipeline(Readable.fromWeb(found.body as ReadableStream), res)
    } catch (error) {
      // the listener left in the middle
      if (!left.signal.aborted) throw error
    }
  })
}
