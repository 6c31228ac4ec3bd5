/** Steps that only some visitors are shown: an editor says so in the Studio, visitors walk both ways. */
import type { Page } from '@playwright/test'
import { expect } from '../support/journey.ts'
import { test } from '../support/editor.ts'
import { atStep, choose } from './funnel.ts'

const TIMING = 'steps[_key=="symptom-timing"]'
const built = { timeout: 120_000 }
const answers = (page: Page): Promise<Record<string, unknown>> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('quiz_answers') ?? '{}'))

test('K-01 K-05 Q-02 Q-03 a condition is chosen by words, proved, published, and walked both ways', async ({
  page,
  openStudio,
}) => {
  test.setTimeout(480_000)
  const editor = await openStudio()

  await test.step('in the Studio: a question by its title, answers by their labels', async () => {
    // a row as “Add item” makes it
    const row = { _key: 'row', _type: 'answerCondition', operator: 'is' }
    const showIf = { _type: 'stepCondition', match: 'all', conditions: [row] }
    const draft = { ...((await editor.read('quiz')) as object), _id: 'drafts.quiz' }
    await editor.mutate(
      { createOrReplace: draft },
      { patch: { id: 'drafts.quiz', set: { [`${TIMING}.showIf`]: showIf } } },
    )
    await editor.openField('quiz', 'quiz', `${TIMING}.showIf.conditions[_key=="row"].asked`)
    const question = editor.page.getByRole('combobox').filter({ hasText: 'Choose a question' })
    await expect(editor.publishButton).toBeDisabled()
    // questions above the step only
    await expect(question.getByRole('option', { name: '5. Do you wear glasses or contact lenses?' })).toHaveCount(0)
    await question.selectOption('3. How often do you notice these symptoms?')
    await editor.page.getByRole('checkbox', { name: 'Daily' }).check()
    await editor.page.getByRole('checkbox', { name: 'Multiple times per day' }).check()
    await expect(editor.publishButton).toBeEnabled()
    const stored = async () => {
      const { steps } = (await editor.read('drafts.quiz')) as { steps: { _key: string; showIf?: object }[] }
      return steps.find(({ _key }) => _key === 'symptom-timing')?.showIf
    }
    const chosen = ['Daily', 'Multiple times per day']
    await expect.poll(stored).toEqual({ ...showIf, conditions: [{ ...row, asked: 'symptomFrequency', chosen }] })
    await editor.openDocument('quiz')
    const note = editor.field('steps').getByTestId('input-validation-icon-info').first()
    await note.hover()
    await expect(editor.page.getByText('The longest way has 33 steps. For example: ').first()).toBeVisible()
    const words = editor.page.getByText('Shown when How often do you notice these symptoms?')
    await expect(words).toContainText('is Daily or Multiple times per day')
    await editor.publish()
  })
  await expect.poll(async () => (await (await page.request.get('/quiz')).text()).includes('showIf'), built).toBe(true)

  await test.step('rarely: the step is not shown, and nobody counts it', async () => {
    await page.goto('/quiz?step=3')
    await expect(page.getByText('3/33')).toBeVisible()
    await choose(page, 'Rarely')
    await atStep(page, 5)
    await expect(page.getByText('4/32')).toBeVisible()
    await page.reload()
    await atStep(page, 5)
    await expect(page.getByText('4/32')).toBeVisible()
  })

  await test.step('Back, another answer: the step is shown, and stays after a reload', async () => {
    await page.goBack()
    await atStep(page, 3)
    await choose(page, 'Daily')
    await atStep(page, 4)
    await expect(page.getByText('4/33')).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'When do your eyes bother you most?' })).toBeVisible()
    await choose(page, 'Evening')
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await atStep(page, 5)
    await expect(page.getByText('5/33')).toBeVisible()
  })

  await test.step('back to rarely: the answer stays stored, its step is gone, its address too', async () => {
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await atStep(page, 4)
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await atStep(page, 3)
    await choose(page, 'Rarely')
    await atStep(page, 5)
    expect(await answers(page)).toMatchObject({ symptomFrequency: 'Rarely', symptomTiming: ['Evening'] })
    await page.goto('/quiz?step=4')
    await atStep(page, 5)
    await page.goto('/quiz?step=23')
    // 23 of 32 on the longest way, one less on this one
    await expect(page.getByText('22/31')).toBeVisible()
  })
})
