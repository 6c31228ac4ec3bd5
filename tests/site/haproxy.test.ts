/** The generated haproxy.cfg in front of two replicas, one of which drains or is away, and of the site. */
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { balancerFile, CERTIFICATES } from '../../scripts/deploy/balancer.ts'
import { anyPort } from '../../db/ports.ts'
import { findHaproxy, refusedByHaproxy, startHaproxy } from '../support/haproxy.ts'
import { type Certificate, makeCertificate, type Started } from '../support/started.ts'

const id = '0b0f7f3e-6b6f-4c3b-9d3c-0e6f5f6f7a8b'
const DRAIN = 1

describe.skipIf(!findHaproxy())('behind haproxy', () => {
  const place = mkdtempSync(join(tmpdir(), 'eye-haproxy-'))
  const seen: { port: number; url: string; id: string | undefined; proto: string | undefined; from: unknown }[] = []
  const ready = new Map<number, boolean>()
  let tls: Certificate
  let ports: number[] = []
  let servers: Server[] = []
  let balancer: Started | undefined

  const listen = async (port: number): Promise<Server> => {
    const server = createServer(({ url = '', headers }, response) => {
      if (url === '/readyz') return void response.writeHead(ready.get(port) ? 200 : 503).end()
      const proto = headers['x-forwarded-proto']?.toString()
      seen.push({ port, url, id: headers['x-request-id']?.toString(), proto, from: headers['x-forwarded-for'] })
      response.end(`${port}`)
    }).listen(port, '127.0.0.1')
    ready.set(port, true)
    await once(server, 'listening')
    return server
  }
  beforeAll(async () => {
    tls = makeCertificate(place)
    ports = [await anyPort(), await anyPort(), await anyPort()]
    servers = await Promise.all(ports.map(listen))
    const [first, second, site] = ports.map((port) => `127.0.0.1:${port}`)
    balancer = await startHaproxy(
      { servers: [first!, second!], site: site!, drainSeconds: DRAIN },
      { place, port: await anyPort(), tls },
    )
  })
  afterAll(async () => {
    await balancer?.stop()
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
    rmSync(place, { recursive: true, force: true })
  })

  interface Answer {
    status: number
    type: string | undefined
    body: string
  }
  const ask = (method: string, path: string, headers = {}): Promise<Answer> =>
    new Promise((done, fail) => {
      const ca = readFileSync(tls.certificate)
      request(balancer!.url + path, { method, headers, ca, agent: false }, (reply) => {
        let body = ''
        reply.on('data', (part: Buffer) => (body += part.toString()))
        reply.on('end', () => done({ status: reply.statusCode ?? 0, type: reply.headers['content-type'], body }))
      })
        .on('error', fail)
        .end()
    })
  /** Which of the servers answer within some requests. */
  const answering = async (method: string, path: string): Promise<Set<string>> => {
    const found = new Set<string>()
    for (let n = 0; n < 8; n++) {
      const { status, body } = await ask(method, path)
      expect(status).toBe(200)
      found.add(body)
    }
    return found
  }

  test('N-03 haproxy takes docs/ops/haproxy.cfg, and names a line that is wrong', () => {
    const file = join(place, 'docs.cfg')
    writeFileSync(file, balancerFile().replace(CERTIFICATES, tls.both))
    expect(refusedByHaproxy(file)).toBe('')
    writeFileSync(
      file,
      balancerFile().replace(CERTIFICATES, tls.both).replace('option forwardfor', 'option forwardfore'),
    )
    expect(refusedByHaproxy(file)).toContain('forwardfore')
  })

  test('N-03 the service has its routes, the site the rest; both learn who asked and how, and the id', async () => {
    const [first, second, site] = ports.map(String)
    for (const path of [`/api/sessions/${id}`, '/operator', '/operator/health', '/upsell-links/x'])
      expect(await answering('GET', path), path).toEqual(new Set([first, second]))
    for (const path of ['/', `/checkout/${id}`, '/operators', '/apis'])
      expect(await answering('GET', path), path).toEqual(new Set([site]))
    seen.length = 0
    await ask('POST', '/api/sessions', { 'x-request-id': 'chosen-by-a-visitor', 'x-forwarded-for': '192.0.2.7' })
    const [one] = seen
    expect(one).toMatchObject({ proto: 'https', from: '192.0.2.7, 127.0.0.1' })
    expect(one?.id).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('N-03 a replica that drains gets no more requests, one that is away fails none, and both are back', async () => {
    const [first, second] = ports as [number, number]
    ready.set(first, false)
    await vi.waitFor(
      async () => expect(await answering('POST', '/api/sessions')).toEqual(new Set([`${second}`])),
      20_000,
    )
    ready.set(first, true)
    await vi.waitFor(async () => expect(await answering('POST', '/api/sessions')).toHaveProperty('size', 2), 20_000)
    servers[0]!.closeAllConnections()
    await new Promise((closed) => servers[0]!.close(closed))
    expect(await answering('POST', '/api/sessions')).toEqual(new Set([`${second}`]))
    servers[0] = await listen(first)
    await vi.waitFor(async () => expect(await answering('POST', '/operator')).toHaveProperty('size', 2), 20_000)
  })

  test('N-03 while no replica is ready all are asked; while none is there the API says so in JSON', async () => {
    const both = new Set(ports.slice(0, 2).map(String))
    for (const port of ports.slice(0, 2)) ready.set(port, false)
    await new Promise((resume) => setTimeout(resume, DRAIN * 1_000))
    expect(await answering('POST', '/api/sessions')).toEqual(both)
    expect(await answering('GET', '/operator')).toEqual(both)
    for (const server of servers.slice(0, 2)) {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    }
    const answer = await ask('POST', `/api/sessions/${id}/answers`)
    expect([answer.status, answer.type]).toEqual([503, 'application/json'])
    expect(JSON.parse(answer.body)).toEqual({
      error: {
        code: 'service_unavailable',
        message: 'We cannot do this right now. Please try again in a minute.',
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      },
    })
    expect((await ask('GET', '/operator')).type).toBe('text/html')
    expect((await ask('GET', '/quiz')).status).toBe(200)
  })

  test('N-02 the log names routes, not the ids and tokens in addresses', async () => {
    const secrets = [id, 'AbCdEf0123456789-_xyz', 'pi_3Qsecret', 'a'.repeat(40)]
    await ask('GET', `/api/sessions/${id}/payments/initial?token=${secrets[1]}`)
    await ask('GET', `/cancel/${secrets[1]}`)
    await ask('GET', `/cancel/${secrets[3]}`)
    await ask('GET', `/api/sessions/${id}/purchases/${secrets[2]}`)
    const text = await vi.waitFor(() => {
      const log = readFileSync(join(place, 'haproxy.log'), 'utf8')
      expect(log).toContain('GET /api/sessions/:id/payments/initial 503')
      expect(log).toContain('GET /api/sessions/:id/purchases/:id 503')
      return log
    })
    for (const secret of secrets) expect(text).not.toContain(secret)
    expect(text).toContain('GET /cancel/:id 200')
  })
})
