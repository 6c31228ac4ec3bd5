/** Which proxy in front the service trusts, and where it listens. */
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { problemsOf } from './config.fixture.ts'

const good = {
  DATABASE_URL: 'postgres://u:p@db.example/funnel',
  SITE_URL: 'https://example.com/',
  TOKEN_SECRET: 'x'.repeat(32),
  STRIPE_SECRET_KEY: 'sk_test_12345678',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_12345678',
  STRIPE_WEBHOOK_SECRET: 'whsec_12345678',
}
const problems = (change: Record<string, string>): readonly string[] => problemsOf({ ...good, ...change })

describe('TRUST_PROXY', () => {
  test('outside embedded mode it has to be set: without it all visitors would share one address', () => {
    expect(problems({}).join()).toMatch(/^TRUST_PROXY is missing/)
    expect(readConfig({ ...good, EMBEDDED: '1' }).trustProxy).toBe('loopback')
  })

  test.each<[string, unknown]>([
    ['false', false],
    ['0', false],
    ['1', 1],
    ['12', 12],
    ['loopback', 'loopback'],
    ['10.0.0.0/8,  loopback', '10.0.0.0/8, loopback'],
    ['2001:db8::/32', '2001:db8::/32'],
    ['192.0.2.1', '192.0.2.1'],
  ])('%s is understood', (text, setting) => {
    expect(readConfig({ ...good, TRUST_PROXY: text }).trustProxy).toEqual(setting)
  })

  test.each([
    'true',
    'yes',
    '-1',
    '1.5',
    '1000',
    'proxy.example',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '::/0',
    '10.0.0.0/',
    '1,',
    '/8',
    '10.0.0.1/8/8',
  ])('%s is refused at the start, by name and without its value', (text) => {
    const [problem, ...others] = problems({ TRUST_PROXY: text })
    expect(problem).toMatch(/^TRUST_PROXY is not right: .*number of proxies/)
    expect(others).toEqual([])
  })
})

describe('COUNTRY_HEADER and HOST', () => {
  test('D-07 no header names the country unless one is configured; in embedded mode x-country-code does', () => {
    const read = (change: Record<string, string>) => readConfig({ ...good, TRUST_PROXY: '1', ...change }).countryHeader
    expect(read({})).toBeNull()
    expect(read({ COUNTRY_HEADER: 'CF-IPCountry' })).toBe('cf-ipcountry')
    expect(read({ EMBEDDED: '1' })).toBe('x-country-code')
    for (const COUNTRY_HEADER of ['cf ipcountry', 'x:y', 'a\nb', '1']) {
      expect(problems({ TRUST_PROXY: '1', COUNTRY_HEADER }).join()).toMatch(/^COUNTRY_HEADER is not right/)
    }
  })

  test('the service listens on this machine alone unless told otherwise', () => {
    const read = (change: Record<string, string>) => readConfig({ ...good, TRUST_PROXY: '1', ...change }).host
    expect(read({})).toBe('127.0.0.1')
    expect(read({ HOST: '0.0.0.0' })).toBe('0.0.0.0')
    expect(problems({ TRUST_PROXY: '1', HOST: 'everywhere' }).join()).toMatch(/^HOST is not right/)
  })
})
