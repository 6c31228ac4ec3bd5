/** Who looked at whom, and who tried to: the operators' audit trail and the log lines of failed sign-ins. */
import { sql } from 'kysely'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../payments-service/http/logging.ts'
import { keepPartitions } from '../../payments-service/tracking/upkeep.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { formTokenOf, signedOperator, type SignedOperator, typePassword } from './operators.ts'
import { Browser, startService } from './service.ts'

let funnel: Funnel
let boss: SignedOperator
beforeAll(async () => {
  funnel = await startFunnel({ webhooks: false })
  boss = await signedOperator(funnel)
})
afterAll(() => funnel.stop())

/** What was noted since the last call, oldest first. */
let last = '00000000-0000-0000-0000-000000000000'
async function noted(): Promise<[string, string | null][]> {
  const rows = await funnel.db.selectFrom('operator_trail').selectAll().where('id', '>', last).orderBy('id').execute()
  last = rows.at(-1)?.id ?? last
  return rows.map(({ action, subject }) => [action, subject])
}

test('N-02 D-12 every page of a visitor and every act leaves who, what and whose, and no address', async () => {
  const email = 'watched@example.com'
  const { sessionId } = await funnel.buyer(email)
  const other = (await funnel.buyer('other@example.com')).sessionId
  expect(await noted()).toEqual([
    ['set up the second factor', null],
    ['GET /operator', null],
  ])

  const { browser } = boss
  const form_token = formTokenOf((await browser.get('/operator/privacy')).body as string)
  await noted()
  await browser.form('/operator', { search: email, form_token })
  expect(await noted()).toEqual([
    ['POST /operator', null],
    ['POST /operator', sessionId],
  ])
  await browser.get(`/operator/sessions/${sessionId}`)
  expect(await noted()).toEqual([['GET /operator/sessions/:sessionId', sessionId]])
  await browser.form('/operator/privacy', { who: email, form_token })
  await browser.form('/operator/privacy/export', { who: email, visit: sessionId, form_token })
  const rows = await noted()
  expect(rows).toContainEqual(['POST /operator/privacy', sessionId])
  expect(rows).toContainEqual(['POST /operator/privacy/export', sessionId])
  expect(rows.filter(([, subject]) => subject === other)).toEqual([])

  // an act is recorded even if it had no effect, with the button that was pressed
  const id = '0190b5b0-0000-7000-8000-000000000000'
  expect((await browser.form(`/operator/money-back/${id}`, { decision: 'approve', form_token })).status).toBe(404)
  await browser.get('/operator/funnel.csv')
  expect(await noted()).toEqual([
    ['POST /operator/money-back/:id approve', id],
    ['GET /operator/funnel.csv', null],
  ])
  const all = JSON.stringify(await funnel.db.selectFrom('operator_trail').selectAll().execute())
  expect(all).not.toContain('@')

  const page = (await browser.get(`/operator/trail?subject=${sessionId.toUpperCase()}`)).body as string
  expect(page).toContain('boss@example.com')
  expect(page).toContain('POST /operator/privacy/export')
  expect(page).not.toContain('funnel.csv')
  expect((await new Browser(funnel.url).get('/operator/trail')).status).toBe(404)
})

test('N-02 D-12 no page of the menu shows an address without a note of whose it is', async () => {
  const email = 'shown.anywhere@example.com'
  const { sessionId } = await funnel.buyer(email)
  await sql`insert into money_back_requests
      (session_id, kind, amount_cents, listened_sessions, first_paid_at, answer_by)
    values (${sessionId}, 'guarantee', 1767, 7, now(), now())`.execute(funnel.db)
  await sql`insert into exit_requests (kind, contract, name, email, effect_at, session_ids)
    values ('withdraw', 'everything', 'Ada', ${email}, now(), array[${sessionId}::uuid])`.execute(funnel.db)
  const menu = /<nav[^]*<\/nav>/.exec((await boss.browser.get('/operator')).body as string)?.[0] ?? ''
  const pages = [...menu.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path)
  const shown: string[] = []
  const unnoted: string[] = []
  for (const path of pages) {
    await noted()
    if (!((await boss.browser.get(path)).body as string).includes(email)) continue
    shown.push(path)
    if (!(await noted()).some(([, subject]) => subject === sessionId)) unnoted.push(path)
  }
  expect(shown).toEqual(['/operator', '/operator/money-back', '/operator/exits', '/upsell-links'])
  expect(unnoted).toEqual([])
})

test('N-02 the trail is appended only; it ends after as long as events are kept', async () => {
  await boss.browser.get('/operator/errors')
  await expect(sql`update operator_trail set action = 'nothing'`.execute(funnel.db)).rejects.toThrow('append-only')
  await expect(sql`delete from operator_trail`.execute(funnel.db)).rejects.toThrow('append-only')
  const { id } = await funnel.db.selectFrom('operator_user').select('id').executeTakeFirstOrThrow()
  const values = (months: number) => ({
    operator_id: id,
    action: `${months} months ago`,
    at: sql<Date>`now() - make_interval(months => ${months})`,
  })
  await funnel.db
    .insertInto('operator_trail')
    .values([values(12), values(15)])
    .execute()
  await keepPartitions(funnel.service.deps)
  const old = await funnel.db.selectFrom('operator_trail').select('action').where('action', 'like', '%ago').execute()
  expect(old).toEqual([{ action: '12 months ago' }])
})

test('N-02 a failed sign-in is logged with keyed digests of address and network, never with either', async () => {
  const lines: Record<string, unknown>[] = []
  const write = (line: Buffer, _: string, done: () => void) => (lines.push(JSON.parse(line.toString())), done())
  const service = await startService({ log: createLog('warn', new Writable({ write })) })
  try {
    const browser = new Browser(service.url)
    await typePassword(browser, 'Guessed@Example.com')
    await typePassword(browser, ' guessed@example.com')
    await typePassword(browser, 'another@example.com')
    await browser.form('/operator/sign-in/code', { code: '123456' })
    const failed = lines.filter(({ msg }) => msg === 'operator sign-in refused')
    expect(failed.map(({ step }) => step)).toEqual(['password', 'password', 'password', 'code: begin_again'])
    const addresses = failed.map(({ address }) => address)
    expect(addresses).toEqual([addresses[0], addresses[0], expect.not.stringMatching(String(addresses[0])), undefined])
    expect(new Set(failed.map(({ network }) => network)).size).toBe(1)
    expect(JSON.stringify(failed)).not.toMatch(/@|guessed|another|127\.0\.0\.1/i)
  } finally {
    await service.stop()
  }
})
