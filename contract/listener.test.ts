import { createReadStream } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { guarded, isLoopback, isOwnHost, ownNamesOnly } from './listener.ts'

let server: Server
let port: number
const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
beforeEach(() => void log.mockClear())
beforeAll(async () => {
  const answers = guarded((asked, response) => {
    if (asked.url === '/throws') throw new Error('thrown')
    if (asked.url === '/rejects') return Promise.reject(new Error('rejected'))
    if (asked.url === '/begins') {
      response.writeHead(200, { 'Content-Length': 10 })
      throw new Error('after the head')
    }
    if (asked.url === '/vanishes') return createReadStream('/no/such/file').pipe(response)
    return response.end('fine')
  })
  const named = ownNamesOnly((_request, response) => response.end('fine'), ['drafts.example'])
  server = createServer((asked, response) => (asked.url === '/named' ? named : answers)(asked, response))
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.close()
  log.mockRestore()
})

const get = (path: string, host = `localhost:${port}`) =>
  new Promise<{ status: number; policy: unknown } | 'cut off'>((done) => {
    const asked = request({ port, host: '127.0.0.1', path, headers: { host } }, (answer) => {
      answer.on('error', () => done('cut off'))
      answer.on('end', () =>
        done({ status: answer.statusCode ?? 0, policy: answer.headers['content-security-policy'] }),
      )
      answer.resume()
    })
    asked.on('error', () => done('cut off'))
    asked.end()
  })

test('a handler that throws or rejects is a 500 with its reason in the log; the next call is answered', async () => {
  for (const path of ['/throws', '/rejects']) expect(await get(path), path).toMatchObject({ status: 500 })
  for (const path of ['/begins', '/vanishes']) expect(await get(path), path).not.toMatchObject({ status: 200 })
  expect(log).toHaveBeenCalledTimes(4)
  expect(await get('/')).toMatchObject({ status: 200 })
})

test('a program answers to localhost, to addresses in numbers and to listed names, and cannot be framed', async () => {
  const framed = { policy: "frame-ancestors 'none'" }
  for (const host of [
    `localhost:${port}`,
    `127.0.0.1:${port}`,
    '[::1]:1',
    '192.168.1.7',
    'a.localhost',
    'Drafts.Example',
  ]) {
    expect(await get('/named', host), host).toMatchObject({ status: 200, ...framed })
  }
  for (const host of [
    'rebind.example',
    `rebind.example:${port}`,
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil-localhost',
  ]) {
    expect(await get('/named', host), host).toMatchObject({ status: 421, ...framed })
  }
  expect(isOwnHost(undefined)).toBe(false)
})

test('what listens on a loopback address is reached from this machine alone', () => {
  for (const host of ['127.0.0.1', '127.8.8.8', 'localhost', '::1']) expect(isLoopback(host), host).toBe(true)
  for (const host of ['0.0.0.0', '::', '10.0.0.1', 'example.com', '']) expect(isLoopback(host), host).toBe(false)
})
