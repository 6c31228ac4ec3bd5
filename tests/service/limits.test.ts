/** Limits stop those who send too much, and no one else. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailLink } from '../../payments-service/mail/mailed-links.ts'
import { LIMITS, type LimitRule } from '../../payments-service/http/limits.ts'
import { type Membership, PASSWORD, startMembership, tokenOf } from './membership.ts'
import { Browser, type RunningService, startService } from './service.ts'

/** The limits of production, behind a proxy that reports the addresses. */
const EARNEST = { LIMIT_FACTOR: '1', TRUST_PROXY: 'loopback' }
let running: RunningService
beforeAll(async () => void (running = await startService({ env: EARNEST })))
afterAll(() => running.stop())

function from(address: string, base = running.url): Browser {
  const browser = new Browser(base)
  browser.headers = { ...browser.headers, 'x-forwarded-for': address }
  return browser
}

/** Sends until the first refusal, at most `most`; returns how many were answered. */
async function untilRefused(most: number, send: (n: number) => Promise<{ status: number }>): Promise<number> {
  for (let n = 0; n < most; n++) if ((await send(n)).status === 429) return n
  return most
}

const visit = (browser: Browser) => browser.post('/api/sessions', { clientKey: crypto.randomUUID() })

describe('addresses', () => {
  test('P-02 all addresses of one /64 are one; its neighbours and everybody else go on', async () => {
    const most = LIMITS.session.perAddress.points
    const answered = await untilRefused(most + 5, (n) => visit(from(`2001:db8:0:1::${(n + 1).toString(16)}`)))
    expect(answered).toBe(most)
    for (const other of ['2001:db8:0:2::1', '2001:db8:1::1', '203.0.113.9', '::ffff:203.0.113.9']) {
      expect((await visit(from(other))).status, other).toBe(200)
    }
  })

  test('P-02 a /56 that moves from one /64 to the next has four times as much', async () => {
    const { points } = LIMITS.operator.perAddress
    const sign = (n: number) =>
      from(`2001:db8:5:${(n % 200).toString(16)}::1`).form('/operator/sign-in', { email: 'a@b.c', password: 'x' })
    expect(await untilRefused(points * 4 + 5, sign)).toBe(points * 4)
    expect((await from('2001:db8:6::1').form('/operator/sign-in', { email: 'a@b.c', password: 'x' })).status).toBe(401)
  })

  test('H-04 thousands of guessed links from one /64 keep nobody from leaving, signing up or paying', async () => {
    const guess = (n: number) => from(`2001:db8:7::${n.toString(16)}`).post('/api/links/cancel/view', { token: 'AAAA' })
    expect(await untilRefused(700, guess)).toBeLessThanOrEqual(LIMITS.mailLink.perAddress.points)
    expect((await from('198.51.100.7').post('/api/links/cancel/view', { token: 'AAAA' })).status).toBe(200)
    // and someone with a mailed link is still served from the same address
    const token = tokenOf(mailLink(running.config, 'cancel', { subject: crypto.randomUUID(), to: 'a@example.com' }))
    expect((await from('2001:db8:7::1').post('/api/links/cancel/view', { token })).status).toBe(200)
    const link = mailLink(running.config, 'unsubscribe', { subject: crypto.randomUUID(), to: 'a@example.com' })
    const path = `/api/unsubscribe/${link.split('/').at(-1)}`
    expect((await from('2001:db8:7::1').send('POST', path)).status).toBe(200)
  })
})

describe('replicas', () => {
  test('A-05 guesses count at two replicas together', async () => {
    const other = await startService({ env: EARNEST, databaseUrl: running.databaseUrl })
    const guesses = {
      operator: (browser: Browser) => browser.form('/operator/sign-in', { email: 'a@b.c', password: 'x' }),
      mailLink: (browser: Browser) => browser.post('/api/links/cancel/view', { token: 'BBBB' }),
      signIn: (browser: Browser) => browser.post('/api/account/sign-in', { email: 'a@b.c', password: PASSWORD }),
    }
    for (const [name, guess] of Object.entries(guesses)) {
      const { perAddress, perCaller } = LIMITS[name as keyof typeof guesses] as LimitRule
      const most = name === 'signIn' ? perCaller!.points : perAddress.points
      const counted = await untilRefused(most + 5, (n) => guess(from('198.51.100.90', n % 2 ? other.url : running.url)))
      expect(counted, name).toBe(most)
    }
    await other.stop()
  })
})

describe('visits', () => {
  test('N-02 who knows an id only spends nothing of the visit', async () => {
    const owner = from('198.51.100.20')
    const sessionId = await owner.visit()
    const path = `/api/sessions/${sessionId}`
    await untilRefused(300, (n) => from(`198.51.101.${n % 250}`).get(path))
    expect((await owner.get(path)).status).toBe(200)
    expect((await owner.post(`${path}/answers`, { answers: [] })).status).toBe(200)
  })

  test('N-02 a visit has its own limit, wherever its requests come from', async () => {
    const owner = from('198.51.100.21')
    const path = `/api/sessions/${await owner.visit()}`
    const most = LIMITS.visit.perCaller.points
    const moving = (n: number) => owner.get(path, { 'x-forwarded-for': `198.51.102.${n % 250}` })
    expect(await untilRefused(most + 5, moving)).toBe(most)
  })

  test('D-01 P-02 changing the address over and over, with the newest token each time, is one caller', async () => {
    const owner = from('198.51.100.22')
    const path = `/api/sessions/${await owner.visit()}/email`
    const change = (n: number) => {
      owner.headers = { ...owner.headers, 'x-forwarded-for': `198.51.103.${n % 250}` }
      return owner.put(path, { email: `${n % 2 ? 'a' : 'b'}@example.com` })
    }
    const most = LIMITS.visit.perCaller.points
    expect(await untilRefused(most + 5, change)).toBe(most)
  })

  test('C-02 a holder of a visit is not refused because others fill the address they share', async () => {
    const office = '198.51.100.30'
    const owner = from(office)
    const path = `/api/sessions/${await owner.visit()}`
    const known = `/api/sessions/${crypto.randomUUID()}`
    const others = from(office)
    for (let n = 0; n < 26; n++) await Promise.all(Array.from({ length: 50 }, () => others.get(known)))
    expect((await others.get(known)).status).toBe(429)
    expect((await owner.get(path)).status).toBe(200)
  })
})

describe('pages', () => {
  test('N-01 a person who has to wait reads a page, a program gets JSON', async () => {
    const browser = from('198.51.100.40')
    const send = (accept: string) =>
      browser.send('POST', '/operator/sign-in', 'email=a%40b.c&password=x', {
        'content-type': 'application/x-www-form-urlencoded',
        accept,
      })
    await untilRefused(20, () => send('text/html'))
    const page = await send('text/html,application/xhtml+xml,*/*;q=0.8')
    expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8'])
    expect(page.body).toContain('<h1>Please wait a moment</h1>')
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await send('application/json')).body).toMatchObject({ error: { code: 'too_many_requests' } })
  })
})

describe('accounts', () => {
  let world: Membership
  beforeAll(async () => void (world = await startMembership(EARNEST)))
  afterAll(() => world.stop())

  test('A-05 strangers who guess lock out neither the owner at home nor a new browser elsewhere', async () => {
    const email = 'guessed@example.com'
    await world.member({ email })
    const signIn = (browser: Browser, password: string) => browser.post('/api/account/sign-in', { email, password })
    const home = from('198.51.100.50', world.url)
    expect((await signIn(home, PASSWORD)).status).toBe(200)
    home.cookies.forEach((_, name) => !name.includes('known') && home.cookies.delete(name))
    const guesses = await untilRefused(30, () => signIn(from('203.0.113.66', world.url), 'Wrong Guess 1'))
    expect(guesses).toBe(LIMITS.signIn.perCaller.points)
    expect((await signIn(from('198.51.100.51', world.url), PASSWORD)).status).toBe(200)
    // even from the address that guessed: this browser has signed in here before
    home.headers = { ...home.headers, 'x-forwarded-for': '203.0.113.66' }
    expect((await signIn(home, PASSWORD)).status).toBe(200)
    expect((await from('203.0.113.66', world.url).post('/api/account/password/forgot', { email })).status).toBe(200)
    expect((await from('203.0.113.66', world.url).post('/api/account/magic-link', { email })).status).toBe(200)
  })
})
