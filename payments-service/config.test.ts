import { describe, expect, test } from 'vitest'
import { EEA } from '../contract/countries.ts'
import { readConfig, readStripeAccount } from './config.ts'
import { problemsOf } from './config.fixture.ts'

const good = {
  DATABASE_URL: 'postgres://u:p@db.example/funnel',
  SITE_URL: 'https://example.com/',
  TOKEN_SECRET: 'x'.repeat(32),
  TRUST_PROXY: 'false',
  STRIPE_SECRET_KEY: 'sk_test_12345678',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_12345678',
  STRIPE_WEBHOOK_SECRET: 'whsec_12345678',
}

describe('the configuration', () => {
  test('N-01 no secret has a default, and everything missing is named at once', () => {
    const named = problemsOf({ EMBEDDED: '1' })
    for (const name of Object.keys(good).filter((one) => one !== 'TRUST_PROXY'))
      expect(named.join('\n')).toContain(`${name} is missing`)
  })

  test('bad values are named, never shown', () => {
    const named = problemsOf({ ...good, PORT: '99999', TOKEN_SECRET: 'tooshort', STRIPE_SECRET_KEY: 'secretvalue' })
    expect(named).toHaveLength(3)
    expect(named.join()).not.toMatch(/tooshort|secretvalue/)
    const second = problemsOf({
      ...good,
      TOKEN_SECRET: `${good.TOKEN_SECRET},tooshort`,
      STRIPE_WEBHOOK_SECRET: 'whsec_12345678,x',
    })
    expect(second).toEqual([
      'TOKEN_SECRET is not right: has to be at least 32 characters of randomness',
      'STRIPE_WEBHOOK_SECRET is not right: has to be a secret like whsec_…',
    ])
  })

  test('P-13 the catalogue is set up with the key alone, by the same rules for it', () => {
    const secretKey = good.STRIPE_SECRET_KEY
    expect(readStripeAccount({ STRIPE_SECRET_KEY: secretKey })).toEqual({ secretKey, apiBase: null })
    for (const [given, problem] of [
      [{}, 'STRIPE_SECRET_KEY is missing, and so is STRIPE_SECRET_KEY_FILE'],
      [{ STRIPE_SECRET_KEY: '' }, 'STRIPE_SECRET_KEY is missing, and so is STRIPE_SECRET_KEY_FILE'],
      [{ STRIPE_SECRET_KEY: 'pk_test_12345678' }, 'STRIPE_SECRET_KEY is not right: has to be a key like'],
      [{ STRIPE_SECRET_KEY_FILE: '/nowhere' }, 'STRIPE_SECRET_KEY_FILE is not right: the file cannot be read (ENOENT)'],
      [{ STRIPE_SECRET_KEY: 'sk_live_12345678', EMBEDDED: '1' }, 'STRIPE_SECRET_KEY is a live key'],
      [
        { STRIPE_SECRET_KEY: secretKey, STRIPE_API_BASE: 'http://127.0.0.1:1' },
        'STRIPE_API_BASE belongs to a stand-in',
      ],
    ] as const) {
      expect(() => readStripeAccount(given)).toThrow(`start:\n  - ${problem}`)
    }
  })

  test('N-03 metrics have a port of their own, and alerts need a way to leave', () => {
    expect(problemsOf({ ...good, PORT: '4242', METRICS_PORT: '4242' }).join()).toMatch(/METRICS_PORT.*another port/)
    expect(problemsOf({ ...good, ALERT_MAIL: 'ops@example.com' }).join()).toMatch(/ALERT_MAIL needs SMTP_URL/)
    expect(problemsOf({ ...good, ALERT_MAIL: 'ops', ALERT_URL: 'file:///etc' })).toHaveLength(3)
    expect(problemsOf({ ...good, ALERT_URL: 'https://me:word@hooks.example/x' })).toEqual([
      'ALERT_URL is not right: has to be without a name and a password',
    ])
    const { alerts, metricsPort } = readConfig({ ...good, ALERT_URL: 'https://hooks.example/x' })
    expect([alerts, metricsPort]).toEqual([{ mail: null, url: 'https://hooks.example/x' }, null])
  })

  test('P-15 tax is declared in the EU and the UK unless told otherwise, and nowhere without one rate', () => {
    const registered = (text?: string) => readConfig({ ...good, TAX_REGISTRATIONS: text }).taxRegistrations
    expect(registered()).toHaveLength(28)
    expect(registered('none')).toEqual([])
    expect(registered('EU,CH,CA')).toEqual(expect.arrayContaining(['DE', 'GR', 'CH', 'CA']))
    for (const text of ['US', 'EU,CA-ON', 'de', 'EU, GB', 'everywhere']) {
      expect(problemsOf({ ...good, TAX_REGISTRATIONS: text }).join(), text).toMatch(/TAX_REGISTRATIONS is not right/)
    }
  })

  test('T-02 visitors are asked in the whole EEA where EU is named, and no code that is no country is taken', () => {
    const asked = (text: string) => readConfig({ ...good, CONSENT_REGIONS: text }).consentRegions
    expect(asked('none')).toEqual([])
    expect(asked('EU,GB')).toEqual([...EEA, 'GB'])
    expect(asked('DE,XK,US')).toEqual(['DE', 'XK', 'US'])
    for (const text of ['UK', 'DE,UK', 'QQ', 'UN', 'EEA', 'DD', 'de']) {
      const wrong = text.split(',').at(-1) ?? ''
      expect(problemsOf({ ...good, CONSENT_REGIONS: text })).toEqual([
        `CONSENT_REGIONS is not right: has to be none, or EU and countries by ISO 3166, like EU,GB,CH; ${wrong} is ` +
          'none of them',
      ])
    }
    for (const text of ['DE, FR', 'everywhere', 'DE,'])
      expect(problemsOf({ ...good, CONSENT_REGIONS: text }).join(), text).toMatch(/^CONSENT_REGIONS is not right/)
  })

  test('embedded secrets refuse production, live keys and the sandbox outside', () => {
    expect(problemsOf({ ...good, EMBEDDED: '1', NODE_ENV: 'production' }).join()).toMatch(/NODE_ENV=production/)
    expect(
      problemsOf({
        ...good,
        EMBEDDED: '1',
        STRIPE_SECRET_KEY: 'sk_live_12345678',
        STRIPE_PUBLISHABLE_KEY: 'pk_live_12345678',
      }).join(),
    ).toMatch(/live key/)
    expect(problemsOf({ ...good, STRIPE_API_BASE: 'http://127.0.0.1:4243' }).join()).toMatch(/STRIPE_API_BASE/)
    expect(problemsOf({ ...good, META_API_BASE: 'http://127.0.0.1:4244' }).join()).toMatch(/META_API_BASE/)
    expect(problemsOf({ ...good, STRIPE_SECRET_KEY: 'sk_live_12345678' }).join()).toMatch(/both live or both test/)
    expect(problemsOf({ ...good, SITE_URL: 'http://example.com' }).join()).toMatch(/https/)
  })

  test('N-03 a rehearsal is production with the sandbox: live keys, embedded mode and no sandbox refuse it', () => {
    const rehearsal = { ...good, NODE_ENV: 'production', REHEARSAL: '1', STRIPE_API_BASE: 'http://127.0.0.1:4243' }
    const content = { SANITY_PROJECT_ID: 'a', SANITY_READ_TOKEN: 'b', SMTP_URL: 'smtps://mail.example' }
    expect(readConfig({ ...rehearsal, ...content })).toMatchObject({
      rehearsal: true,
      embedded: false,
      limitFactor: 1,
      stripe: { apiBase: 'http://127.0.0.1:4243' },
    })
    expect(problemsOf(rehearsal), 'what production asks for').toHaveLength(3)
    const wrong = (change: Record<string, string>) => problemsOf({ ...rehearsal, ...content, ...change })
    const live = { STRIPE_SECRET_KEY: 'rk_live_12345678', STRIPE_PUBLISHABLE_KEY: 'pk_live_12345678' }
    expect(wrong(live)).toEqual([
      'STRIPE_SECRET_KEY is a live key: REHEARSAL=1 takes test keys only',
      'STRIPE_PUBLISHABLE_KEY is a live key: REHEARSAL=1 takes test keys only',
    ])
    expect(wrong({ STRIPE_API_BASE: '' }).join()).toMatch(/^REHEARSAL=1 needs STRIPE_API_BASE/)
    expect(wrong({ NODE_ENV: 'test', EMBEDDED: '1' }).join()).toMatch(/^REHEARSAL=1 is for production/)
    expect(wrong({ LIMIT_FACTOR: '50', FAILPOINT: 'kill@after:x' }).join()).toMatch(/LIMIT_FACTOR.*FAILPOINT/)
    expect(wrong({ REHEARSAL: '0' }).join()).toMatch(/^STRIPE_API_BASE belongs to a stand-in/)
  })

  test('a good environment: slashes trimmed, empty lines unset, no proxy believed', () => {
    expect(readConfig({ ...good, SMTP_URL: '' })).toMatchObject({
      siteUrl: 'https://example.com',
      appUrl: 'https://example.com/app/',
      embedded: false,
      trustProxy: false,
      stripe: { apiBase: null, paypal: false },
      mail: { smtpUrl: null, from: 'no-reply@example.com' },
    })
  })
})
