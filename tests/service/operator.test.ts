import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setOperatorPassword } from '../../payments-service/operator/accounts.ts'
import { type MetaStandIn, startMetaStandIn } from '../../stand-ins/meta/receiver.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { formTokenOf, OPERATOR_PASSWORD, signedOperator, typePassword } from './operators.ts'
import { Browser, eventually } from './service.ts'

const EVIL = '<script>alert("x")</script>'
let funnel: Funnel
let meta: MetaStandIn
let operator: Browser

beforeAll(async () => {
  meta = await startMetaStandIn()
  funnel = await startFunnel({
    webhooks: false,
    env: {
      META_PIXEL_ID: '4711',
      META_CAPI_TOKEN: 'meta-token',
      META_TEST_EVENT_CODE: 'TEST1',
      META_API_BASE: meta.url,
      CONSENT_REGIONS: 'DE',
      COUNTRY_HEADER: 'cf-ipcountry',
    },
  })
  operator = (await signedOperator(funnel, 'Boss@Example.com')).browser
})
afterAll(async () => {
  await funnel.stop()
  await meta.close()
})

const tokenOf = (page: string): string => /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? ''
const PATHS = [
  '/operator',
  '/operator/funnel',
  '/operator/steps',
  '/operator/funnel.csv',
  '/operator/letters',
  '/operator/errors',
  '/operator/money-back',
  '/operator/privacy',
  '/upsell-links',
]
const buyerWith = async (headers: Record<string, string> = { 'cf-ipcountry': 'US' }) => {
  const buyer = await funnel.buyer('')
  // a visit with a known location
  buyer.browser.headers = { ...buyer.browser.headers, ...headers }
  return buyer
}

describe('who gets in', () => {
  test('U-09 N-02 the pages are not found for visitors, buyers with an account and wrong passwords', async () => {
    const buyer = await funnel.buyer()
    await buyer.pay()
    await buyer.browser.post(buyer.path('/account'), {
      password: 'Better Eyes 1',
      passwordConfirmation: 'Better Eyes 1',
    })
    const stranger = new Browser(funnel.url)
    for (const browser of [stranger, buyer.browser]) {
      for (const path of [...PATHS, `/operator/sessions/${buyer.sessionId}`, `/upsell-links/${buyer.sessionId}`]) {
        expect(await browser.get(path), path).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
      }
      expect((await browser.form('/operator/privacy/erase', { who: buyer.sessionId, sure: 'yes' })).status).toBe(404)
    }
    const wrong = await stranger.form('/operator/sign-in', { email: 'boss@example.com', password: 'wrong' })
    expect(wrong.status).toBe(401)
    const customer = await stranger.form('/operator/sign-in', {
      email: (await buyer.browser.get(buyer.path(''))).body.email,
      password: 'Better Eyes 1',
    })
    expect(customer.status).toBe(401)
    expect(stranger.cookies.size).toBe(0)
    for (const path of PATHS) {
      expect((await operator.get(path)).status, path).toBe(200)
    }
  })

  test('N-02 an operator who lost the password gets another, and whoever was signed in is out', async () => {
    const { browser } = await signedOperator(funnel, 'lost@example.com')
    await setOperatorPassword(funnel.db, 'Lost@example.com', 'Another long phrase 2')
    expect((await browser.get('/operator/privacy')).status).toBe(404)
    expect((await typePassword(browser, 'lost@example.com', OPERATOR_PASSWORD)).status).toBe(401)
    expect((await typePassword(browser, 'lost@example.com', 'Another long phrase 2')).status).toBe(303)
    await expect(setOperatorPassword(funnel.db, 'nobody@example.com', 'Another long phrase 2')).rejects.toThrow(
      'no operator',
    )
    await expect(setOperatorPassword(funnel.db, 'lost@example.com', 'short')).rejects.toThrow('at least 12')
  })

  test('N-02 a form of another site, without its text or after the sign-in is old, does nothing', async () => {
    const page = (await operator.get('/operator/privacy')).body as string
    const fields = { who: 'nobody@example.com', form_token: tokenOf(page) }
    expect((await operator.form('/operator/privacy/export', fields)).status).toBe(200)
    expect((await operator.form('/operator/privacy/export', { who: 'a@b.example' })).status).toBe(404)
    const cross = await operator.send('POST', '/operator/privacy/export', new URLSearchParams(fields).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-site',
    })
    expect(cross.status).toBe(403)
    const { browser: old } = await signedOperator(funnel, 'old@example.com')
    const latest = sql`(select id from operator_session order by created_at desc limit 1)`
    const { rows } = await sql<{ hours: string }>`
      select round(extract(epoch from expires_at - created_at) / 3600) as hours from operator_session
        where id = ${latest}`.execute(funnel.db)
    expect(rows).toEqual([{ hours: '12' }])
    expect((await old.get('/operator')).status).toBe(200)
    await sql`update operator_session set expires_at = now() - interval '1 second' where id = ${latest}`.execute(
      funnel.db,
    )
    expect((await old.get('/operator')).status).toBe(404)
  })
})

describe('what the pages show', () => {
  test('U-09 D-08 search, one session whole, escaped; a strict policy; the four add-on links', async () => {
    const buyer = await funnel.buyer('story@example.com')
    await buyer.browser.post(buyer.path('/answers'), {
      answers: [{ questionId: 'symptoms', answer: EVIL, answeredAt: new Date().toISOString() }],
    })
    await buyer.pay('trial_5')
    const form_token = formTokenOf((await operator.get('/operator')).body as string)
    const search = (words: string) => operator.form('/operator', { search: words, form_token })
    const list = await search(' STORY@example ')
    expect(list.body).toContain(`/operator/sessions/${buyer.sessionId}`)
    expect(list.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(list.headers.get('cache-control')).toBe('no-store')
    const story = (await operator.get(`/operator/sessions/${buyer.sessionId}`)).body as string
    expect(story).not.toContain('<script')
    expect(story).not.toContain('style=')
    for (const part of [
      '&lt;script&gt;',
      'story@example.com',
      'trial_5',
      '$5.00',
      'initial_purchase',
      'payment_success',
      'money: succeeded',
      'mail:order_confirmation',
    ])
      expect(story).toContain(part)
    const links = (await operator.get(`/upsell-links/${buyer.sessionId}`)).body as string
    for (const n of [1, 2, 3, 4]) expect(links).toContain(`/multi-upsell/${buyer.sessionId}?upsell=${n}`)
    expect(links).not.toContain('?upsell=5')
    const { rows: made } = await sql<{ id: string }>`insert into sessions (client_key, created_at)
      select 'latest-' || n, now() + make_interval(secs => n) from generate_series(1, 12) n
      returning id`.execute(funnel.db)
    const listed = (await operator.get('/upsell-links')).body.matchAll(/href="\/upsell-links\/([0-9a-f-]{36})"/g)
    const newest = made.map(({ id }) => id).reverse()
    expect(Array.from(listed as Iterable<string[]>, ([, id]) => id)).toEqual(newest.slice(0, 10))
    expect((await search(`%' or 1=1 --${EVIL}`)).body).toContain('Nobody with this')
    expect((await search('story@\0example')).body).toContain(`/operator/sessions/${buyer.sessionId}`)
    // no address in a URL, which histories and logs keep
    expect((await operator.get('/operator?search=story@example.com')).body).toContain('The 10 latest')
  })

  test('D-09 the funnel: filters, revenue, CSV without formulas', async () => {
    const browser = new Browser(funnel.url)
    const { body } = await browser.post('/api/sessions', {
      clientKey: randomUUID(),
      attribution: { last: { utm_source: '=HYPERLINK("x")' } },
    })
    expect(body.created).toBe(true)
    const page = (await operator.get('/operator/funnel')).body as string
    expect(page).toContain('<svg')
    expect(page).toContain('Revenue')
    expect(page).not.toContain('style=')
    const csv = await operator.get('/operator/funnel.csv')
    expect(csv.headers.get('content-type')).toContain('text/csv')
    expect(csv.body).toMatch(/^day,source,price_cents,stage,step,sessions,revenue_cents\r\n/)
    expect(csv.body).toContain(`"'=hyperlink(""x"")"`)
    const filtered = await operator.get('/operator/funnel?from=2020-01-01&to=2020-01-02&source=x&price=abc')
    expect(filtered.body).toContain('Nobody in these days')
    for (const day of ['2026-02-30', '0000-01-01', '2026-13-01'])
      expect((await operator.get(`/operator/funnel?from=${day}`)).status, day).toBe(200)
  })
})

describe('conversion events', () => {
  const job = async (sessionId: string, kind: string) =>
    eventually(
      () =>
        funnel.db
          .selectFrom('outbox')
          .selectAll()
          .where('session_id', '=', sessionId)
          .where('kind', '=', kind)
          .executeTakeFirst(),
      (row) => Boolean(row?.sent_at ?? row?.dead_at),
    )

  test('T-02 T-03 Lead, InitiateCheckout, Purchase, Subscribe: once each, hashed, with the browser’s id', async () => {
    const before = meta.requests.length
    const buyer = await buyerWith()
    await sql`update session_metadata set country = 'US', fbclid = 'IwAR_x'
      where session_id = ${buyer.sessionId}`.execute(funnel.db)
    for (let i = 0; i < 2; i++) await buyer.browser.put(buyer.path('/email'), { email: 'pays@example.com' })
    await buyer.pay('trial_9')
    const mine = () =>
      meta.requests
        .slice(before)
        .flatMap(({ events }) => events)
        .filter((one) => one['event_name'] !== 'Contact')
    const events = await eventually(
      async () => mine(),
      (all) => all.length >= 4,
    )
    expect(events.map((one) => one['event_name']).sort()).toEqual(['InitiateCheckout', 'Lead', 'Purchase', 'Subscribe'])
    const { eventIdOf } = await import('../../contract/event-id.ts')
    const purchase = events.find((one) => one['event_name'] === 'Purchase')
    expect(purchase).toMatchObject({
      event_id: await eventIdOf('Purchase', `${buyer.sessionId}:trial_9`),
      custom_data: { value: 9, currency: 'USD' },
      user_data: { fbc: expect.stringMatching(/^fb\.1\.\d+\.IwAR_x$/) },
    })
    expect(meta.requests.at(-1)).toMatchObject({
      pixelId: '4711',
      authorization: 'Bearer meta-token',
      testEventCode: 'TEST1',
    })
    const text = JSON.stringify(events)
    expect(text).not.toContain(buyer.sessionId)
    expect(text).not.toContain('pays@example.com')
    const [payment] = await funnel.db
      .selectFrom('payments')
      .select('attribution')
      .where('session_id', '=', buyer.sessionId)
      .execute()
    expect(payment?.attribution).not.toBeNull()
  })

  test('T-03 an address first given beside the payment is a Lead, once', async () => {
    const buyer = await buyerWith()
    const leads = async () => {
      const kind = 'conversion:Lead'
      const { sessionId: session_id } = buyer
      return funnel.db
        .selectFrom('outbox')
        .select('kind')
        .where(({ and }) => and({ kind, session_id }))
        .execute()
    }
    const form = (email: string) => buyer.browser.post(buyer.path('/customer'), { email, name: 'Ada' })
    expect((await form('first@example.com')).status).toBe(200)
    expect(await leads()).toHaveLength(1)
    expect((await form('second@example.com')).status).toBe(200)
    expect((await buyer.browser.put(buyer.path('/email'), { email: 'third@example.com' })).status).toBe(200)
    expect(await leads()).toHaveLength(1)
  })

  test('T-02 nothing is sent without consent where it is asked for, and nothing after a refusal', async () => {
    const choose = (buyer: { browser: Browser; path(rest: string): string }, granted: boolean) =>
      buyer.browser.post(buyer.path('/consents'), {
        choices: [{ kind: 'advertising', granted }],
        wording: 'May we?',
        version: '1',
        page: '/quiz?step=3',
      })
    const results: Record<string, string | null> = {}
    for (const [name, country, choice] of [
      ['unasked', 'DE', null],
      ['refused', 'US', false],
      ['granted', 'DE', true],
    ] as const) {
      const buyer = await buyerWith()
      await sql`update session_metadata set country = ${country} where session_id = ${buyer.sessionId}`.execute(
        funnel.db,
      )
      if (choice !== null) expect((await choose(buyer, choice)).status).toBe(200)
      await buyer.browser.put(buyer.path('/email'), { email: `${name}@example.com` })
      const job = await eventually(
        () =>
          funnel.db
            .selectFrom('outbox')
            .selectAll()
            .where('session_id', '=', buyer.sessionId)
            .where('kind', '=', 'conversion:Lead')
            .executeTakeFirstOrThrow(),
        (row) => row.sent_at !== null,
      )
      results[name] = job.last_error
      if (choice !== null) {
        const [evidence] = await funnel.db
          .selectFrom('consents')
          .selectAll()
          .where('session_id', '=', buyer.sessionId)
          .execute()
        expect(evidence).toMatchObject({
          kind: 'advertising',
          granted: choice,
          wording: 'May we?',
          wording_version: '1',
          page: '/quiz',
        })
      }
    }
    expect(results).toEqual({ unasked: 'not sent: no consent', refused: 'not sent: no consent', granted: null })
  })

  test('T-02 Global Privacy Control refuses advertising until its visitor allows it', async () => {
    const browser = new Browser(funnel.url)
    browser.headers = { ...browser.headers, 'cf-ipcountry': 'US' }
    const choose = (sessionId: string, kind: string) =>
      browser.post(`/api/sessions/${sessionId}/consents`, {
        choices: [{ kind, granted: true }],
        wording: 'May we?',
        version: '1',
        page: '/quiz',
      })
    const chosen = async (sessionId: string) =>
      funnel.db
        .selectFrom('consents')
        .select(['granted', 'wording', 'country'])
        .where('session_id', '=', sessionId)
        .where('kind', '=', 'advertising')
        .orderBy('id')
        .execute()
    // switched on after the visit began: heard with what is said about another consent, never against a choice
    const [later, allowed] = [await browser.visit(), await browser.visit()]
    await choose(allowed, 'advertising')
    browser.headers['sec-gpc'] = '1'
    for (const visit of [later, allowed]) await choose(visit, 'analytics')
    const refusal = { granted: false, wording: 'Global Privacy Control', country: 'US' }
    expect(await chosen(later)).toEqual([refusal])
    expect(await chosen(allowed)).toMatchObject([{ granted: true }])

    const before = meta.requests.length
    const sessionId = await browser.visit()
    await browser.put(`/api/sessions/${sessionId}/email`, { email: 'signals@example.com' })
    expect((await job(sessionId, 'conversion:Lead'))?.last_error).toBe('not sent: no consent')
    expect(await chosen(sessionId)).toEqual([refusal])
    expect(meta.requests.slice(before)).toEqual([])

    await choose(sessionId, 'advertising')
    const events = [{ kind: 'activity', id: randomUUID(), type: 'checkout_opened' }]
    await browser.post('/api/track', { sessionId, events })
    expect((await job(sessionId, 'conversion:InitiateCheckout'))?.last_error).toBeNull()
  })

  test('T-02 D-13 a choice that another visit was told of first holds, but undoes nothing chosen since', async () => {
    const browser = new Browser(funnel.url)
    browser.headers = { ...browser.headers, 'cf-ipcountry': 'US' }
    const choose = async (sessionId: string, granted: boolean, more: object = {}) => {
      const evidence = { choices: [{ kind: 'advertising', granted }], wording: 'May we?', version: '1', page: '/quiz' }
      const reply = await browser.post(`/api/sessions/${sessionId}/consents`, { ...evidence, ...more })
      expect(reply.status).toBe(200)
    }
    const chosen = async (sessionId: string) =>
      (
        await funnel.db
          .selectFrom('consents')
          .select('granted')
          .where('session_id', '=', sessionId)
          .orderBy('id')
          .execute()
      ).map(({ granted }) => granted)
    const chosenAt = new Date(Date.now() - 60_000).toISOString()
    const fresh = await browser.visit()
    await choose(fresh, false, { chosenAt })
    expect(await chosen(fresh)).toEqual([false])
    const refusedSince = await browser.visit()
    await choose(refusedSince, false)
    await choose(refusedSince, true, { chosenAt })
    expect(await chosen(refusedSince)).toEqual([false])
    // some browsers say their signal to pages alone; no choice of a visitor, so one of before it holds
    const signalled = await browser.visit()
    for (let at = 0; at < 2; at++) await choose(signalled, false, { wording: 'Global Privacy Control' })
    expect(await chosen(signalled)).toEqual([false])
    await choose(signalled, true, { chosenAt })
    await choose(signalled, false, { wording: 'Global Privacy Control' })
    expect(await chosen(signalled)).toEqual([false, true])
  })

  test('T-02 T-04 who left nothing to be recognised by is not told of: such an event is no dead letter', async () => {
    const before = meta.requests.length
    const visitor = new Browser(funnel.url)
    visitor.headers = { ...visitor.headers, 'cf-ipcountry': 'US' }
    const sessionId = await visitor.visit()
    const events = [{ kind: 'activity', id: randomUUID(), type: 'checkout_opened' }]
    await visitor.post('/api/track', { sessionId, events })
    const opened = await job(sessionId, 'conversion:InitiateCheckout')
    expect(opened).toMatchObject({ last_error: 'not sent: nobody to match', dead_at: null })
    expect(meta.requests.slice(before)).toEqual([])
  })

  test('T-02 T-04 a 401 is a warning and a dead letter that can be sent again; a 503 is tried again', async () => {
    meta.answer(401, 1)
    const buyer = await buyerWith()
    await sql`update session_metadata set country = 'US' where session_id = ${buyer.sessionId}`.execute(funnel.db)
    expect((await buyer.browser.put(buyer.path('/email'), { email: 'dead@example.com' })).status).toBe(200)
    const lead = () =>
      funnel.db.selectFrom('outbox').selectAll().where('session_id', '=', buyer.sessionId).executeTakeFirstOrThrow()
    const dead = await eventually(lead, (row) => row.dead_at !== null)
    expect(dead.last_error).toContain('401')
    const page = (await operator.get('/operator/letters')).body as string
    expect(page).toContain(dead.id)
    meta.answer(503, 1)
    const retried = await operator.form(`/operator/letters/${dead.id}/retry`, { form_token: tokenOf(page) })
    expect(retried.status).toBe(303)
    await eventually(lead, (row) => row.attempts >= 1 && row.dead_at === null)
    expect((await eventually(lead, (row) => row.sent_at !== null)).last_error).toBeNull()
    expect((await operator.form(`/operator/letters/${dead.id}/retry`, { form_token: tokenOf(page) })).status).toBe(404)
  })
})

test('U-09 T-04 dead events hide no money; a kind is sent again or set aside whole, but money never is', async () => {
  const session_id = (await buyerWith()).sessionId
  const give = async (kind: string, payload: object = {}) => {
    const entry = { kind, payload: JSON.stringify(payload), session_id, dedupe_key: `${kind}:${randomUUID()}` }
    const values = { ...entry, dead_at: new Date(), last_error: 'no' }
    return (await funnel.db.insertInto('outbox').values(values).returning('id').executeTakeFirstOrThrow()).id
  }
  const mailed = { mail: { kind: 'resume_link', to: 'a@example.com', data: { resumeUrl: 'https://x/#secret' } } }
  const [money, mail] = [await give('refund_owed'), await give('mail:resume_link', mailed)]
  for (let i = 0; i < 201; i++) await give('conversion:Contact')
  const page = async () => (await operator.get('/operator/letters')).body as string
  const shown = await page()
  expect(shown).toContain('Given up (203, the first 200)')
  const places = [money, mail].map((id) => shown.indexOf(`/operator/letters/${id}/retry`))
  expect(places[0]).toBeGreaterThan(0)
  expect(places[1]).toBeGreaterThan(places[0] ?? 0)
  const act = async (path: string, form: Record<string, string> = {}) =>
    (await operator.form(`/operator/letters/${path}`, { form_token: tokenOf(shown), ...form })).status
  expect(await act(`${money}/aside`)).toBe(404)
  expect(await act('all/aside', { kind: 'refund_owed' })).toBe(404)
  expect(await act(`${mail}/aside`)).toBe(303)
  expect(await act('all/aside', { kind: 'conversion:Contact' })).toBe(303)
  expect(await page()).toContain('Given up (1)')
  const rows = await funnel.db.selectFrom('outbox').selectAll().where('last_error', 'like', '%set aside by%').execute()
  expect(rows).toHaveLength(202)
  expect(JSON.stringify(rows)).not.toContain('secret')
  // one of whose reason is mended goes out with the others of its kind
  expect(await act('all/retry', { kind: 'refund_owed' })).toBe(303)
  expect(await page()).not.toContain('Given up (1')
})

describe('privacy', () => {
  test('D-12 an export holds everything about a visitor and no token; nobody is said so', async () => {
    const buyer = await funnel.buyer('export@example.com')
    await buyer.browser.post(buyer.path('/answers'), {
      answers: [{ questionId: 'eyeColor', answer: 'green', answeredAt: new Date().toISOString() }],
    })
    await buyer.pay()
    const token = tokenOf((await operator.get('/operator/privacy')).body)
    const { body } = await operator.form('/operator/privacy/export', {
      who: 'EXPORT@example.com',
      visit: buyer.sessionId,
      form_token: token,
    })
    expect(body.sessions).toHaveLength(1)
    expect(body.quiz_answers).toMatchObject([{ question_id: 'eyeColor', answer: 'green' }])
    expect(body.payments).toMatchObject([{ amount_cents: 100 }])
    expect(body.activities.length).toBeGreaterThan(0)
    expect(Math.abs(Date.parse(body.activities[0].at) - Date.now())).toBeLessThan(60_000)
    expect(JSON.stringify(body)).not.toContain('token_hash')
    expect((await operator.form('/operator/privacy', { who: 'nobody@example.com', form_token: token })).body).toContain(
      'Nobody with this',
    )
  })

  test('D-12 erase: nothing names the visitor any more, money stays; a live subscription is refused', async () => {
    const buyer = await funnel.buyer('forget.me@example.com')
    await buyer.browser.post(buyer.path('/answers'), {
      answers: [{ questionId: 'eyeColor', answer: 'canary-green', answeredAt: new Date().toISOString() }],
    })
    await buyer.pay()
    await buyer.browser.post(buyer.path('/account'), {
      password: 'Better Eyes 1',
      passwordConfirmation: 'Better Eyes 1',
    })
    await funnel.db
      .insertInto('mail_log')
      .values({
        session_id: buyer.sessionId,
        kind: 'order_confirmation',
        recipient: 'forget.me@example.com',
        subject: 'Hello',
        message_id: '<x@y>',
        result: 'sent',
      })
      .execute()
    const token = tokenOf((await operator.get('/operator/privacy')).body)
    const erase = () =>
      operator.form('/operator/privacy/erase', {
        who: 'forget.me@example.com',
        visit: buyer.sessionId,
        sure: 'yes',
        form_token: token,
      })
    expect((await erase()).body).toContain('live subscription')
    const subscription = () =>
      funnel.db
        .selectFrom('subscriptions')
        .selectAll()
        .where('session_id', '=', buyer.sessionId)
        .executeTakeFirstOrThrow()
    await funnel.dashboard('DELETE', `/v1/subscriptions/${(await subscription()).stripe_subscription_id}`)
    await eventually(subscription, ({ status }) => status === 'canceled')
    const neighbour = await funnel.buyer('stays@example.com')
    expect((await erase()).body).toContain('Erased: 1 session.')
    const { rows } = await sql<{
      table: string
    }>`select relname as table from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
      and not relispartition`.execute(funnel.db)
    for (const { table } of rows) {
      const { rows: hits } = await sql<{
        n: string
      }>`select count(*) as n from ${sql.table(table)} t
        where to_jsonb(t)::text ilike '%forget.me@%' or to_jsonb(t)::text like '%canary-green%'`.execute(funnel.db)
      expect([table, hits[0]?.n]).toEqual([table, '0'])
    }
    const payments = await funnel.db
      .selectFrom('payments')
      .selectAll()
      .where('session_id', '=', buyer.sessionId)
      .execute()
    expect(payments).toMatchObject([
      { amount_cents: 100, status: 'succeeded', customer_email: null, customer_name: null },
    ])
    expect((await buyer.browser.get(buyer.path(''))).status).toBe(403)
    expect((await neighbour.browser.get(neighbour.path(''))).body.email).toBe('stays@example.com')
  })

  test('D-12 an answer whose writing began before the erasure and ends after it goes too', async () => {
    const late = await funnel.buyer('late@example.com')
    const token = tokenOf((await operator.get('/operator/privacy')).body)
    let erased: ReturnType<typeof operator.form> | undefined
    await funnel.db.transaction().execute(async (tx) => {
      await tx
        .insertInto('quiz_answers')
        .values({ session_id: late.sessionId, question_id: 'eyeColor', answer: 'green' })
        .execute()
      erased = operator.form('/operator/privacy/erase', {
        who: late.sessionId,
        visit: late.sessionId,
        sure: 'yes',
        form_token: token,
      })
      await new Promise((done) => setTimeout(done, 300))
    })
    expect((await erased)?.body).toContain('Erased: 1 session.')
    const left = await funnel.db
      .selectFrom('quiz_answers')
      .selectAll()
      .where('session_id', '=', late.sessionId)
      .execute()
    expect(left).toEqual([])
  })
})
