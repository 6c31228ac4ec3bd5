/** A built folder behind the real front door, with the least of a service behind it: what a browser needs to be measured. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFrontDoor } from '../../src/site/local-server.ts'

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Calls `work` with the address. The service behind makes sessions and takes everything else. */
export async function served<T>(dist: string, work: (url: string) => Promise<T>): Promise<T> {
  const api = createServer((request, response) => {
    request.resume()
    const body = request.url === '/api/config' ? { country: 'BR' } : { sessionId: crypto.randomUUID() }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  })
  const door = createFrontDoor({ apiUrl: await listen(api), dist })
  try {
    return await work(await listen(door))
  } finally {
    for (const server of [door, api]) {
      server.close()
      server.closeAllConnections()
    }
  }
}
