import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser, eventually, type RunningService, startService } from './service.ts'

let running: RunningService
beforeAll(async () => void (running = await startService()))
afterAll(() => running.stop())

/** A UUIDv7 made at a given moment. */
function id(at = Date.now()): string {
  const hex = at.toString(16).padStart(12, '0') + randomUUID().replaceAll('-', '').slice(12)
  return hex.replace(/^(.{8})(.{4}).(.{3})(.{4})(.{12})$/, '$1-$2-7$3-$4-$5')
}
const view = (change: object = {}) => ({ kind: 'page_view', id: id(), url: '/quiz', step: '3', ...change })

async function visitor() {
  const browser = new Browser(running.url)
  const sessionId = await browser.visit()
  const send = (events: unknown[], rest: object = {}) => browser.post('/api/track', { sessionId, events, ...rest })
  const rows = async (table: 'page_views' | 'activities' | 'session_errors') => {
    const own = sql`from ${sql.table(table)} e join sessions s on s.key = e.session_key where s.id = ${sessionId}`
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- rows as the test asserts them
    return (await sql<any>`select e.* ${own} order by e.id`.execute(running.db)).rows
  }
  return { browser, sessionId, send, rows }
}

describe('page views', () => {
  test('D-08 a page view and its end are one row; the larger numbers stay, whatever order they arrive in', async () => {
    const { send, rows } = await visitor()
    const one = view({ url: '/quiz?step=3#x', title: 'Quiz', referrer: 'https://ads.example/campaign?who=me' })
    expect((await send([one])).body).toEqual({ accepted: 1, refused: [] })
    await send([{ ...one, seconds: 12, scrollDepth: 80, interactions: 4 }])
    await send([{ ...one, seconds: 3, scrollDepth: 10, interactions: 1 }])
    expect(await rows('page_views')).toMatchObject([
      {
        url: '/quiz',
        step: '3',
        title: 'Quiz',
        referrer: 'https://ads.example',
        seconds: 12,
        scroll_depth: 80,
        interactions: 4,
      },
    ])
  })

  test('D-08 a replayed beacon changes nothing, and the id of another visitor opens nothing', async () => {
    const first = await visitor()
    const second = await visitor()
    const one = view({ seconds: 5 })
    const activity = { kind: 'activity', id: id(), type: 'video_played' }
    for (let i = 0; i < 3; i++) await first.send([one, activity])
    await second.send([{ ...one, seconds: 900, url: '/stolen' }, activity])
    expect(await first.rows('page_views')).toMatchObject([{ url: '/quiz', seconds: 5 }])
    expect(await first.rows('activities')).toHaveLength(2) // quiz_start and this one
    // ids are scoped to their session: the other visitor wrote a separate row
    expect(await second.rows('page_views')).toMatchObject([{ url: '/stolen' }])
  })

  test('D-09 N-02 ids in addresses are not kept, and the furthest step is', async () => {
    const { sessionId, send, rows } = await visitor()
    await send([view({ url: `/checkout/${sessionId}`, step: undefined }), view({ step: '12' }), view({ step: '4' })])
    expect((await rows('page_views')).map(({ url }: { url: string }) => url)).toContain('/checkout/:id')
    const [row] = (
      await sql<{
        furthest: number
      }>`select p.furthest from session_progress p join sessions s on s.key = p.session_key
        where s.id = ${sessionId}`.execute(running.db)
    ).rows
    expect(row?.furthest).toBe(12)
  })
})

describe('errors and activities', () => {
  test('D-08 the same error is one row a session and one group, counted', async () => {
    const [a, b] = [await visitor(), await visitor()]
    const error = (line: number) => ({
      kind: 'error',
      id: id(),
      type: 'TypeError',
      message: 'x is undefined for ann@example.com',
      stack: `TypeError: x\n at f (https://shop.example/_astro/quiz.Ab12Cd34.js:1:${line})`,
      url: '/quiz',
    })
    await a.send([error(10), error(11)])
    await a.send([error(12)])
    await b.send([error(13)])
    expect(await a.rows('session_errors')).toHaveLength(1)
    const groups = await running.db.selectFrom('error_groups').selectAll().execute()
    expect(groups).toHaveLength(1)
    expect(groups[0]).toMatchObject({ type: 'TypeError', occurrences: '4' })
    expect(JSON.stringify([groups, await a.rows('session_errors')])).not.toContain('ann@example.com')
  })

  test('D-09 opening the checkout, leaving it and using the contact link move the session on, once', async () => {
    const { sessionId, send } = await visitor()
    for (let i = 0; i < 2; i++) {
      for (const type of ['checkout_opened', 'exit_intent', 'contact'])
        await send([{ kind: 'activity', id: id(), type }])
    }
    const row = await running.db
      .selectFrom('sessions')
      .selectAll()
      .where('id', '=', sessionId)
      .executeTakeFirstOrThrow()
    expect(row.checkout_opened_at).not.toBeNull()
    expect(row.exit_intent_at).not.toBeNull()
    const kinds = await running.db
      .selectFrom('outbox')
      .select('kind')
      .where('session_id', '=', sessionId)
      .orderBy('kind')
      .execute()
    expect(kinds.map(({ kind }) => kind)).toEqual(['conversion:Contact', 'conversion:InitiateCheckout'])
  })

  test('D-07 L-06 metadata and a later touch complete what is known; the first touch stays', async () => {
    const browser = new Browser(running.url)
    const { body } = await browser.post('/api/sessions', {
      clientKey: randomUUID(),
      attribution: { first: { utm_source: 'fb' }, last: { utm_source: 'fb' } },
    })
    browser.cookies.set('_fbp', 'fb.1.1731000000000.123456789')
    const reply = await browser.post('/api/track', {
      sessionId: body.sessionId,
      events: [],
      metadata: { screenResolution: '360x800' },
      attribution: { first: { utm_source: 'evil' }, last: { utm_source: 'mail', fbclid: 'click' } },
    })
    expect(reply.status).toBe(200)
    const row = await running.db
      .selectFrom('session_metadata')
      .selectAll()
      .where('session_id', '=', body.sessionId)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      screen_resolution: '360x800',
      utm_source: 'mail',
      fbclid: 'click',
      fbp: 'fb.1.1731000000000.123456789',
      first_touch: { utm_source: 'fb' },
      last_touch: { utm_source: 'mail' },
    })
  })

  test('D-07 where a visitor came from is never our own page that asks, at the first call or later', async () => {
    const browser = new Browser(running.url)
    browser.headers = { ...browser.headers, referer: 'https://example.com/quiz/?fbclid=click' }
    const ours = `${running.service.deps.config.siteUrl}/?fbclid=click`
    for (const [from, referrer] of [
      ['https://fb.example/', 'https://fb.example/'],
      [null, undefined],
      [null, ours],
    ]) {
      const metadata = referrer ? { referrer } : {}
      const { body } = await browser.post('/api/sessions', { clientKey: randomUUID(), metadata })
      const attribution = { last: { utm_source: 'fb' } }
      await browser.post('/api/track', { sessionId: body.sessionId, events: [view()], attribution })
      const row = await running.db
        .selectFrom('session_metadata')
        .select('referer')
        .where('session_id', '=', body.sessionId)
        .executeTakeFirstOrThrow()
      expect(row.referer).toBe(from)
    }
  })

  test('D-08 a bot is recognised and kept apart', async () => {
    const bot = new Browser(running.url)
    bot.headers = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }
    const sessionId = await bot.visit()
    const row = await running.db.selectFrom('sessions').select('is_bot').where('id', '=', sessionId).executeTakeFirst()
    expect(row?.is_bot).toBe(true)
  })
})

describe('bad input', () => {
  const refused = [
    ['no list', { events: 'x' }, 422, 'events'],
    ['10,000 events', { events: Array.from({ length: 2_000 }, () => ({})) }, 422, 'events'],
    ['no id', { events: [{ kind: 'page_view', url: '/' }] }, 422, 'events.0.id'],
    ['an unknown kind', { events: [{ kind: 'spy', id: id() }] }, 422, 'events.0.kind'],
    ['a made-up type', { events: [{ kind: 'activity', id: id(), type: '<script>' }] }, 422, 'events.0.type'],
  ] as const
  test.each(refused)('D-08 T-04 %s is refused by field', async (_name, body, status, field) => {
    const { browser, sessionId } = await visitor()
    const reply = await browser.post('/api/track', { sessionId, ...body })
    expect(reply).toMatchObject({ status, body: { error: { code: 'invalid_body', field } } })
  })

  test('D-08 what is too large, no JSON, no UTF-8 or of another type has its own code', async () => {
    const { browser, sessionId } = await visitor()
    const raw = (body: string | Uint8Array<ArrayBuffer>, type = 'application/json') =>
      fetch(`${running.url}/api/track`, {
        method: 'POST',
        headers: { 'content-type': type, cookie: [...browser.cookies].map(([k, v]) => `${k}=${v}`).join('; ') },
        body,
      })
    const code = async (reply: Response) => ((await reply.json()) as { error: { code: string } }).error.code
    expect(await code(await raw(JSON.stringify({ sessionId, events: ['x'.repeat(200_000)] })))).toBe('body_too_large')
    expect(await code(await raw('{"sessionId": '))).toBe('malformed_json')
    expect(await code(await raw(JSON.stringify({ sessionId, events: [] }), 'application/xml'))).toBe('invalid_body')
    const bytes = Buffer.from(JSON.stringify({ sessionId, events: [view({ title: 'A~B' })] }))
    bytes[bytes.indexOf('~')] = 0xff
    expect((await raw(new Uint8Array(bytes))).status).toBe(200)
    // the "simple" content type of a beacon
    expect((await raw(JSON.stringify({ sessionId, events: [view()] }), 'text/plain;charset=UTF-8')).status).toBe(200)
  })

  test('D-08 a bad event never fails its neighbours; script, NUL and surrogates are stored as text', async () => {
    const { send, rows } = await visitor()
    const evil = '<script>alert(1)</script>\u0000\ud800"\'\u202e'
    const reply = await send([
      view({ title: evil, url: `/${evil}`, referrer: evil, step: evil.slice(0, 30) }),
      { kind: 'page_view' },
      { kind: 'activity', id: id(), type: 'clicked', data: { words: evil, n: 1 }, title: evil },
      { kind: 'error', id: id(), type: evil, message: evil, stack: evil },
      view({ scrollDepth: 101 }),
      view({ seconds: -1 }),
    ])
    expect(reply.body).toEqual({
      accepted: 3,
      refused: [
        { index: 1, field: 'id' },
        { index: 4, field: 'scrollDepth' },
        { index: 5, field: 'seconds' },
      ],
    })
    const [stored] = await rows('page_views')
    expect(stored.title).toMatch(/^<script>alert\(1\)<\/script>/)
    expect(JSON.stringify(stored)).not.toContain('\\u0000')
    expect((await rows('activities')).at(-1).data).toMatchObject({ n: 1 })
  })

  test('D-08 a clock a year ahead or behind is set right, and so are its rows', async () => {
    const { send, rows } = await visitor()
    await send([
      view({ id: id(Date.now() + 3.2e10) }),
      view({ id: id(Date.now() - 3.2e10) }),
      view({ id: randomUUID() }),
    ])
    const stored = await rows('page_views')
    expect(stored).toHaveLength(3)
    for (const row of stored) {
      const at = Number(BigInt(row.id) >> 21n) + Date.UTC(2020, 0, 1)
      expect(Math.abs(at - Date.now())).toBeLessThan(60_000)
    }
  })

  test('D-08 500 beacons and answers at once are all stored, among refused ones', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, visitor))
    const stranger = new Browser(running.url)
    await stranger.visit()
    const replies = await Promise.all(
      all.flatMap(({ browser, sessionId, send }) =>
        Array.from({ length: 25 }, (_, n) => [
          send([view({ id: id(), step: String((n % 33) + 1) })]),
          browser.post(`/api/sessions/${sessionId}/answers`, {
            answers: [{ questionId: `q${n}`, answer: 'a', answeredAt: new Date().toISOString() }],
          }),
          ...(n % 5 === 0 ? [stranger.post('/api/track', { sessionId, events: [view()] })] : []),
        ]).flat(),
      ),
    )
    expect(replies.filter(({ status }) => status === 403)).toHaveLength(50)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(500)
    for (const { rows, sessionId } of all) {
      expect(await rows('page_views')).toHaveLength(25)
      const answers = await running.db
        .selectFrom('quiz_answers')
        .select('question_id')
        .where('session_id', '=', sessionId)
        .execute()
      expect(answers).toHaveLength(25)
    }
  })
})

test('T-04 an advertiser that never answers holds up no mail that was asked for, nor any other job', async () => {
  let asked = 0
  const silent = createServer(() => void asked++)
  await new Promise<void>((listening) => void silent.listen(0, '127.0.0.1', listening))
  const META_API_BASE = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const env = { META_PIXEL_ID: '4711', META_CAPI_TOKEN: 'token', META_API_BASE }
  const shop = await startService({ background: true, env })
  try {
    const buyer = new Browser(shop.url)
    buyer.headers = { ...buyer.headers, 'x-country-code': 'US' }
    const path = `/api/sessions/${await buyer.visit()}`
    await buyer.put(`${path}/email`, { email: 'waits@example.com' })
    await eventually(
      async () => asked,
      (times) => times > 0,
    )
    const since = Date.now()
    await buyer.post(`${path}/resume-link`)
    const mails = () => shop.db.selectFrom('outbox').select('id').where('kind', '=', 'mail:resume_link').execute()
    await eventually(mails, ({ length }) => length > 0)
    expect(Date.now() - since).toBeLessThan(5_000)
  } finally {
    silent.closeAllConnections()
    await new Promise((closed) => void silent.close(closed))
    await shop.stop()
  }
})

describe('upkeep', () => {
  test('D-09 a checkout is abandoned after 30 minutes without activity, or by an exit intent', async () => {
    const { markAbandoned } = await import('../../payments-service/tracking/upkeep.ts')
    const [quiet, active, left, never] = await Promise.all([visitor(), visitor(), visitor(), visitor()])
    for (const { send } of [quiet, active, left]) await send([{ kind: 'activity', id: id(), type: 'checkout_opened' }])
    await left.send([{ kind: 'activity', id: id(), type: 'exit_intent' }])
    await sql`update sessions set last_activity_at = now() - interval '31 minutes' where id in (${quiet.sessionId},
      ${never.sessionId})`.execute(running.db)
    await markAbandoned(running)
    const status = async (sessionId: string) =>
      (
        await running.db
          .selectFrom('sessions')
          .select('conversion_status')
          .where('id', '=', sessionId)
          .executeTakeFirst()
      )?.conversion_status
    expect([
      await status(quiet.sessionId),
      await status(active.sessionId),
      await status(left.sessionId),
      await status(never.sessionId),
    ]).toEqual(['abandoned', null, 'abandoned', null])
  })

  test('D-08 D-11 a month is made where a clock that ran ahead has dated something into it', async () => {
    const at = sql`timestamptz '2041-05-10T00:00:00Z'`
    for (const table of ['page_views', 'activities', 'session_errors'] as const) {
      const [columns, values] = {
        page_views: [sql`url`, sql`event_id_floor(${at}), '/ahead'`] as const,
        activities: [sql`type`, sql`event_id_floor(${at}), 'ahead'`] as const,
        session_errors: [sql`type, message, fingerprint`, sql`uuid7_floor(${at}), 'Error', 'ahead', 'ahead'`] as const,
      }[table]
      await sql`insert into ${sql.table(table)} (session_key, id, ${columns}) values (1, ${values})`.execute(running.db)
    }
    await sql`select ensure_event_partitions(date '2041-04-01', 3)`.execute(running.db)
    for (const table of ['page_views', 'activities', 'session_errors']) {
      const { rows } = await sql`select session_key from ${sql.table(`${table}_2041_05`)}`.execute(running.db)
      expect(rows, table).toHaveLength(1)
    }
  })

  test('D-08 months past the retention setting are dropped whole, the others stay', async () => {
    const { keepPartitions } = await import('../../payments-service/tracking/upkeep.ts')
    await sql`select ensure_event_partitions(date '2020-01-01', 2)`.execute(running.db)
    const there = async () =>
      (
        await sql<{
          n: string
        }>`select relname as n from pg_class where relname ~ '^page_views_2' and relkind = 'r' order by 1`.execute(
          running.db,
        )
      ).rows
    expect((await there()).map(({ n }) => n)).toContain('page_views_2020_01')
    await keepPartitions(running)
    const left = (await there()).map(({ n }) => n)
    expect(left.some((n) => n.startsWith('page_views_2020'))).toBe(false)
    expect(left.length).toBeGreaterThanOrEqual(3)
  })
})
