/** There are bounds on what strangers can make the service store, send or reveal. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { MOST_ANSWERS } from '../../payments-service/sessions/answers.queries.ts'
import { MOST_CHOICES } from '../../payments-service/sessions/consents.queries.ts'
import { MOST_A_DAY } from '../../payments-service/tracking/track.queries.ts'
import { Browser, eventually, startService } from './service.ts'
import { type Membership, startMembership } from './membership.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

async function visit(email?: string) {
  const browser = new Browser(world.url)
  const sessionId = await browser.visit()
  if (email) await browser.put(`/api/sessions/${sessionId}/email`, { email })
  return { browser, sessionId, path: `/api/sessions/${sessionId}` }
}

/** Waits until all requested mails have been handled. */
const idle = () =>
  eventually(
    () => world.db.selectFrom('outbox').select('id').where('kind', '=', 'asked_mail').execute(),
    (rows) => rows.length === 0,
  )

describe('what one visit stores', () => {
  const at = new Date().toISOString()

  test('Q-10 answers to questions nobody asked end at two hundred; reading them stays small', async () => {
    const { browser, path } = await visit()
    for (let n = 0; n < 6; n++) {
      const answers = Array.from({ length: 90 }, (_, i) => ({
        questionId: `q${n}x${i}`,
        answer: 'x'.repeat(900),
        answeredAt: at,
      }))
      expect((await browser.post(`${path}/answers`, { answers })).status).toBe(200)
    }
    const { body } = await browser.get(`${path}/answers`)
    expect(body.answers).toHaveLength(MOST_ANSWERS)
    // existing answers can still be changed
    await browser.post(`${path}/answers`, {
      answers: [{ questionId: 'q0x1', answer: 'new', answeredAt: new Date().toISOString() }],
    })
    const again = (await browser.get(`${path}/answers`)).body.answers as { questionId: string; answer: string }[]
    expect(again.find(({ questionId }) => questionId === 'q0x1')?.answer).toBe('new')
  })

  test('Q-10 an answer has at most 2 KB and its question a name; a refused one names the field', async () => {
    const { browser, path } = await visit()
    const save = async (questionId: string, answer: string) => {
      const reply = await browser.post(`${path}/answers`, { answers: [{ questionId, answer, answeredAt: at }] })
      return [reply.status, reply.body.error?.field]
    }
    expect(await save('ownQuestion', 'é'.repeat(1_024))).toEqual([200, undefined])
    expect(await save('ownQuestion', 'é'.repeat(1_025))).toEqual([422, 'answers.0.answer'])
    for (const id of ['', ' ', 'a b', '<script>', '../x', '0', 'x'.repeat(101)]) {
      expect(await save(id, 'Yes'), id).toEqual([422, 'answers.0.questionId'])
    }
  })

  test('T-02 D-13 choices of a kind end at fifty; a refusal of what was agreed to is always kept', async () => {
    const { browser, sessionId, path } = await visit()
    const choose = (granted: boolean, n: number) =>
      browser.post(`${path}/consents`, {
        choices: [{ kind: 'health', granted }],
        ...{ wording: 'x'.repeat(4_000), version: String(n), page: '/quiz' },
      })
    const kept = () =>
      world.db.selectFrom('consents').select('granted').where('session_id', '=', sessionId).orderBy('id').execute()
    for (let n = 0; n < MOST_CHOICES + 5; n++) expect((await choose(true, n)).status).toBe(200)
    expect(await kept()).toHaveLength(MOST_CHOICES)
    for (let n = 0; n < 5; n++) for (const granted of [false, true]) await choose(granted, n)
    for (let n = 0; n < 5; n++) await choose(false, n)
    expect(await kept()).toHaveLength(MOST_CHOICES + 1)
    expect((await kept()).at(-1)).toEqual({ granted: false })
  })

  test('D-07 L-06 campaign parameters are truncated when they are stored', async () => {
    const browser = new Browser(world.url)
    const long = { utm_source: 'x'.repeat(2_000), fbclid: 'y'.repeat(2_000) }
    const body = { clientKey: crypto.randomUUID(), attribution: { first: long, last: long } }
    const { sessionId } = (await browser.post('/api/sessions', body)).body
    const columns = ['utm_source', 'fbclid', 'first_touch', 'last_touch'] as const
    const found = world.db.selectFrom('session_metadata').select(columns).where('session_id', '=', sessionId)
    const { utm_source, fbclid, first_touch, last_touch } = await found.executeTakeFirstOrThrow()
    expect([utm_source?.length, fbclid?.length]).toEqual([500, 500])
    for (const touch of [first_touch, last_touch]) expect(JSON.stringify(touch).length).toBeLessThan(1_200)
  })

  test('D-08 a visit has a budget of events a day; other visits are stored beside it', async () => {
    const { browser, sessionId } = await visit()
    const other = await visit()
    const error = (n: number) => ({
      kind: 'error',
      id: crypto.randomUUID(),
      type: 'Error',
      message: `m${String.fromCharCode(97 + (n % 26))}${String.fromCharCode(97 + Math.floor(n / 26))}`,
    })
    const send = (who: { browser: Browser; sessionId: string }, events: unknown[]) =>
      who.browser.post('/api/track', { sessionId: who.sessionId, events })
    for (let n = 0; n < 4; n++) {
      const reply = await send(
        { browser, sessionId },
        Array.from({ length: 50 }, (_, i) => error(n * 50 + i)),
      )
      expect(reply.status).toBe(200)
    }
    await send(other, [error(0)])
    const count = async (id: string) =>
      (
        await sql<{
          n: number
        }>`select count(*)::int as n from session_errors e join sessions s on s.key = e.session_key
          where s.id = ${id}`.execute(world.db)
      ).rows[0]?.n
    expect(await count(sessionId)).toBe(MOST_A_DAY.errors)
    expect(await count(other.sessionId)).toBe(1)
  })
})

describe('mails that strangers ask for', () => {
  test('C-02 thirty fresh visits with one address make five mails a day, however it is spelt', async () => {
    const visits = await Promise.all(
      Array.from({ length: 30 }, (_, n) => visit(n % 2 ? 'flooded@example.com' : 'Flooded@Example.com')),
    )
    const replies = await Promise.all(visits.map(({ browser, path }) => browser.post(`${path}/resume-link`)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    await idle()
    const sent = [...(await world.mails('flooded@example.com')), ...(await world.mails('Flooded@Example.com'))]
    expect(sent).toHaveLength(5)
  })

  test('A-05 sign-in links and new passwords have counts of their own', async () => {
    await world.member({ email: 'member-flooded@example.com' })
    const browser = new Browser(world.url)
    for (let n = 0; n < 14; n++) {
      await browser.post('/api/account/password/forgot', { email: 'member-flooded@example.com' })
      await browser.post('/api/account/magic-link', { email: 'MEMBER-flooded@example.com' })
    }
    await idle()
    const kinds = (await world.mails('member-flooded@example.com')).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'password_reset')).toHaveLength(5)
    expect(kinds.filter((kind) => kind === 'magic_link')).toHaveLength(10)
  })

  test('A-05 a stranger who has used up the day of an address keeps its owner out for an hour at most', async () => {
    const email = 'kept-out@example.com'
    await world.member({ email })
    const ask = async (times: number) => {
      for (let n = 0; n < times; n++) {
        await new Browser(world.url).post('/api/account/password/forgot', { email })
        await new Browser(world.url).post('/api/account/magic-link', { email })
      }
      await idle()
      const kinds = (await world.mails(email)).map(({ kind }) => kind)
      return ['password_reset', 'magic_link'].map((kind) => kinds.filter((one) => one === kind).length)
    }
    expect(await ask(11)).toEqual([5, 10])
    await sql`update outbox set created_at = created_at - interval '61 minutes'
      where payload -> 'mail' ->> 'to' = ${email}`.execute(world.db)
    expect(await ask(3)).toEqual([6, 11])
  })

  test('A-01 codes that are asked for at the same moment count one after the other', async () => {
    const buyer = await world.buyer('mistyped@example.com')
    await buyer.pay()
    const ask = () => buyer.browser.post(buyer.path('/email/correction'), { email: 'right@example.com' })
    const statuses = (await Promise.all(Array.from({ length: 15 }, ask))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    expect(await world.mails('right@example.com')).toHaveLength(5)
  })
})

test('N-02 a request for a mail gets the same answer after the same work, for any address', async () => {
  // without workers: the rows that exist once the answer has come were written before it
  const service = await startService()
  try {
    await service.db.insertInto('auth_user').values({ id: 'known', name: '', email: 'known@example.com' }).execute()
    const browser = new Browser(service.url)
    const sessionId = await browser.visit()
    await browser.put(`/api/sessions/${sessionId}/email`, { email: 'visitor@example.com' })
    const done = async (path: string, body: object) => {
      const { status, body: said } = await new Browser(service.url).post(path, body)
      const rows = await service.db.deleteFrom('outbox').where('kind', '!=', 'conversion:Lead').returningAll().execute()
      return [status, said, rows.map(({ kind, session_id }) => ({ kind, session_id }))]
    }
    const one = [200, { done: true }, [{ kind: 'asked_mail', session_id: null }]]
    for (const path of ['/api/account/password/forgot', '/api/account/magic-link']) {
      expect(await done(path, { email: 'known@example.com' })).toEqual(one)
      expect(await done(path, { email: 'unknown@example.com' })).toEqual(one)
    }
    expect(await done(`/api/sessions/${sessionId}/resume-link`, {})).toEqual(one)
    expect(await done(`/api/sessions/${crypto.randomUUID()}/resume-link`, {})).toEqual(one)
  } finally {
    await service.stop()
  }
})
