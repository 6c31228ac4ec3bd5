/** `npm run doctor`: each mistake of an installation is made for real and named, with what to do. */
import { execFile } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLake } from '../../payments-service/content/lake.ts'
import { examine } from '../../payments-service/doctor/checks.ts'
import type { Finding } from '../../payments-service/doctor/finding.ts'
import { registerSite } from '../../payments-service/stripe/domains.ts'
import { createGateway } from '../../payments-service/stripe/gateway.ts'
import { API_VERSION } from '../../payments-service/stripe/sdk.ts'
import { type Membership, startMembership } from './membership.ts'
import { SITE_STATUS_ID, SITE_STATUS_TYPE } from '../../scripts/publisher/site-status.ts'
import { clientOf, TOKEN } from '../../stand-ins/content-lake/fixture.ts'
import { signedOperator } from './operators.ts'
import { environment } from './service.ts'

let world: Membership
let mails: SMTPServer
beforeAll(async () => {
  world = await startMembership()
  mails = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ password }, _session, done) =>
      password === 'right' ? done(null, { user: 'shop' }) : done(new Error('535 no such login')),
  })
  await new Promise<void>((listening) => mails.listen(0, '127.0.0.1', listening))
})
afterAll(async () => {
  await new Promise<void>((closed) => mails.close(closed))
  await world.stop()
})

const smtp = (password: string) => `smtp://shop:${password}@127.0.0.1:${(mails.server.address() as AddressInfo).port}`
type Deps = Parameters<typeof examine>[0]
/** A sound installation: its public address is the service's own. */
function sound(): Deps {
  const { deps } = world.service
  return {
    ...deps,
    config: { ...deps.config, siteUrl: world.url, mail: { ...deps.config.mail, smtpUrl: smtp('right') } },
  }
}
/** What is not well, as "level about: text". */
async function wrong(change: (deps: Deps) => Deps = (deps) => deps): Promise<string[]> {
  const found = await examine(change(sound()))
  return found.filter(({ level }) => level !== 'ok').map(({ level, about, text }) => `${level} ${about}: ${text}`)
}
const set = (change: Partial<Deps['config']>) => (deps: Deps) => ({ ...deps, config: { ...deps.config, ...change } })

test('D-11 P-13 a sound installation: every part answers; only a missing operator and country are noted', async () => {
  expect(await wrong()).toEqual([
    'warn public address: the proxy names no country in x-country-code: strict rules apply to every visitor',
    'warn operators: nobody can sign in. Run: npm run operator:create',
  ])
  const { browser } = await signedOperator(world)
  // this one asks at SITE_URL, where the test has no site
  const { body: page } = await browser.get('/operator/health')
  for (const words of ['To be mended', 'public address', 'PostgreSQL 1', 'every price is in the account'])
    expect(page).toContain(words)
  expect(await wrong()).toEqual([expect.stringContaining('warn public address')])
  const all = await examine(sound())
  expect([...new Set(all.map(({ about }) => about))].sort()).toEqual([
    'backups',
    'catalogue',
    'content',
    'database',
    'mail',
    'operators',
    'public address',
    'stripe',
    'wallets',
    'webhooks',
  ] satisfies Finding['about'][])
})

/** Settings that are wrong, and what is said of each. */
const MISTAKES: [string, (deps: Deps) => Deps, RegExp][] = [
  [
    'a revoked Stripe key',
    (deps) => {
      const stripe = { ...deps.config.stripe, secretKey: 'sk_test_revoked000' }
      return { ...deps, config: { ...deps.config, stripe }, stripe: createGateway(stripe) }
    },
    /^fail stripe: Stripe refuses STRIPE_SECRET_KEY/,
  ],
  ['no mail server', set({ mail: { smtpUrl: null, from: 'a@b.example' } }), /^warn mail: SMTP_URL is not set/],
  [
    'a mail server that refuses the login',
    (deps) => set({ mail: { ...deps.config.mail, smtpUrl: smtp('wrong') } })(deps),
    /^fail mail: the mail server refuses SMTP_URL/,
  ],
  [
    'a mail server that is not there',
    (deps) => set({ mail: { ...deps.config.mail, smtpUrl: 'smtp://127.0.0.1:9' } })(deps),
    /^fail mail: the mail server refuses SMTP_URL: .*ECONNREFUSED/,
  ],
  ['no content', (deps) => ({ ...deps, lake: null }), /^fail content: SANITY_PROJECT_ID and SANITY_READ_TOKEN/],
  [
    'a token that reads only what is public',
    (deps) => ({ ...deps, lake: createLake({ ...deps.config.sanity!, token: '' }) }),
    /^fail content: (the token reads no session|no answer: .*[Uu]nauthorized)/,
  ],
  ['a site that is not there', set({ siteUrl: 'http://127.0.0.1:9' }), /^fail public address: no answer/],
  [
    'a proxy that does not pass /api/ on',
    (deps) => set({ siteUrl: deps.config.sanity?.apiHost ?? '' })(deps),
    /^fail public address: .* and not the service: route \/api\/ to it/,
  ],
  [
    'another installation at the address',
    (deps) => set({ stripe: { ...deps.config.stripe, publishableKey: 'pk_test_anotherone' } })(deps),
    /^fail public address: .* answered by an installation with another Stripe key/,
  ],
]
test.each(MISTAKES)('D-11 %s is named, with what to do', async (_what, change, said) => {
  expect((await wrong(change)).filter((line) => said.test(line))).toHaveLength(1)
})

test('D-11 no backup, an old one, one of before a restore, and a log that nobody receives are noted', async () => {
  const said = async (change: Partial<Deps['config']> = {}) =>
    (await wrong(set({ embedded: false, ...change }))).filter((line) => line.includes('backups'))
  const unreceived = expect.stringMatching(/^warn backups: the log is not received/)
  expect(await said()).toEqual([
    expect.stringMatching(/^warn backups: there is none\. Run: npm run backup, or set BACKUPS/),
  ])
  expect(await said({ backupsByHost: true })).toEqual([])
  const { rows } = await sql<{ timeline: number }>`
    insert into backups (started_at, bytes, timeline)
      select now() - interval '40 hours', 1, timeline_id from pg_control_checkpoint() returning timeline`.execute(
    world.db,
  )
  expect(await said()).toEqual([expect.stringContaining('the last one is 40 hours old. Run'), unreceived])
  await world.db
    .insertInto('backups')
    .values({ started_at: new Date(), bytes: '1', timeline: (rows[0]?.timeline ?? 0) + 1 })
    .execute()
  expect(await said()).toEqual([expect.stringContaining('was restored, or a standby took over'), unreceived])
})

test('A-05 D-11 a guide that is sold and not published, and days that are missing, are named', async () => {
  const ids = ['programme.guide-habits', 'programme.session-17', 'programme.session-40']
  const documents = await Promise.all(ids.map((id) => world.editor.getDocument(id)))
  const said = async () => (await wrong()).filter((line) => line.includes('content'))
  for (const id of ids) await world.editor.delete(id)
  expect(await said()).toEqual([
    'fail content: no guide is published for guide_habits: who buys it finds nothing. Publish it in the Studio',
    'warn content: only 40 of 42 days of the programme are published. The Studio lists the others',
  ])
  for (const document of documents) await world.editor.createOrReplace(document as never)
  expect(await said()).toEqual([])
})

test('K-04 a pinned site and a publish that is not on it are noted, as the publisher reports them', async () => {
  const { sanity } = world.service.deps.config
  const lake = clientOf(sanity?.apiHost ?? '', TOKEN)
  const report = {
    _id: SITE_STATUS_ID,
    _type: SITE_STATUS_TYPE,
    at: '2026-11-23T08:00:00Z',
    milliseconds: 0,
    problems: [],
  }
  const pin = { built: '2026-11-22T08:00:00Z', since: '2026-11-23T07:00:00Z', by: 'ada@desk' }
  await lake.createOrReplace({ ...report, state: 'broken', pin })
  const said = (await wrong()).filter((line) => line.startsWith('warn content'))
  expect(said).toEqual([
    expect.stringMatching(/pinned since 2026-11-23T07:00:00Z by ada@desk: .*npm run site:unpin$/),
    expect.stringMatching(/publish of 2026-11-23T08:00:00Z is not on the site/),
  ])
  await lake.createOrReplace({ ...report, state: 'live', pin: null })
  expect((await wrong()).join()).not.toContain('content')
})

test('P-13 a price that Stripe does not have, or has with another amount, is named', async () => {
  const { data } = await world.dashboard('GET', '/v1/prices', { 'lookup_keys[0]': 'trial_5_usd' })
  expect(data).toHaveLength(1)
  await world.dashboard('POST', `/v1/prices/${data[0].id}`, { active: 'false' })
  expect(await wrong()).toContainEqual(
    'fail catalogue: missing or another amount at Stripe: trial_5. Run: npm run stripe:setup',
  )
  await world.dashboard('POST', `/v1/prices/${data[0].id}`, { active: 'true' })
  expect((await wrong()).join()).not.toContain('catalogue')
})

test('C-13 P-13 a domain at which Apple Pay does not appear is named until it is registered and verified', async () => {
  const said = async (siteUrl: string) => (await wrong(set({ siteUrl }))).filter((line) => line.includes(' wallets: '))
  const { stripe } = world.service.deps.config
  const shop = 'https://shop.example'
  const missing = 'the domain shop.example is not registered. Run: npm run stripe:setup'
  expect(await said(shop)).toEqual([`warn wallets: Apple Pay does not appear: ${missing}`])
  expect(await registerSite(stripe, shop)).toBe('Apple Pay may appear at shop.example')
  expect(await said(shop)).toEqual([])
  const words = /^Apple Pay does not appear: the domain shop\.invalid is not verified for it \(We were unable/
  expect(await registerSite(stripe, 'https://shop.invalid')).toMatch(words)
  const unverified = expect.stringMatching(/^warn wallets: .*shop\.invalid is not verified/)
  expect(await said('https://shop.invalid')).toEqual([unverified])
  // a key without the right to ask is no risk: buyers pay by card
  const rule = { mode: '500', path: '/v1/payment_method_domains', times: 1, from: 'server' }
  await world.control('POST', 'faults', rule)
  expect(await said(shop)).toEqual([expect.stringMatching(/^warn wallets: no answer: /)])
})

test('P-10 a webhook endpoint that is disabled, or lacks events, is named', async () => {
  const url = `${world.url}/api/webhooks/stripe`
  const form = { url, api_version: API_VERSION, 'enabled_events[0]': 'payment_intent.succeeded' }
  const { id } = await world.dashboard('POST', '/v1/webhook_endpoints', form)
  expect(await wrong()).toContainEqual(
    expect.stringMatching(/^fail webhooks: the webhook endpoint does not send .*charge\.refunded.*Add them there$/),
  )
  await world.dashboard('POST', `/v1/webhook_endpoints/${id}`, { disabled: 'true' })
  expect(await wrong()).toContainEqual(expect.stringContaining('fail webhooks: the webhook endpoint is disabled'))
})

test('P-10 that events come by the poll alone is named, and what to look at', async () => {
  const events = (source: string) => sql`insert into webhook_events (id, type, payload, created, source, handled_at)
    select 'evt_' || ${source} || n, 'ping.pong', '{}', now(), ${source}, now() from generate_series(1, 10) n`
  const said = expect.stringMatching(
    /^fail webhooks: the last 10 events came by the poll alone: STRIPE_WEBHOOK_SECRET /,
  )
  await events('poll').execute(world.db)
  expect(await wrong()).toContainEqual(said)
  await events('webhook').execute(world.db)
  expect(await wrong()).not.toContainEqual(said)
})

test('D-11 an old schema and a read-only database are named by the command, which ends with 1', async () => {
  const doctor = async (env: Record<string, string | undefined>) => {
    const run = promisify(execFile)(process.execPath, ['payments-service/doctor.command.ts'], {
      env: { PATH: process.env['PATH'], ...env },
    })
    const [code, stdout] = await run.then(
      ({ stdout: text }) => [0, text] as const,
      (error: { code: number; stdout: string }) => [error.code, error.stdout] as const,
    )
    return { code, lines: stdout.trim().split('\n') }
  }
  const settings = { ...environment({ DATABASE_URL: world.databaseUrl }), STRIPE_API_BASE: world.stripeUrl }
  const refused = await doctor({ ...settings, TOKEN_SECRET: 'short', SITE_URL: undefined })
  expect([refused.code, refused.lines]).toEqual([
    1,
    [
      'FAIL  settings        SITE_URL is missing',
      expect.stringMatching(/^FAIL {2}settings {8}TOKEN_SECRET is not right/),
    ],
  ])
  await sql`delete from kysely_migration where name = (select max(name) from kysely_migration)`.execute(world.db)
  const database = new URL(world.databaseUrl)
  database.searchParams.set('options', '-c default_transaction_read_only=on')
  const { code, lines } = await doctor({ ...settings, DATABASE_URL: database.href })
  expect(code).toBe(1)
  expect(lines).toContainEqual(expect.stringMatching(/^FAIL {2}database {8}the database is read-only/))
  expect(lines).toContainEqual(expect.stringMatching(/^FAIL {2}database {8}the schema lacks 20\d+-.*npm run migrate$/))
  expect(lines).toContainEqual(expect.stringMatching(/^ok {4}stripe {10}the key works, in test mode$/))
})
