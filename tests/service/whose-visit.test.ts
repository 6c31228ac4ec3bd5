/** D-12: a typed address proves nothing: the visits to export or erase are chosen one by one. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runTool } from '../../scripts/processes.ts'
import { eraseVisitor } from '../../payments-service/privacy/erase.ts'
import { exportVisitor } from '../../payments-service/privacy/export.ts'
import { listVisits } from '../../payments-service/privacy/visitor.ts'
import { type Buyer, type Funnel, startFunnel } from './funnel.ts'
import { mailedResumeCode } from './mails.ts'
import { signedOperator } from './operators.ts'
import { type Browser } from './service.ts'

let funnel: Funnel
let operator: Browser
beforeAll(async () => {
  funnel = await startFunnel()
  operator = (await signedOperator(funnel)).browser
})
afterAll(() => funnel.stop())

/** The owner of an address, proved by the link of a mail, and a stranger who typed it and pays. */
async function both(): Promise<{ email: string; owner: Buyer; stranger: Buyer }> {
  const email = `whose-${crypto.randomUUID().slice(0, 8)}@example.com`
  const owner = await funnel.buyer(email)
  const code = await mailedResumeCode(funnel.db, owner)
  expect((await owner.browser.post('/api/session-links', { code })).status).toBe(200)
  const stranger = await funnel.buyer(email)
  await stranger.pay()
  return { email, owner, stranger }
}
const tokenOf = (page: string): string => /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? ''

test('D-12 an address lists its visits with how each is tied to it, the proved ones ticked', async () => {
  const { email, owner, stranger } = await both()
  expect(await listVisits(funnel.db, email.toUpperCase())).toMatchObject([
    { id: owner.sessionId, proved: true, live: false },
    { id: stranger.sessionId, proved: false, live: true, tiedBy: expect.arrayContaining(['visit', 'payment']) },
  ])
  const form_token = tokenOf((await operator.get('/operator/privacy')).body)
  const { body } = await operator.form('/operator/privacy', { who: email, form_token })
  expect(body).toMatch(new RegExp(`value="${owner.sessionId}"\\s+checked`))
  expect(body).not.toMatch(new RegExp(`value="${stranger.sessionId}"\\s+checked`))
  expect([body.includes('typed only'), body.includes('proved'), body.includes('live subscription')]).toEqual([
    true,
    true,
    true,
  ])
})

test('D-12 exporting the owner’s visit shows nothing of a stranger’s and takes no unrelated visit', async () => {
  const { email, owner, stranger } = await both()
  const other = await funnel.buyer()
  const found = await exportVisitor(funnel.db, { who: email, visits: [owner.sessionId, other.sessionId] })
  expect(found.sessions).toMatchObject([{ id: owner.sessionId }])
  expect(JSON.stringify(found)).not.toContain(stranger.sessionId)
})

test('D-12 a live subscription of a stranger blocks his visit alone', async () => {
  const { email, owner, stranger } = await both()
  const form_token = tokenOf((await operator.get('/operator/privacy')).body)
  const form = new URLSearchParams({ who: email, sure: 'yes', form_token })
  for (const id of [owner.sessionId, stranger.sessionId]) form.append('visit', id)
  const { body } = await operator.send('POST', '/operator/privacy/erase', form.toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
  })
  expect(body).toContain('Erased: 1 session.')
  expect(body).toContain('One visit was left out: there is a live subscription.')
  expect((await owner.browser.get(owner.path(''))).status).toBe(403)
  expect((await stranger.browser.get(stranger.path(''))).body.email).toBe(email)
})

test('D-12 erasing a visit that merely typed an address leaves the account of its owner alone', async () => {
  const email = `owner-${crypto.randomUUID().slice(0, 8)}@example.com`
  const owner = await funnel.buyer(email)
  await owner.pay()
  await owner.browser.post(owner.path('/account'), { password: 'Better Eyes 1', passwordConfirmation: 'Better Eyes 1' })
  const stranger = await funnel.buyer(email)
  await eraseVisitor(funnel.db, { who: email, visits: [stranger.sessionId] })
  expect((await owner.browser.get('/api/account')).body.email).toBe(email)
})

test('D-12 a visit that is over is not erased while its account has a live subscription', async () => {
  const email = `both-${crypto.randomUUID().slice(0, 8)}@example.com`
  const over = await funnel.buyer(email)
  await over.pay()
  await over.browser.post(over.path('/account'), { password: 'Better Eyes 1', passwordConfirmation: 'Better Eyes 1' })
  const subscription = () =>
    funnel.db
      .selectFrom('subscriptions')
      .select(['status', 'stripe_subscription_id as id'])
      .where('session_id', '=', over.sessionId)
      .executeTakeFirstOrThrow()
  await funnel.dashboard('DELETE', `/v1/subscriptions/${(await subscription()).id}`)
  await expect.poll(async () => (await subscription()).status, { timeout: 20_000 }).toBe('canceled')
  const live = await funnel.buyer(email)
  await live.pay()
  const prove = (id: string) => sql`update sessions set email_proved_at = now() where id = ${id}`.execute(funnel.db)
  await prove(over.sessionId)
  // a stranger's visit, which merely typed the address, blocks nothing
  const erasing = () => eraseVisitor(funnel.db, { who: email, visits: [over.sessionId] })
  await prove(live.sessionId)
  await expect(erasing()).rejects.toThrow('There is a live subscription')
  expect((await over.browser.get('/api/account')).body.email).toBe(email)
  await sql`update sessions set email_proved_at = null where id = ${live.sessionId}`.execute(funnel.db)
  // every visit under the address belongs to an account that has proved it
  const verified = (is: boolean) =>
    sql`update auth_user set email_verified = ${is} where quiz_session_id = ${over.sessionId}`.execute(funnel.db)
  await verified(true)
  await expect(erasing()).rejects.toThrow('There is a live subscription')
  await verified(false)
  expect(await erasing()).toMatchObject({ sessions: 1 })
})

test('D-12 N-02 an export carries no link or code that opens something, also of mails that wait', async () => {
  const buyer = await funnel.buyer()
  await buyer.pay()
  await buyer.browser.post(buyer.path('/resume-link'))
  const waiting = () =>
    funnel.db
      .selectFrom('outbox')
      .select('payload')
      .where('session_id', '=', buyer.sessionId)
      .where('kind', '=', 'mail:resume_link')
      .execute()
  await expect.poll(async () => JSON.stringify(await waiting())).toMatch(/#resume=[\w-]{60,}/)
  const found = await exportVisitor(funnel.db, { who: buyer.sessionId, visits: [buyer.sessionId] })
  expect(JSON.stringify(found)).toContain('order_confirmation')
  expect(JSON.stringify(found)).not.toMatch(/#(resume=)?[\w-]{20,}|unsubscribe\/|"code":"\d{6}"/)
})

test('D-12 the command erases nothing where one of the named visits is not the visitor’s', async () => {
  const { email, owner, stranger } = await both()
  const other = await funnel.buyer()
  const erase = (...visits: string[]) =>
    runTool(['payments-service/privacy/main.ts', 'erase', email, ...visits], {
      env: { DATABASE_URL: funnel.databaseUrl },
    })
  const refused = await erase(owner.sessionId, other.sessionId)
  expect([refused.ok, refused.output]).toEqual([false, `${other.sessionId}: no visit of ${email}.`])
  expect(await listVisits(funnel.db, email)).toHaveLength(2)
  expect(await erase('--proved')).toMatchObject({ ok: true, output: 'Erased: 1 session.' })
  expect(await listVisits(funnel.db, email)).toMatchObject([{ id: stranger.sessionId }])
})
