/** Stand-ins, the preview and the Studio serve this machine only: its names, its interface, its frames. */
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Listening, parsed, raw, startListening } from '../support/programs.ts'

let listening: Listening
beforeAll(async () => {
  listening = await startListening(9)
})
afterAll(() => listening?.stop())

const portOf = (name: string) => listening.programs.get(name)!.port
const ask = async (name: string, path: string, host: string, method = 'GET', header = '') =>
  parsed(await raw(portOf(name), `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${header}Connection: close\r\n\r\n`))

/** For each program, addresses that have content. */
const shown: [string, string][] = [
  ['stripe', '/'],
  ['stripe', '/_sandbox/ledger'],
  ['stripe', '/_stripe/stripe.js'],
  ['mailbox', '/api/messages'],
  ['mailbox', '/'],
  ['meta', '/events'],
  ['meta', '/'],
  ['lake', '/v2026-03-01/data/query/production?query=*'],
  ['studio', '/'],
  ['studio', '/a.js'],
  ['preview', '/quiz'],
  ['preview', '/a.js'],
  ['publisher', '/'],
]

describe('programs for one machine', () => {
  test.each(shown)(
    '%s answers %s to its own names alone: another name for 127.0.0.1 reads nothing',
    async (name, path) => {
      const port = portOf(name)
      for (const host of [`localhost:${port}`, `127.0.0.1:${port}`]) {
        expect((await ask(name, path, host)).status, host).toBe(200)
      }
      for (const host of [`rebind.example:${port}`, 'localhost.rebind.example', 'rebind.example']) {
        const answer = await ask(name, path, host)
        expect([answer.status, answer.body.length < 100], host).toEqual([421, true])
        expect((await ask(name, path, host, 'POST', 'Content-Length: 0\r\n')).status, host).toBe(421)
      }
    },
  )

  test.each(shown.filter(([name]) => name !== 'preview'))('%s %s is framed by no page', async (name, path) => {
    const { headers } = await ask(name, path, 'localhost')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  test('K-04 a draft is framed by the Studio alone', async () => {
    const { headers } = await ask('preview', '/quiz', 'localhost')
    const { studio } = listening.world.ports
    expect(headers['content-security-policy']).toContain(
      `frame-ancestors 'self' http://localhost:${studio} http://127.0.0.1:${studio}`,
    )
  })

  test('none of them listens to another machine', async () => {
    const others = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
    const outside = others.find(({ internal, family }) => !internal && family === 'IPv4')
    if (!outside) return
    for (const [name, { port }] of listening.programs) {
      const reached = await new Promise<boolean>((done) => {
        const socket = connect({ port, host: outside.address, timeout: 2_000 }, () => done(true))
        for (const event of ['error', 'timeout'] as const) socket.on(event, () => done(false))
        socket.on('connect', () => socket.destroy())
      })
      expect(reached, name).toBe(false)
    }
  })

  test('the controls of the sandbox are not behind the site’s address, however they are spelled', async () => {
    expect((await ask('stripe', '/_sandbox/totals', 'localhost')).status).toBe(200)
    const spellings = [
      '/_stripe/../_sandbox/totals',
      '/_stripe/%2e%2e/_sandbox/totals',
      '/_stripe/.%2E/_sandbox/totals',
      '/_stripe/..\\_sandbox\\totals',
      '/_stripe/..%5c_sandbox/totals',
      '/_stripe//../../_sandbox/totals',
      '//_stripe/../_sandbox/totals',
    ]
    for (const path of spellings) {
      for (const name of ['site', 'stripe']) {
        const { status, body } = await ask(name, path, 'localhost')
        expect([name, path, status]).toEqual([name, path, 404])
        expect(body).not.toContain('charged')
      }
    }
    expect((await ask('site', '/_stripe/stripe.js', 'shop.example')).status).toBe(200)
  })
})
