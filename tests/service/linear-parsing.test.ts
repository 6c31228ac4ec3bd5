/** N-02: no text costs more than its length, wherever it is sent: one visitor must not stall the service for others. */
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BODY_LIMIT } from '../../payments-service/http/body.ts'
import {
  bodyWith,
  type Document,
  type Endpoint,
  endpointsOf,
  type Place,
  placesOf,
  repeated,
  SHAPES,
} from '../attack/schema.ts'
import { Browser, type RunningService, startService } from './service.ts'

let running: RunningService
let visitor: Browser
let sessionId: string
let endpoints: Endpoint[]
const agent = new Agent({ keepAlive: true })
beforeAll(async () => {
  running = await startService()
  visitor = new Browser(running.url)
  sessionId = await visitor.visit()
  endpoints = endpointsOf((await visitor.get('/api/openapi.json')).body as Document)
})
afterAll(async () => {
  agent.destroy()
  await running.stop()
})

/** CPU milliseconds that one request costs in this thread, which runs the service. */
async function costOf(
  method: string,
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const bytes = Buffer.from(body)
  const json = body === '' ? {} : { 'content-type': 'application/json', 'content-length': String(bytes.length) }
  const before = process.threadCpuUsage()
  await new Promise<void>((done, fail) => {
    const sent = request(running.url + path, { method, agent, headers: { cookie, ...json, ...headers } }, (reply) =>
      reply.resume().on('end', done),
    )
    sent.on('error', fail)
    sent.end(bytes)
  })
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

/** The cheapest of several tries, to exclude interruptions (a garbage collection, another request). */
async function cheapest(tries: number, send: () => Promise<number>): Promise<number> {
  let best = Infinity
  for (let n = 0; n < tries; n++) best = Math.min(best, await send())
  return best
}

/** Milliseconds of CPU for the largest text; linear work of this size stays far below. */
const MOST = 5

/** Says what a text costs beyond a short one, where that is too much and grows faster than the text. */
async function trouble(name: string, send: (share: number) => Promise<number>): Promise<string[]> {
  let found = await troubleOnce(name, send)
  // what another program cost meanwhile is not there a second and third time
  for (let again = 0; found.length > 0 && again < 2; again++) found = await troubleOnce(name, send)
  return found
}

async function troubleOnce(name: string, send: (share: number) => Promise<number>): Promise<string[]> {
  if ((await send(1)) < MOST) return []
  const [none, quarter, whole] = [
    await cheapest(4, () => send(0)),
    await cheapest(4, () => send(0.25)),
    await cheapest(4, () => send(1)),
  ]
  const growth = (whole - none) / Math.max(0.25, quarter - none)
  if (whole - none < MOST || (growth < 8 && whole - none < 4 * MOST)) return []
  return [`${name}: ${(whole - none).toFixed(1)} ms, ${growth.toFixed(1)} times a quarter of it`]
}

const pathOf = ({ path }: Endpoint): string => path.replace('{sessionId}', sessionId).replace(/\{\w+\}/g, 'cancel')

/** A beacon carries its session's id in the body. */
const own = (body: unknown): unknown => ('sessionId' in (body as object) ? { ...(body as object), sessionId } : body)

/** As many copies as a body takes, of the longest text the field takes. */
function largest(endpoint: Endpoint, place: Place, shape: string, share: number): string {
  const room = BODY_LIMIT - 2_000
  const longest = Math.min(place.schema.maxLength ?? room, room)
  const fill = (length: number, items: number) =>
    JSON.stringify(own(bodyWith(endpoint.body ?? {}, place, repeated(shape, Math.max(1, length)), items)))
  const one = Buffer.byteLength(fill(longest, 1))
  const items = place.path.includes('*') ? Math.max(1, Math.min(100, Math.floor(room / one))) : 1
  return fill(share * Math.min(longest, (longest * room) / one), items)
}

test('N-02 the longest text of twenty shapes in every field of every endpoint costs under 5 ms of CPU', async () => {
  const found: string[] = []
  let sent = 0
  for (const endpoint of endpoints) {
    const places = endpoint.body ? placesOf(endpoint.body).filter(({ schema }) => schema.type === 'string') : []
    for (const place of places) {
      for (const shape of SHAPES) {
        sent += 1
        found.push(
          ...(await trouble(`${endpoint.name} ${place.path.join('.')} ${JSON.stringify(shape)}`, (share) =>
            costOf(endpoint.method, pathOf(endpoint), largest(endpoint, place, shape, share)),
          )),
        )
      }
    }
  }
  expect(found).toEqual([])
  expect(sent).toBeGreaterThan(40 * SHAPES.length)
}, 600_000)

test('N-02 the longest header and address of twenty shapes cost under 5 ms of CPU', async () => {
  const headers = [
    'user-agent',
    'referer',
    'cookie',
    'accept-language',
    'x-forwarded-for',
    'x-request-id',
    'cf-ipcity',
    'content-type',
    'accept',
  ]
  const body = () => JSON.stringify({ clientKey: crypto.randomUUID() })
  const found: string[] = []
  for (const shape of SHAPES) {
    const value = (share: number) => encodeURI(repeated(shape, 7_000 * share + 1)).slice(0, 7_000)
    for (const header of headers) {
      found.push(
        ...(await trouble(`${header} ${JSON.stringify(shape)}`, (share) =>
          costOf('POST', '/api/sessions', body(), { [header]: value(share) }),
        )),
      )
    }
    found.push(
      ...(await trouble(`address ${JSON.stringify(shape)}`, (share) =>
        costOf('GET', `/api/unsubscribe/${encodeURIComponent(value(share))}`.slice(0, 7_000), ''),
      )),
    )
  }
  expect(found).toEqual([])
})
