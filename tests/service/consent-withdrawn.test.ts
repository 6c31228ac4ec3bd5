import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withdrawHealthOf } from '../../payments-service/privacy/health.ts'
import { runTool } from '../../scripts/processes.ts'
import { type Buyer, type Funnel, startFunnel } from './funnel.ts'
import { formTokenOf, signedOperator } from './operators.ts'

let funnel: Funnel
beforeAll(async () => {
  funnel = await startFunnel({ background: false })
})
afterAll(() => funnel.stop())

const choose = ({ browser, path }: Buyer, granted: boolean, chosenAt?: string, version = '1') =>
  browser.post(path('/consents'), {
    choices: [{ kind: 'health', granted }],
    wording: 'I agree that my answers about health are used.',
    version,
    page: '/quiz',
    ...(chosenAt ? { chosenAt } : {}),
  })
async function answer({ browser, path }: Buyer): Promise<void> {
  const answers = [{ questionId: 'symptoms', answer: 'blurry_vision', answeredAt: new Date().toISOString() }]
  expect((await browser.post(path('/answers'), { answers })).status).toBe(200)
}
const kept = async ({ sessionId }: Buyer) =>
  (await funnel.db.selectFrom('quiz_answers').select('question_id').where('session_id', '=', sessionId).execute())
    .length
const evidence = ({ sessionId }: Buyer) =>
  funnel.db
    .selectFrom('consents')
    .select(['granted', 'page'])
    .where('session_id', '=', sessionId)
    .where('kind', '=', 'health')
    .orderBy('id')
    .execute()

test('D-13 a health consent taken back erases the answers of this visit alone and keeps the evidence', async () => {
  const [one, other] = [await funnel.buyer(), await funnel.buyer()]
  expect((await choose(one, true)).status).toBe(200)
  for (const buyer of [one, other]) await answer(buyer)
  expect([await kept(one), await kept(other)]).toEqual([1, 1])

  expect((await choose(one, false)).status).toBe(200)
  expect([await kept(one), await kept(other)]).toEqual([0, 1])
  expect(await evidence(one)).toMatchObject([{ granted: true }, { granted: false }])
})

test('D-13 D-12 an operator takes a health consent back for its writer, whose subscription goes on', async () => {
  const email = 'writes@example.com'
  const [buyer, other] = [await funnel.buyer(email), await funnel.buyer(email)]
  await buyer.pay()
  const chosenAt = new Date().toISOString()
  for (const one of [buyer, other]) {
    await choose(one, true)
    await answer(one)
  }
  const operator = (await signedOperator(funnel)).browser
  const form_token = formTokenOf((await operator.get('/operator/privacy')).body as string)
  const press = async (fields: Record<string, string>) =>
    (await operator.form('/operator/privacy/health', { who: email, form_token, ...fields })).body as string
  const { body } = await operator.form('/operator/privacy', { who: email, form_token })
  expect(body).toContain('formaction="/operator/privacy/health"')

  expect(await press({ visit: buyer.sessionId })).toContain('Nothing was deleted: the tick was missing.')
  expect(await press({ sure: 'yes' })).toContain('Nothing was deleted: no ticked visit has')
  expect([await kept(buyer), await kept(other)]).toEqual([1, 1])
  expect(await press({ sure: 'yes', visit: buyer.sessionId })).toContain('Taken back for 1 visit')
  expect([await kept(buyer), await kept(other)]).toEqual([0, 1])
  expect(await evidence(buyer)).toMatchObject([{ granted: true }, { granted: false, page: 'operator' }])
  // told once more by a browser that chose before
  await choose(buyer, true, chosenAt)
  expect(await evidence(buyer)).toHaveLength(2)
  expect(await press({ sure: 'yes', visit: buyer.sessionId })).toContain('Nothing was deleted: no ticked visit has')
  const trail = await funnel.db
    .selectFrom('operator_trail')
    .select('action')
    .where('subject', '=', buyer.sessionId)
    .where('action', '=', 'POST /operator/privacy/health')
    .execute()
  expect(trail.length).toBeGreaterThan(0)

  const command = ['payments-service/privacy/main.ts', 'withdraw-health', email, other.sessionId]
  const { ok, output } = await runTool(command, { env: { DATABASE_URL: funnel.databaseUrl } })
  expect(ok, output).toBe(true)
  expect(output).toContain('Taken back for 1 visit')
  expect(await kept(other)).toBe(0)
  expect(await evidence(other)).toMatchObject([{ granted: true }, { granted: false, page: 'operator' }])
})

test('D-13 answers sent after an operator took the consent back are kept only after a new consent', async () => {
  const buyer = await funnel.buyer()
  await choose(buyer, true)
  expect(await withdrawHealthOf(funnel.db, { who: buyer.sessionId, visits: [buyer.sessionId] })).toBe(1)
  // an hour ago, so that the answer is later by every clock
  const hourLater = () =>
    funnel.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = 'replica'`.execute(tx)
      await sql`update consents set recorded_at = recorded_at - interval '1 hour'
        where session_id = ${buyer.sessionId}`.execute(tx)
    })
  await hourLater()
  await answer(buyer)
  expect(await kept(buyer)).toBe(0)
  // refused on one device too, while another goes on
  await choose(buyer, false, undefined, '2026-11-29')
  await hourLater()
  await answer(buyer)
  expect(await kept(buyer)).toBe(0)

  expect((await choose(buyer, true)).status).toBe(200)
  await answer(buyer)
  expect(await kept(buyer)).toBe(1)
})
