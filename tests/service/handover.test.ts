import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { signLink } from '../../payments-service/mail/links.ts'
import { workOutbox } from '../../payments-service/jobs/outbox.ts'
import { OUTBOX_HANDLERS } from '../../payments-service/handlers.ts'
import { Browser, type RunningService, startService } from './service.ts'

let running: RunningService
beforeAll(async () => void (running = await startService()))
afterAll(() => running.stop())

async function visitor() {
  const browser = new Browser(running.url)
  const sessionId = await browser.visit()
  return { browser, sessionId, path: (rest: string) => `/api/sessions/${sessionId}${rest}` }
}

test('C-17 a hand-over code opens the session in one other browser, once, and the old token dies with it', async () => {
  const { browser, sessionId, path } = await visitor()
  const { code } = (await browser.post(path('/handover'))).body
  expect(code).toMatch(/^[\w-]{32}$/)
  const other = new Browser(running.url)
  const replies = await Promise.all([1, 2, 3].map(() => other.post('/api/session-links', { code })))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 410, 410])
  expect(replies.find(({ status }) => status === 200)?.body).toEqual({
    sessionId,
    nextPage: 'quiz',
    askEmail: false,
  })
  expect((await other.get(path(''))).status).toBe(200)
  expect((await browser.get(path(''))).body.error.code).toBe('session_forbidden')
  const stored = await running.db.selectFrom('handover_codes').selectAll().where('session_id', '=', sessionId).execute()
  expect(JSON.stringify(stored)).not.toContain(code)
})

test('C-17 an old code, one of a token that has died, and a made-up one open nothing', async () => {
  const old = await visitor()
  const { code } = (await old.browser.post(old.path('/handover'))).body
  await sql`update handover_codes set expires_at = now() - interval '1 second'
    where session_id = ${old.sessionId}`.execute(running.db)
  const dead = await visitor()
  const { code: orphan } = (await dead.browser.post(dead.path('/handover'))).body
  await sql`update session_access set revoked_at = now() where session_id = ${dead.sessionId}`.execute(running.db)
  for (const one of [code, orphan, 'x'.repeat(32)]) {
    const stranger = new Browser(running.url)
    expect(await stranger.post('/api/session-links', { code: one })).toMatchObject({
      status: 410,
      body: { error: { code: 'link_expired', field: 'code' } },
    })
    expect(stranger.cookies.size).toBe(0)
  }
  expect((await old.browser.get(old.path(''))).status).toBe(200)
})

test('C-02 a link by mail goes to the address of the session alone, works once, and asking tells nothing', async () => {
  const { browser, sessionId, path } = await visitor()
  const stranger = new Browser(running.url)
  const without = await stranger.post(path('/resume-link'))
  await browser.put(path('/email'), { email: 'resume@example.com' })
  const replies = await Promise.all([1, 2, 3].map(() => stranger.post(path('/resume-link'))))
  const unknown = await stranger.post('/api/sessions/0d5f3c1e-7777-4777-8777-123456789abc/resume-link')
  for (const reply of [without, ...replies, unknown]) expect([reply.status, reply.body]).toEqual([200, { done: true }])
  expect(stranger.cookies.size).toBe(0)
  // requested mails are looked up after the answer is sent
  while (await workOutbox(running.service.deps, OUTBOX_HANDLERS));
  const mails = await running.db
    .selectFrom('outbox')
    .select('payload')
    .where('session_id', '=', sessionId)
    .where('kind', '=', 'mail:resume_link')
    .execute()
  expect(mails).toHaveLength(1)
  const { mail } = mails[0]?.payload as unknown as { mail: { kind: string; to: string; data: { resumeUrl: string } } }
  expect([mail.kind, mail.to]).toEqual(['resume_link', 'resume@example.com'])
  expect(mail.data.resumeUrl).not.toContain(sessionId)
  const token = mail.data.resumeUrl.split('#resume=')[1]
  const phone = new Browser(running.url)
  expect((await phone.post('/api/session-links', { code: token })).body.sessionId).toBe(sessionId)
  expect((await phone.get(path(''))).body.email).toBe('resume@example.com')
  expect((await new Browser(running.url).post('/api/session-links', { code: token })).status).toBe(410)
  expect((await browser.get(path(''))).status).toBe(200)
})

test('C-02 an expired link and one of another purpose open nothing', async () => {
  const { sessionId } = await visitor()
  const secret = running.config.tokenSecret
  const links = [
    signLink({ purpose: 'resume', subject: sessionId, expiresAt: new Date(Date.now() - 1_000) }, secret),
    signLink({ purpose: 'unsubscribe', subject: sessionId, expiresAt: new Date(Date.now() + 60_000) }, secret),
  ]
  for (const code of links)
    expect((await new Browser(running.url).post('/api/session-links', { code })).status).toBe(410)
})
