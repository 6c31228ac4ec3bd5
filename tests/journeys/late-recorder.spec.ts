/** The recorder of events arrives after the page: on a slow network later than a visitor's first press. */
import { sql } from 'kysely'
import { expect, test } from '../support/journey.ts'
import { atStep, choose, openPayment, startQuiz } from './funnel.ts'
import { atCheckout } from './prepared.ts'

test('C-15 D-09 a visitor who closes the payment before the recorder has loaded is marked all the same', async ({
  page,
  stack,
}) => {
  const { promise: late, resolve: arrives } = Promise.withResolvers<void>()
  await page.route('**/_astro/outgoing.*.js', async (route) => {
    await late
    await route.continue()
  })
  const { sessionId: id } = await atCheckout(page)
  await openPayment(page)
  await page.getByRole('button', { name: 'Close' }).click()
  // a page that waits for nobody is gone by now
  await page.evaluate(() => new Promise((resume) => setTimeout(resume, 1_500))).catch(() => undefined)
  arrives()
  await page.waitForURL(`**/special-offer-intro/${id}`)
  const left = () =>
    stack.db.selectFrom('sessions').select('exit_intent_at').where('id', '=', id).executeTakeFirstOrThrow()
  await expect.poll(async () => (await left()).exit_intent_at).not.toBeNull()
})

test('D-08 Q-02 steps that a visitor passed before the recorder came are counted, each with its time', async ({
  page,
  stack,
}) => {
  const { promise: late, resolve: arrives } = Promise.withResolvers<void>()
  await page.route('**/_astro/page.client.*.js', async (route) => {
    await late
    await route.continue()
  })
  await startQuiz(page)
  await choose(page, 'Amber')
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await atStep(page, 2)
  await page.goBack()
  await atStep(page, 1)
  await page.waitForTimeout(1_600)
  await page.goForward()
  await atStep(page, 2)
  arrives()
  const session = () => page.evaluate(() => localStorage.getItem('quiz_session_id'))
  await expect.poll(session).toMatch(/^[0-9a-f-]{36}$/)
  const id = await session()
  const seen = async () => {
    const { rows } = await sql<{ step: string; seconds: number }>`select step, seconds from page_views
      where session_key = (select key from sessions where id = ${id}::uuid) and url = '/quiz' order by id`.execute(
      stack.db,
    )
    return rows
  }
  await expect.poll(async () => (await seen()).map(({ step }) => step)).toEqual(['Welcome', '1', '2', '1', '2'])
  expect((await seen())[3]?.seconds).toBeGreaterThanOrEqual(1)
})
