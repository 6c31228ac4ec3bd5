import { expect, test } from 'vitest'
import { contentSecurityPolicy, pageHeaders } from './headers.ts'
import { headersFile, nginxFile, redirectsFile } from './host-files.ts'
import { pages, proxies, redirects, resolve } from '../../contract/site-routes.ts'

const id = '0b0f7f3e-6b6f-4c3b-9d3c-0e6f5f6f7a8b'
const nothing = () => false

test.each([
  ['/', ''],
  ['/quiz', 'quiz'],
  ['/quiz/', 'quiz'],
  ['/checkout', 'checkout'],
  ['/checkout-summary', 'checkout'],
  [`/checkout/${id}`, 'checkout'],
  [`/redirect/${id}`, 'redirect'],
  [`/multi-upsell/${id}`, 'multi-upsell'],
  [`/user-creation/${id}`, 'user-creation'],
  [`/thank-you/${id}`, 'thank-you'],
  ['/thank-you', 'thank-you'],
  ['/checkout-paypal-return', 'paypal-return'],
  [`/special-offer-paypal-return/${id}`, 'paypal-return'],
  [`/paypal-setup-return/${id}`, 'paypal-return'],
  [`/paypal-trial-return/${id}`, 'paypal-return'],
  [`/upsell-paypal-return/${id}/pi_1/bundle`, 'upsell-paypal-return'],
  ['/upsell-payment-complete/pi_1', 'upsell-payment-complete'],
  ['/special-offer-intro', 'special-offer-intro'],
  [`/special-offer-intro/${id}`, 'special-offer-intro'],
  ['/special-offer-details', 'special-offer-details'],
  ['/payment-error', 'payment-error'],
  [`/summary/${id}`, 'summary'],
  [`/payment/${id}`, 'payment'],
  ['/payment', 'payment'],
  ['/app/', 'app'],
  ['/app/day/1', 'app'],
  ['/app/card', 'update-payment'],
  ['/update-payment/token_1', 'update-payment'],
  ['/update-payment', 'update-payment'],
  ['/exit', 'exit'],
  ['/undo', 'undo'],
  ['/cancel', 'mail-link'],
  ['/create-account', 'mail-link'],
  ['/cancel/token_1', 'mail-link'],
  ['/undo-cancel/token_1', 'mail-link'],
  ['/withdraw/token_1', 'mail-link'],
  ['/invoice/token_1', 'mail-link'],
  ['/create-account/token_1', 'mail-link'],
])('C-01 C-17 P-07 A-05 H-04 %s is answered by the shell "%s"', (path, shell) => {
  expect(resolve(path, '', nothing)).toMatchObject({ kind: 'page', shell, status: 200 })
})

test('U-01 A-04 A-05 G-02 old and well-known addresses lead on and keep their query', () => {
  expect(resolve(`/upsell/${id}`, '?upsell=2', nothing)).toEqual({
    kind: 'redirect',
    location: `/multi-upsell/${id}?upsell=2`,
    status: 302,
  })
  expect(resolve(`/welcome/${id}`, '', nothing)).toMatchObject({ location: `/thank-you/${id}` })
  expect(resolve('/terms', '', nothing)).toMatchObject({ location: '/legal/terms-and-conditions', status: 301 })
  expect(resolve('/.well-known/change-password', '', nothing)).toMatchObject({ location: '/app/forgot-password' })
  expect(resolve('/app', '?a=1', nothing)).toMatchObject({ location: '/app/?a=1' })
})

test('an id never becomes part of another address or origin', () => {
  const target = resolve('/upsell/%2F%2Fevil.example%0d', '', nothing)
  expect(target).toMatchObject({ location: '/multi-upsell/%2F%2Fevil.example%0D' })
  expect(resolve('/upsell/%E0%A4%A', '', nothing)).toMatchObject({ kind: 'file' })
})

test('U-09 the service answers /api, the operator pages and the upsell links', () => {
  for (const path of ['/api/config', '/operator', '/operator/sessions', '/upsell-links', `/upsell-links/${id}`]) {
    expect(resolve(path, '', nothing)).toEqual({ kind: 'proxy', to: 'api' })
  }
  expect(resolve('/_stripe/stripe.js', '', nothing)).toEqual({ kind: 'proxy', to: 'stripe' })
  expect(resolve('/apix', '', nothing)).toMatchObject({ kind: 'file' })
})

test('G-01 a legal page that exists is a file; any other is the legal 404', () => {
  const exists = (path: string) => path === '/legal/contact-us' || path === '/legal/404'
  expect(resolve('/legal/contact-us', '', exists)).toMatchObject({ kind: 'file' })
  expect(resolve('/legal/nothing', '', exists)).toMatchObject({ shell: 'legal/404', status: 404 })
  expect(resolve('/legal/404', '', exists)).toMatchObject({ status: 404 })
})

test('N-02 every page under a session id sends no referrer and is not indexed', () => {
  for (const route of pages.filter(({ path }) => /:(sessionId|paymentIntentId)/.test(path))) {
    expect(pageHeaders(route.page), route.path).toMatchObject({
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    })
  }
  expect(pageHeaders('public')).not.toHaveProperty('X-Robots-Tag')
})

test('N-02 only payment pages may reach another origin, and only the payment provider', () => {
  const hashes = { scripts: ["'sha256-a'"], styles: ["'sha256-b'"] }
  for (const page of ['public', 'quiz', 'session', 'members'] as const) {
    expect(contentSecurityPolicy(page, hashes)).not.toContain('https:')
  }
  const payment = contentSecurityPolicy('payment', hashes)
  expect(payment.match(/https:\/\/[^ ;]+/g)?.every((host) => /\bstripe\.com$/.test(host))).toBe(true)
  expect(payment).not.toContain('unsafe-inline')
  expect(payment).toContain("script-src 'self' 'sha256-a' https://js.stripe.com")
  expect(payment).toContain("frame-ancestors 'none'")
})

test('the files of the hosts name every route of the table', () => {
  const none = { scripts: [], styles: [] }
  const hashes = { '': none, 'women-over60': none, '404': none, '500': none }
  const list = redirectsFile('https://api.example')
  const nginx = nginxFile(hashes, { root: '/srv/site', servers: ['service:4242'], logs: '/logs' })
  const headers = headersFile(hashes)
  for (const { path } of [...pages.filter(({ path, shell }) => path !== `/${shell}`), ...redirects.slice(0, -1)]) {
    expect(
      list.split('\n').some((line) => line.startsWith(`${path} `)),
      path,
    ).toBe(true)
  }
  for (const { path, status } of pages) if (!status) expect(headers.split('\n'), path).toContain(path)
  expect(headers.split('\n')).toContain('/women-over60')
  // a page requested by its file name, and the pages shown for errors at any address
  for (const file of ['/index.html', '/women-over60/index.html', '/404.html', '/500.html']) {
    expect(headers, file).toMatch(new RegExp(`^${file}\\n(  .*\\n)*  Content-Security-Policy: default-src 'none'`, 'm'))
  }
  expect(headers).toMatch(/^\/\*\n(  .*\n)*  Content-Security-Policy: frame-ancestors 'none'/m)
  expect(list).toContain('/api/* https://api.example/api/:splat 200')
  expect(list).not.toContain('_stripe')
  for (const { to } of redirects) expect(nginx).toContain(to.split(':')[0])
  for (const { path, to } of proxies) if (to === 'api') expect(nginx).toContain(path.replace('/*', ''))
  expect(nginx).not.toContain('_stripe')
})
