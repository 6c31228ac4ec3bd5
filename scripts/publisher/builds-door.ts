/**
 * The builds for the Studio: the list, back to one of them, hold the site, follow publishes again. Pages of
 * STUDIO_ORIGINS alone may read the answers; no cookie counts.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { addressOf } from '../../contract/site-routes.ts'
import { BUILD_CHANGES, type BuildChange, BUILDS_PATH, type BuildsView } from '../../contract/builds.ts'
import { buildsShown } from '../builds/listing.ts'
import { BuildFault, pin, rollBack, unpin } from '../builds/live.ts'
import { type Door, Refused } from './editor-door.ts'

export interface BuildsDoor {
  site: string
  enter: Door
  /** Of the Studio. */
  origins: readonly string[]
}

const MOST_BYTES = 1_000

/** Whether the address is of this door; then it is answered. */
export function answersBuilds(door: BuildsDoor, request: IncomingMessage, response: ServerResponse): boolean {
  const { path: pathname } = addressOf(request)
  const rest = pathname.startsWith(`${BUILDS_PATH}/`) ? pathname.slice(BUILDS_PATH.length + 1) : ''
  const change = BUILD_CHANGES.find((one) => one === rest)
  if (pathname !== BUILDS_PATH && !change) return false
  void answer(door, request, response, change).catch((error: unknown) => {
    const known = error instanceof Refused
    if (!known) console.error(error)
    const words = error instanceof Error && !known ? `It failed: ${error.message}` : (error as Error).message
    json(response, known ? error.status : 500, { error: words })
  })
  return true
}

async function answer(
  door: BuildsDoor,
  request: IncomingMessage,
  response: ServerResponse,
  change: BuildChange | undefined,
): Promise<void> {
  const { origin } = request.headers
  response.setHeader('Vary', 'Origin')
  if (origin !== undefined && door.origins.includes(origin)) {
    response.setHeader('Access-Control-Allow-Origin', origin)
    response.setHeader('Access-Control-Allow-Headers', 'authorization, content-type')
    response.setHeader('Access-Control-Max-Age', '600')
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
  }
  if (request.method !== (change ? 'POST' : 'GET')) throw new Refused(405, 'This address does not take that.')
  const person = await door.enter({
    authorization: request.headers.authorization,
    change: change !== undefined,
    from: browserOf(request),
  })
  if (!change) return json(response, 200, buildsShown(door.site))
  const body = await bodyOf(request)
  const began = performance.now()
  await carryOut(door.site, change, `${person.name ?? person.id} (editor)`, body)
  const milliseconds = Math.round(performance.now() - began)
  json(response, 200, { ...buildsShown(door.site), milliseconds } satisfies BuildsView)
}

/** The address that the proxy in front has added, the last one: those before it are what the browser says. */
function browserOf({ headers, socket }: IncomingMessage): string {
  return (
    String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .at(-1)
      ?.trim() ||
    (socket.remoteAddress ?? '')
  )
}

async function carryOut(site: string, change: BuildChange, who: string, body: unknown): Promise<void> {
  if (change === 'pin') return void (await pin(site, who))
  if (change === 'unpin') return void (await unpin(site, who))
  const build = (body as { build?: unknown } | null)?.build
  if (typeof build !== 'string') throw new Refused(400, 'Which build to go back to was not said.')
  try {
    await rollBack(site, who, build)
  } catch (error) {
    if (error instanceof BuildFault) throw new Refused(409, error.message)
    throw error
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk as string
    if (text.length > MOST_BYTES) throw new Refused(413, 'That is too long.')
  }
  try {
    return text ? (JSON.parse(text) as unknown) : null
  } catch {
    throw new Refused(400, 'That is no JSON.')
  }
}

function json(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' })
  response.end(JSON.stringify(body))
}
