/**
 * A built folder behind the real front door, with the least of a service behind it: what a
 * browser needs to be measured.
 */
import { existsSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createFrontDoor } from '../../src/site/local-server.ts'

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A slow phone's network: the round trip, and 1.6 Mbit/s. */
export const SLOW_NETWORK = { latencyMs: 60, bytesPerMs: 200 }

/** Milliseconds until the answer for `url` is there. */
function travelling(dist: string, url: string, { latencyMs, bytesPerMs }: typeof SLOW_NETWORK): number {
  const file = [`${url}/index.html.br`, `${url}.br`, url]
    .map((path) => join(dist, path))
    .find((path) => existsSync(path))
  return latencyMs + (file ? statSync(file).size / bytesPerMs : 0)
}

/**
 * Calls `work` with the address. The service behind it makes sessions and accepts everything else. With a `network`,
 * answers are delayed by their size and arrive in the order in which a phone would get them: Lighthouse derives a
 * phone's loading time from the order of events, and on a local connection a font may come before or after the first
 * paint (0.25 s of the derived time). `country`: where the visitor is; in Brazil visitors are not asked for consent.
 */
export async function served<T>(
  dist: string,
  work: (url: string) => Promise<T>,
  network?: typeof SLOW_NETWORK,
  country: string | null = 'BR',
): Promise<T> {
  const api = createServer((request, response) => {
    request.resume()
    const body = request.url === '/api/config' ? { country } : { sessionId: crypto.randomUUID() }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  })
  const door = createFrontDoor({ apiUrl: await listen(api), dist })
  const late = createServer((request, response) => {
    const wait = network ? travelling(dist, new URL(request.url ?? '/', 'http://site').pathname, network) : 0
    setTimeout(() => door.emit('request', request, response), wait)
  })
  try {
    return await work(await listen(network ? late : door))
  } finally {
    for (const server of [late, door, api]) {
      server.close()
      server.closeAllConnections()
    }
  }
}
