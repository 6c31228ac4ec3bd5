/** D-11: TRUST_PROXY is compared with the proxies that are really in front: the doctor's request passes them. */
import { type ClientRequest, createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { examine } from '../../payments-service/doctor/checks.ts'
import { INVENTED, proxies } from '../../payments-service/doctor/proxies.ts'
import { DOCTOR_HEADER, doctorsMark } from '../../payments-service/site-config/forwarded.ts'
import { type Funnel, startFunnel } from './funnel.ts'

let funnel: Funnel
const servers: Server[] = []
beforeAll(async () => void (funnel = await startFunnel({ background: false })))
afterAll(async () => {
  for (const server of servers) server.close()
  await funnel.stop()
})

/** A proxy before `target` that appends the address it was asked from, or replaces what came. Its own address. */
async function proxyBefore(target: string, way: 'appends' | 'replaces' = 'appends'): Promise<string> {
  const proxyReq = (onward: ClientRequest, { headers, socket }: IncomingMessage) => {
    const before = way === 'appends' ? [headers['x-forwarded-for'] ?? []].flat() : []
    onward.setHeader('x-forwarded-for', [...before, socket.remoteAddress].join(', '))
  }
  const pass = createProxyMiddleware({ target, on: { proxyReq } })
  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  servers.push(server)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function said(siteUrl: string, trustProxy: false | number | string): Promise<string[]> {
  const { deps } = funnel.service
  const found = await examine({ ...deps, config: { ...deps.config, siteUrl, trustProxy } })
  return found.filter(({ text, level }) => level === 'fail' && /TRUST_PROXY/.test(text)).map(({ text }) => text)
}

test('D-11 a wrong number of proxies is named with the right one; the right one says nothing', async () => {
  const one = await proxyBefore(funnel.url)
  const two = await proxyBefore(one)
  for (const [url, right] of [
    [funnel.url, 0],
    [one, 1],
    [two, 2],
  ] as const) {
    for (const number of [0, 1, 2, 3]) {
      const expected = right === 0 ? 'false' : String(right)
      const danger = number > right ? 'invent their address' : 'share the address of a proxy'
      const words = expect.stringMatching(new RegExp(`${danger}.*set TRUST_PROXY=${expected}$`))
      expect(await said(url, number || false), `${right} proxies, ${number} trusted`).toEqual(
        number === right ? [] : [words],
      )
    }
  }
})

test('D-11 a proxy that no address of TRUST_PROXY covers is named; asking from a trusted one is no proof', async () => {
  const forwarded = [INVENTED, '198.51.100.9', '10.0.0.5']
  expect(proxies({ forwarded, address: '10.0.0.5' }, '10.9.0.0/16')).toEqual([
    { level: 'fail', text: expect.stringMatching(/does not name the proxy 10\.0\.0\.5: all visitors share/) },
  ])
  expect(proxies({ forwarded, address: '198.51.100.9' }, '10.0.0.0/8')).toEqual([])
  expect(proxies({ forwarded, address: INVENTED }, 'loopback')).toEqual([])
  // one that replaces the header lets nobody invent anything
  expect(await said(await proxyBefore(funnel.url, 'replaces'), 3)).toEqual([])
})

test('N-02 who is not the doctor learns nothing of how a request arrived', async () => {
  const ask = async (mark: string) =>
    (await fetch(`${funnel.url}/api/config`, { headers: { [DOCTOR_HEADER]: mark } })).headers.get(DOCTOR_HEADER)
  const { tokenSecret } = funnel.service.deps.config
  expect(await ask(doctorsMark(tokenSecret))).toContain('"address"')
  const old = doctorsMark(tokenSecret, Date.now() - 6 * 60_000)
  for (const mark of ['', 'x.y', old, doctorsMark('another secret'), `${Date.now()}.`])
    expect(await ask(mark)).toBeNull()
})
