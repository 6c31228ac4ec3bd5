import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser, type RunningService, startService } from './service.ts'

let running: RunningService
beforeAll(async () => void (running = await startService({ env: { COUNTRY_HEADER: 'cf-ipcountry' } })))
afterAll(() => running.stop())
const browser = () => new Browser(running.url)

describe('a session', () => {
  test('D-01 D-04 is created with a random id, a quiz_start activity and a cookie no script can read', async () => {
    const visitor = browser()
    const overHttps = { 'x-forwarded-proto': 'https' }
    const reply = await visitor.post('/api/sessions', { clientKey: randomUUID() }, overHttps)
    expect(reply).toMatchObject({ status: 200, body: { created: true } })
    expect(reply.body.sessionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
    // JSON answers are never rendered, framed or cached
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-security-policy': "default-src 'none';base-uri 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    const cookie = reply.headers.getSetCookie()[0] ?? ''
    expect(cookie).toMatch(/^__Host-funnel\.[0-9a-f]{16}=[\w-]{43}; /)
    for (const part of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(part)
    const activities = await running.db
      .selectFrom('activities as a')
      .innerJoin('sessions as s', 's.key', 'a.session_key')
      .where('s.id', '=', reply.body.sessionId)
      .select('a.type')
      .execute()
    expect(activities).toEqual([{ type: 'quiz_start' }])
    const token = /=([\w-]{43});/.exec(cookie)?.[1] ?? ''
    const stored = await running.db
      .selectFrom('session_access')
      .selectAll()
      .where('session_id', '=', reply.body.sessionId)
      .execute()
    expect(stored).toHaveLength(1)
    expect(JSON.stringify(stored)).not.toContain(token)
  })

  test('D-02 D-03 the same key finds the same session, however often and however parallel', async () => {
    const visitor = browser()
    const clientKey = randomUUID()
    const replies = await Promise.all(Array.from({ length: 20 }, () => visitor.post('/api/sessions', { clientKey })))
    expect(new Set(replies.map(({ body }) => body.sessionId)).size).toBe(1)
    expect(replies.filter(({ body }) => body.created)).toHaveLength(1)
    expect((await visitor.get(`/api/sessions/${replies[0]?.body.sessionId}`)).status).toBe(200)
  })

  test('D-03 another browser with the key gets no token, by another name or once something is in it', async () => {
    const visitor = browser()
    const clientKey = randomUUID()
    const sessionId = await visitor.visit(clientKey)
    const other = browser()
    other.headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140' }
    expect(await other.post('/api/sessions', { clientKey })).toMatchObject({
      status: 403,
      body: { error: { code: 'session_forbidden', field: 'clientKey' } },
    })
    expect(other.cookies.size).toBe(0)
    await visitor.put(`/api/sessions/${sessionId}/email`, { email: 'a@b.example' })
    const same = browser()
    expect((await same.post('/api/sessions', { clientKey })).status).toBe(403)
    expect((await visitor.post('/api/sessions', { clientKey })).body).toEqual({ sessionId, created: false })
  })

  test('D-07 keeps what is known of the visit: browser, campaign, country of the CDN', async () => {
    const visitor = browser()
    const { body } = await visitor.post(
      '/api/sessions',
      {
        clientKey: randomUUID(),
        landingUrl: 'https://example.com/?utm_source=fb',
        attribution: { first: { utm_source: 'fb', fbclid: 'x1' }, last: { utm_source: 'mail' } },
        metadata: {
          screenResolution: '390x844',
          timezone: 'Europe/Berlin',
          language: 'de',
          referrer: 'https://fb.example/',
        },
      },
      { 'cf-ipcountry': 'DE', 'cf-ipcity': 'K%C3%B6ln' },
    )
    const row = await running.db
      .selectFrom('session_metadata')
      .selectAll()
      .where('session_id', '=', body.sessionId)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      utm_source: 'mail',
      fbclid: 'x1',
      country: 'DE',
      city: 'Köln',
      device_type: 'mobile',
      language: 'de',
      screen_resolution: '390x844',
      referer: 'https://fb.example/',
    })
    expect(row.os).toMatch(/^iOS/)
    expect(row.browser).toMatch(/^Safari/)
    expect(row.first_touch).toMatchObject({ utm_source: 'fb', url: 'https://example.com/?utm_source=fb' })
  })

  test('D-01 a browser holds several sessions: a fresh start takes no earlier one away', async () => {
    const visitor = browser()
    const first = await visitor.visit()
    const second = await visitor.visit()
    expect(second).not.toBe(first)
    expect((await visitor.get(`/api/sessions/${first}`)).status).toBe(200)
    expect((await visitor.get(`/api/sessions/${second}`)).status).toBe(200)
  })

  test('D-01 fresh starts without end: a paid visit and the latest ones stay, the cookies do not pile up', async () => {
    const visitor = browser()
    const paid = await visitor.visit()
    await running.db
      .updateTable('sessions')
      .set({ payment_status: 'paid', paid_at: new Date() })
      .where('id', '=', paid)
      .execute()
    let last = ''
    for (let i = 0; i < 30; i++) last = await visitor.visit()
    expect(visitor.cookies.size).toBeLessThanOrEqual(9)
    for (const id of [paid, last]) expect((await visitor.get(`/api/sessions/${id}`)).status).toBe(200)
  })

  test('C-02 unknown, missing and foreign are told apart, for reading and writing alike', async () => {
    const owner = browser()
    const sessionId = await owner.visit()
    const stranger = browser()
    expect((await stranger.get(`/api/sessions/${sessionId}`)).body.error.code).toBe('session_token_missing')
    await stranger.visit()
    expect((await stranger.get(`/api/sessions/${sessionId}/answers`)).body.error.code).toBe('session_forbidden')
    expect((await stranger.get(`/api/sessions/${randomUUID()}`)).body.error).toMatchObject({
      code: 'session_unknown',
      field: 'sessionId',
    })
    expect((await stranger.get('/api/sessions/not-an-id')).status).toBe(404)
    const written = await stranger.post(`/api/sessions/${sessionId}/answers`, {
      answers: [{ questionId: 'q', answer: 'a', answeredAt: new Date().toISOString() }],
    })
    expect(written.status).toBe(403)
    expect(
      await running.db.selectFrom('quiz_answers').selectAll().where('session_id', '=', sessionId).execute(),
    ).toEqual([])
  })

  test('D-01 a token replaced at the e-mail step goes on working until the new one was used', async () => {
    const visitor = browser()
    const sessionId = await visitor.visit()
    const [before] = [...visitor.cookies]
    await visitor.put(`/api/sessions/${sessionId}/email`, { email: 'reader@example.com' })
    const [after] = [...visitor.cookies]
    expect(after?.[1]).not.toBe(before?.[1])
    const tab = browser()
    tab.cookies.set(before?.[0] ?? '', before?.[1] ?? '')
    expect((await tab.get(`/api/sessions/${sessionId}`)).status).toBe(200)
    expect((await visitor.get(`/api/sessions/${sessionId}`)).body.email).toBe('reader@example.com')
    const rows = await running.db
      .selectFrom('session_access')
      .select('expires_at')
      .where('session_id', '=', sessionId)
      .orderBy('created_at')
      .execute()
    expect((rows[0]?.expires_at.getTime() ?? 0) - Date.now()).toBeLessThan(6 * 60_000)
    expect((rows[1]?.expires_at.getTime() ?? 0) - Date.now()).toBeGreaterThan(100 * 86_400_000)
  })
})

describe('answers', () => {
  const at = (offset: number) => new Date(Date.now() + offset).toISOString()

  test('D-06 Q-10 the later answer wins, whatever the order of arrival', async () => {
    const visitor = browser()
    const path = `/api/sessions/${await visitor.visit()}/answers`
    expect(
      (await visitor.post(path, { answers: [{ questionId: 'eyeColor', answer: 'blue', answeredAt: at(-1000) }] })).body,
    ).toEqual({ saved: 1 })
    await visitor.post(path, {
      answers: [
        { questionId: 'eyeColor', answer: 'brown', answeredAt: at(-5000) },
        { questionId: 'symptoms', answer: '', answeredAt: at(-10) },
      ],
    })
    await visitor.post(path, {
      answers: [
        { questionId: 'symptoms', answer: 'red', answeredAt: at(-20) },
        { questionId: 'symptoms', answer: 'red,strain', answeredAt: at(-5) },
      ],
    })
    const { body } = await visitor.get(path)
    expect(body.answers.map((row: { questionId: string; answer: string }) => [row.questionId, row.answer])).toEqual([
      ['eyeColor', 'blue'],
      ['symptoms', 'red,strain'],
    ])
  })

  test('Q-10 a clock that runs ahead counts as now', async () => {
    const visitor = browser()
    const path = `/api/sessions/${await visitor.visit()}/answers`
    await visitor.post(path, {
      answers: [{ questionId: 'eyeColor', answer: 'blue', answeredAt: at(86_400_000 * 365) }],
    })
    const { body } = await visitor.get(path)
    expect(Date.parse(body.answers[0].answeredAt)).toBeLessThanOrEqual(Date.now())
    await new Promise((later) => setTimeout(later, 5))
    await visitor.post(path, { answers: [{ questionId: 'eyeColor', answer: 'green', answeredAt: at(0) }] })
    expect((await visitor.get(path)).body.answers[0].answer).toBe('green')
  })

  test('D-06 what is too much or wrong is refused by field and writes nothing', async () => {
    const visitor = browser()
    const sessionId = await visitor.visit()
    const path = `/api/sessions/${sessionId}/answers`
    const good = { questionId: 'q', answer: 'a', answeredAt: at(0) }
    const refused: [unknown, string][] = [
      [{ answers: [good, { ...good, answeredAt: 'yesterday' }] }, 'answers.1.answeredAt'],
      [{ answers: [{ ...good, answer: 7 }] }, 'answers.0.answer'],
      [{ answers: [{ ...good, answer: 'x\0y' }] }, 'answers.0.answer'],
      [{ answers: [{ ...good, questionId: 'q'.repeat(101) }] }, 'answers.0.questionId'],
      [{ answers: Array.from({ length: 101 }, () => good) }, 'answers'],
      [{}, 'answers'],
    ]
    for (const [body, field] of refused) {
      expect(await visitor.post(path, body)).toMatchObject({
        status: 422,
        body: { error: { code: 'invalid_body', field } },
      })
    }
    expect((await visitor.get(path)).body.answers).toEqual([])
  })
})

describe('what a visitor chooses', () => {
  test('S-33 D-05 a price of ours is kept in cents, with pricing_data; another one is refused', async () => {
    const visitor = browser()
    const sessionId = await visitor.visit()
    expect((await visitor.put(`/api/sessions/${sessionId}/price`, { selectedPrice: 17.67 })).status).toBe(200)
    for (const selectedPrice of [2, 17.671, -1, 1e300]) {
      expect((await visitor.put(`/api/sessions/${sessionId}/price`, { selectedPrice })).body.error).toMatchObject({
        code: 'unknown_price',
        field: 'selectedPrice',
      })
    }
    expect((await visitor.get(`/api/sessions/${sessionId}`)).body).toMatchObject({
      selectedPrice: 17.67,
      trialId: 'trial_1767',
      nextPage: 'checkout',
    })
    const row = await running.db
      .selectFrom('sessions')
      .selectAll()
      .where('id', '=', sessionId)
      .executeTakeFirstOrThrow()
    expect(row.selected_price_cents).toBe(1767)
    expect(JSON.parse(row.pricing_data ?? '')).toMatchObject({ selectedPrice: 17.67, updatedAt: expect.any(String) })
  })

  test('S-23 the e-mail goes to session, payments and users; what is no address is refused', async () => {
    const visitor = browser()
    const sessionId = await visitor.visit()
    const before = {
      session_id: sessionId,
      purpose: 'first',
      product_id: 'trial_1',
      amount_cents: 100,
      status: 'failed',
    }
    await running.db
      .insertInto('payments')
      .values({ ...before, payment_intent_id: `pi_${sessionId}`, customer_email: 'old@example.com' })
      .execute()
    await running.db.insertInto('users').values({ session_id: sessionId, email: 'old@example.com' }).execute()
    for (const part of ['', '/payments', '/users']) {
      expect(
        (await visitor.put(`/api/sessions/${sessionId}${part}/email`, { email: ' Me@Example.com ' })).body,
      ).toEqual({ done: true })
      expect(
        (await visitor.put(`/api/sessions/${sessionId}${part}/email`, { email: 'me example.com' })).body.error,
      ).toMatchObject({ code: 'invalid_body', field: 'email' })
    }
    expect((await visitor.get(`/api/sessions/${sessionId}`)).body.email).toBe('Me@Example.com')
    const of = (table: 'payments' | 'users') =>
      running.db.selectFrom(table).selectAll().where('session_id', '=', sessionId).execute()
    expect(await of('payments')).toMatchObject([{ customer_email: 'Me@Example.com' }])
    expect(await of('users')).toMatchObject([{ email: 'Me@Example.com' }])
  })

  test('Q-12 the first completion counts', async () => {
    const visitor = browser()
    const sessionId = await visitor.visit()
    await visitor.put(`/api/sessions/${sessionId}/completion`, { seconds: 300 })
    await visitor.put(`/api/sessions/${sessionId}/completion`, { seconds: 5 })
    const row = await running.db
      .selectFrom('sessions')
      .selectAll()
      .where('id', '=', sessionId)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ quiz_completion_time: 300, quiz_completed_at: expect.any(Date) })
  })
})
