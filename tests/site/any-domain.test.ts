/** One built site and one service, under several domains and accounts at Stripe: the environment alone differs. */
import { readFileSync } from 'node:fs'
import { get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { createFrontDoor } from '../../src/site/local-server.ts'
import { type RunningService, startService } from '../service/service.ts'
import { addressesIn, builtFolder, filesOf, pagesOf } from './built.ts'

const SHOPS = [
  { host: 'eyes.example', account: 'first' },
  { host: 'shop.eyes.example', account: 'first' },
  { host: 'augen.example', account: 'second' },
]
const built = builtFolder()
const known = Boolean(process.env['SITE_URL'])
const why = !built ? ' (skipped: nothing is built)' : known ? ' (skipped: built for one address, by SITE_URL)' : ''

describe.skipIf(why)(`the built site under any domain${why}`, () => {
  const dist = built ?? ''
  const running: { server: Server; service: RunningService }[] = []
  afterAll(async () => {
    for (const { server, service } of running) {
      server.closeAllConnections()
      server.close()
      await service.stop()
    }
  })

  test('N-03 no page leads to a domain of its own, and no file has a key of Stripe', () => {
    const pages = pagesOf(dist)
    expect(pages.length).toBeGreaterThan(10)
    const own = pages.flatMap(({ shell, html }) =>
      [
        ...html.matchAll(/<(?:link|meta)[^>]*(?:canonical|og:url|og:image)"[^>]*(?:href|content)="(https?:[^"]+)"/g),
      ].map(([, address = '']) => `${shell}: ${address}`),
    )
    expect(own).toEqual([])
    expect(pages.flatMap(({ html }) => addressesIn(html)).filter((one) => /localhost|127\.0\.0\.1/.test(one))).toEqual(
      [],
    )
    const text = filesOf(dist).filter((file) =>
      /\.(?:html|js|css|txt|conf|json|xml)$|_(?:headers|redirects)$/.test(file),
    )
    expect(text.filter((file) => /\b[ps]k_(?:test|live)_/.test(readFileSync(file, 'utf8')))).toEqual([])
  })

  test('N-03 it sells under three domains and two accounts, each with its own key and addresses', async () => {
    const policies = new Set<string>()
    for (const { host, account } of SHOPS) {
      const key = `pk_test_${account}0123456789`
      const service = await startService({
        env: {
          SITE_URL: `https://${host}`,
          STRIPE_PUBLISHABLE_KEY: key,
          STRIPE_SECRET_KEY: `sk_test_${account}0123456789`,
        },
      })
      const server = createFrontDoor({ dist, apiUrl: service.url })
      running.push({ server, service })
      await new Promise<void>((up) => void server.listen(0, '127.0.0.1', up))
      const ask = asker((server.address() as AddressInfo).port, host)
      const page = await ask('/checkout')
      expect(page.status).toBe(200)
      policies.add(page.policy)
      const { body } = await ask('/api/config')
      expect(JSON.parse(body)).toMatchObject({ stripe: { publishableKey: key }, appUrl: `https://${host}/app/` })
    }
    expect(policies.size).toBe(1)
    expect([...policies].join()).toMatch(/'self'/)
  })
})

interface Told {
  status: number
  policy: string
  body: string
}

/** Asks one server in the name of a host, which fetch() does not allow. */
function asker(port: number, host: string): (path: string) => Promise<Told> {
  return (path) =>
    new Promise((told, failed) => {
      get({ port, host: '127.0.0.1', path, headers: { host } }, (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (part: string) => (body += part))
        const policy = String(response.headers['content-security-policy'])
        response.on('end', () => told({ status: response.statusCode ?? 0, policy, body }))
      }).on('error', failed)
    })
}
