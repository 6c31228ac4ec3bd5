/** Input that our pages never send is refused or corrected, and none of it reaches other visitors. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Browser, type RunningService, startService } from './service.ts'

let running: RunningService
beforeAll(async () => void (running = await startService()))
afterAll(() => running.stop())

async function visit() {
  const browser = new Browser(running.url)
  return { browser, sessionId: await browser.visit() }
}

test('N-02 a sibling host cannot act with the cookie, with or without a body, on either way in', async () => {
  const { browser, sessionId } = await visit()
  const answers = `/api/sessions/${sessionId}/answers`
  for (const site of ['same-site', 'cross-site', 'something-new']) {
    const headers = { 'sec-fetch-site': site }
    for (const send of [
      () => browser.send('POST', `/api/sessions/${sessionId}/handover`, undefined, headers),
      () => browser.post(answers, { answers: [] }, headers),
      () => browser.post('/api/track', { sessionId, events: [] }, headers),
      () => browser.send('POST', `/api/subscriptions/${crypto.randomUUID()}/cancel`, undefined, headers),
    ]) {
      expect(await send(), site).toMatchObject({ status: 403, body: { error: { code: 'session_forbidden' } } })
    }
    // reading changes nothing, and the other origin cannot read the answer
    expect((await browser.get(answers, headers)).status).toBe(200)
  }
  for (const site of ['same-origin', 'none']) {
    expect((await browser.post(answers, { answers: [] }, { 'sec-fetch-site': site })).status).toBe(200)
  }
})

test.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+12:00', '1970-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])(
  'Q-10 an answer of a broken clock (%s) is kept, and can be changed',
  async (answeredAt) => {
    const { browser, sessionId } = await visit()
    const path = `/api/sessions/${sessionId}/answers`
    const save = (answer: string, at: string) =>
      browser.post(path, { answers: [{ questionId: 'eyeColor', answer, answeredAt: at }] })
    expect(await save('blue', answeredAt)).toMatchObject({ status: 200, body: { saved: 1 } })
    const [kept] = (await browser.get(path)).body.answers as { answer: string; answeredAt: string }[]
    expect(kept?.answer).toBe('blue')
    expect(Date.parse(kept?.answeredAt ?? '')).toBeGreaterThanOrEqual(Date.UTC(2020, 0, 1))
    await save('green', new Date(Date.now() + 1_000).toISOString())
    expect((await browser.get(path)).body.answers[0].answer).toBe('green')
  },
)

test('D-10 an address with wildcards matches nobody else', async () => {
  const { browser, sessionId } = await visit()
  const one = await running.db.insertInto('users').values({ email: 'abc@example.com' }).returning('id').execute()
  await running.db.insertInto('users').values({ email: 'own@example.com', session_id: sessionId }).execute()
  expect((await browser.put(`/api/sessions/${sessionId}/users/email`, { email: 'a_c@example.com' })).status).toBe(200)
  const [own] = await running.db.selectFrom('users').select('email').where('session_id', '=', sessionId).execute()
  expect([own?.email, one.length]).toEqual(['a_c@example.com', 1])
  // the same address in another case does match
  await browser.put(`/api/sessions/${sessionId}/users/email`, { email: 'ABC@Example.com' })
  const [still] = await running.db.selectFrom('users').select('email').where('session_id', '=', sessionId).execute()
  expect(still?.email).toBe('a_c@example.com')
})

test('S-23 what turns the line of an address and cannot be seen is not stored', async () => {
  const { browser, sessionId } = await visit()
  await browser.put(`/api/sessions/${sessionId}/email`, { email: 'a\u202e@b.c' })
  expect((await browser.get(`/api/sessions/${sessionId}`)).body.email).toBe('a@b.c')
})

test.each(['<a@b.c>', 'a@b.c>', 'a\0@b.c', 'a\\b@c.d', '"a"@b.c', 'a@b.c,d@e.f'])(
  'S-23 %j is no address: nothing is stored or mailed',
  async (email) => {
    const { browser, sessionId } = await visit()
    const reply = await browser.put(`/api/sessions/${sessionId}/email`, { email })
    expect([reply.status, reply.body.error?.field]).toEqual([422, 'email'])
    expect((await browser.get(`/api/sessions/${sessionId}`)).body.email).toBeNull()
  },
)
