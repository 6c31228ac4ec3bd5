import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Funnel, startFunnel } from './funnel.ts'

let funnel: Funnel
beforeAll(async () => {
  funnel = await startFunnel({ background: false })
})
afterAll(() => funnel.stop())

test('D-13 a health consent taken back erases the answers of this visit alone and keeps the evidence', async () => {
  const [one, other] = [await funnel.buyer(), await funnel.buyer()]
  const answers = [{ questionId: 'symptoms', answer: 'blurry_vision', answeredAt: new Date().toISOString() }]
  const choose = (granted: boolean) =>
    one.browser.post(one.path('/consents'), {
      choices: [{ kind: 'health', granted }],
      wording: 'I agree that my answers about health are used.',
      version: '1',
      page: '/quiz',
    })
  const kept = async (sessionId: string) =>
    (await funnel.db.selectFrom('quiz_answers').select('question_id').where('session_id', '=', sessionId).execute())
      .length
  expect((await choose(true)).status).toBe(200)
  for (const { browser, path } of [one, other]) {
    expect((await browser.post(path('/answers'), { answers })).status).toBe(200)
  }
  expect([await kept(one.sessionId), await kept(other.sessionId)]).toEqual([1, 1])

  expect((await choose(false)).status).toBe(200)
  expect([await kept(one.sessionId), await kept(other.sessionId)]).toEqual([0, 1])
  const evidence = await funnel.db
    .selectFrom('consents')
    .select('granted')
    .where('session_id', '=', one.sessionId)
    .orderBy('id')
    .execute()
  expect(evidence).toEqual([{ granted: true }, { granted: false }])
})
