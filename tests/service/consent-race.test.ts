/** Withdrawing a health consent removes the answers it covered (D-13), including one being stored at that moment. */
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Buyer, type Funnel, startFunnel } from './funnel.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel({ background: false })))
afterAll(() => funnel.stop())

const choose = (one: Buyer, granted: boolean) =>
  one.browser.post(one.path('/consents'), {
    choices: [{ kind: 'health', granted }],
    wording: 'I agree that my answers about health are used.',
    version: '1',
    page: '/quiz',
  })
const answer = (one: Buyer, questionId: string, answeredAt = new Date()) =>
  one.browser.post(one.path('/answers'), {
    answers: [{ questionId, answer: 'blurry_vision', answeredAt: answeredAt.toISOString() }],
  })
const kept = async ({ sessionId }: Buyer) =>
  (await funnel.db.selectFrom('quiz_answers').select('question_id').where('session_id', '=', sessionId).execute()).map(
    ({ question_id }) => question_id,
  )

test('D-13 an answer that is being written while the consent is withdrawn does not outlive it', async () => {
  const one = await funnel.buyer()
  await choose(one, true)
  let under: ReturnType<typeof answer> | undefined
  let withdrawn: ReturnType<typeof choose> | undefined
  const holds = funnel.db.transaction().execute(async (tx) => {
    // an uncommitted row with the same key blocks the answer in the middle of its statement
    await sql`set local session_replication_role = 'replica'`.execute(tx)
    await tx
      .insertInto('quiz_answers')
      .values({ session_id: one.sessionId, question_id: 'symptoms', answer: 'none' })
      .execute()
    under = answer(one, 'symptoms')
    await setTimeout(400)
    withdrawn = choose(one, false)
    await setTimeout(600)
    throw new Error('let go')
  })
  await expect(holds).rejects.toThrow('let go')
  expect([(await under)?.status, (await withdrawn)?.status]).toEqual([200, 200])
  expect(await kept(one)).toEqual([])
})

test('D-13 an answer of before the withdrawal that comes after it is not kept; one with a new consent is', async () => {
  const one = await funnel.buyer()
  await choose(one, true)
  const before = new Date()
  expect((await choose(one, false)).status).toBe(200)
  expect((await answer(one, 'symptoms', before)).status).toBe(200)
  expect(await kept(one)).toEqual([])

  expect((await choose(one, true)).status).toBe(200)
  expect((await answer(one, 'age_group')).status).toBe(200)
  expect(await kept(one)).toEqual(['age_group'])
})

test('D-13 a withdrawal of one visit takes no answer of another one', async () => {
  const [one, other] = [await funnel.buyer(), await funnel.buyer()]
  await choose(one, true)
  await choose(one, false)
  await answer(other, 'symptoms')
  expect(await kept(other)).toEqual(['symptoms'])
})
