import { expect, test } from '../support/journey.ts'
import { startQuiz } from './funnel.ts'

test('D-13 taking the health consent back erases the answers and says so; giving it again sends them', async ({
  page,
  stack,
  expectTrouble,
}) => {
  expectTrouble(/ERR_FAILED/)
  await startQuiz(page)
  await page.getByRole('radio', { name: 'Green' }).click()
  const sessionId = await page.evaluate(() => localStorage.getItem('quiz_session_id') ?? '')
  const kept = async (): Promise<string[]> => {
    const rows = await stack.db
      .selectFrom('quiz_answers')
      .select('answer')
      .where('session_id', '=', sessionId)
      .where('question_id', '=', 'eyeColor')
      .execute()
    return rows.map(({ answer }) => answer)
  }
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await expect.poll(kept).toEqual(['green'])

  await page.goto('/quiz?step=Welcome')
  const tick = page.getByRole('checkbox')
  await expect(tick).toBeChecked()
  await tick.uncheck()
  await expect(page.getByRole('status')).toContainText('You took your consent back. We erase your answers')
  await expect.poll(kept).toEqual([])
  // answers survive a grant that is slow to arrive
  await page.route('**/consent*', async (route) => {
    await new Promise((resume) => setTimeout(resume, 1_000))
    await route.fallback()
  })
  await tick.check()
  await expect(page.getByRole('status')).toHaveText('')
  await expect.poll(kept).toEqual(['green'])

  // and one that is lost on the way: the answers wait for it
  await tick.uncheck()
  await expect.poll(kept).toEqual([])
  await page.unroute('**/consent*')
  await page.route('**/consents', (route) => route.abort(), { times: 1 })
  await tick.check()
  await expect.poll(kept).toEqual(['green'])
})
