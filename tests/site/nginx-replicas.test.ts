/** nginx.conf in front of several replicas, of which some are away. */
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { anyPort } from '../../db/ports.ts'
import { nginxFile } from '../../src/site/host-files.ts'
import { findNginx, startNginx } from '../support/nginx.ts'
import type { Started } from '../support/started.ts'

const nginx = findNginx()
const id = '0b0f7f3e-6b6f-4c3b-9d3c-0e6f5f6f7a8b'

describe.skipIf(!nginx)('replicas behind nginx', () => {
  const place = mkdtempSync(join(tmpdir(), 'eye-replicas-'))
  const seen: { method: string; id: string | undefined; port: number }[] = []
  let replicas: Server[] = []
  let ports: number[] = []
  let server: Started | undefined
  let base = ''
  /** The port of a replica that ends every connection without an answer. */
  let breaking: number | undefined

  const replica = async (port: number): Promise<Server> => {
    const one: Server = createServer((request, response) => {
      const given = request.headers['x-request-id']
      const { port } = one.address() as AddressInfo
      seen.push({ method: request.method ?? '', id: given?.toString(), port })
      if (port === breaking) return void request.socket.destroy()
      request.resume()
      request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
    })
    one.keepAliveTimeout = 75_000
    one.listen(port, '127.0.0.1')
    await once(one, 'listening')
    return one
  }

  beforeAll(async () => {
    replicas = [await replica(0), await replica(0)]
    ports = replicas.map((one) => (one.address() as AddressInfo).port)
    for (const name of ['index', '404', '500']) writeFileSync(join(place, `${name}.html`), `<p>${name}</p>`)
    writeFileSync(join(place, 'index.html.gz'), 'zipped')
    const hashes = { '': { scripts: [], styles: [] } }
    const block = nginxFile(hashes, { root: place, servers: ports.map((one) => `127.0.0.1:${one}`), logs: place })
    server = await startNginx(block, { place, port: await anyPort() })
    base = server.url
  })
  afterAll(async () => {
    await server?.stop()
    for (const one of replicas) one.closeAllConnections()
    for (const one of replicas) one.close()
    rmSync(place, { recursive: true, force: true })
  })

  const end = async (one: Server) => {
    one.closeAllConnections()
    await new Promise((closed) => one.close(closed))
  }
  const ask = (method: string, path: string) =>
    fetch(base + path, { method, ...(method === 'POST' ? { body: '{}' } : {}) })

  test('N-03 texts come compressed to the proxy with TLS in front, which asks by HTTP/1.0, and to a CDN', async () => {
    for (const [version, more] of [
      ['1.0', ''],
      ['1.1', 'Connection: close\r\nVia: 1.1 cdn.example\r\n'],
    ]) {
      const { hostname, port } = new URL(base)
      const socket = connect(Number(port), hostname)
      socket.write(`GET / HTTP/${version}\r\nHost: shop.example\r\nAccept-Encoding: gzip\r\n${more}\r\n`)
      expect(await text(socket), version).toMatch(/^HTTP\/1\.1 200 .*\r\nContent-Encoding: gzip\r\n.*\r\n\r\nzipped$/s)
    }
  })

  test('N-03 while one of two is away no request fails, reading or writing, and it is used again at once', async () => {
    await end(replicas[0]!)
    for (let n = 0; n < 30; n++) {
      for (const method of ['GET', 'POST']) expect((await ask(method, `/api/sessions/${id}`)).status).toBe(200)
    }
    replicas[0] = await replica(ports[0]!)
    seen.length = 0
    for (let n = 0; n < 10; n++) await ask('POST', '/api/sessions')
    expect(new Set(seen.map(({ port }) => port))).toEqual(new Set(ports))
    for (const one of seen) expect(one.id).toMatch(/^[0-9a-f]{32}$/)
  })

  test('N-03 what a replica drops is asked of the other one, changes too; a form of operators is not', async () => {
    breaking = ports[0]
    seen.length = 0
    for (let n = 0; n < 6; n++) expect((await ask('POST', `/api/sessions/${id}/answers`)).status).toBe(200)
    expect(seen.filter(({ port }) => port === breaking).length).toBeGreaterThan(1)
    const forms = []
    for (let n = 0; n < 4; n++) forms.push((await ask('POST', '/operator/money-back')).status)
    expect(new Set(forms)).toEqual(new Set([200, 502]))
    breaking = undefined
  })

  test('N-03 while both are away the API answers JSON, people get a page; both are back with the first', async () => {
    for (const one of replicas) await end(one)
    const answer = await ask('POST', `/api/sessions/${id}/answers`)
    expect(answer.status).toBe(503)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect([answer.headers.get('retry-after'), answer.headers.get('cache-control')]).toEqual(['5', 'no-store'])
    expect(await answer.json()).toEqual({
      error: {
        code: 'service_unavailable',
        message: 'We cannot do this right now. Please try again in a minute.',
        requestId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      },
    })
    expect(await (await ask('GET', '/operator')).text()).toBe('<p>500</p>')
    replicas = [await replica(ports[0]!), await replica(ports[1]!)]
    expect((await ask('POST', '/api/sessions')).status).toBe(200)
  })

  test('N-02 the log names routes, not the ids and tokens in addresses', async () => {
    const secrets = [id, 'AbCdEf0123456789-_xyz', 'pi_3Qsecret']
    await ask('GET', `/api/sessions/${id}/payments/initial?token=${secrets[1]}`)
    await ask('GET', `/cancel/${secrets[1]}`)
    await ask('GET', `/api/sessions/${id}/purchases/${secrets[2]}`)
    const text = await vi.waitFor(() => {
      const log = ['access.log', 'error.log'].map((name) => readFileSync(join(place, name), 'utf8')).join('')
      expect(log).toContain('/api/sessions/:id/payments/initial')
      return log
    })
    for (const secret of secrets) expect(text).not.toContain(secret)
    expect(text).toMatch(/ 503 /)
  })
})
