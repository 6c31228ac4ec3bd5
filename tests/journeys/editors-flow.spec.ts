/** The quiz drawn, with its branches and what is wrong with it, in the real Studio. */
import { accessibilityFaults } from '../support/axe.ts'
import { test } from '../support/editor.ts'
import { expect } from '../support/journey.ts'

interface Step {
  _key: string
  title: string
}

test('K-05 the way through the quiz is drawn with its branches and faults, and each step opens from there', async ({
  openStudio,
}) => {
  const editor = await openStudio()
  const { page } = editor
  const quiz = (await editor.read('quiz')) as { steps: Step[] }
  const [sixth, seventh] = quiz.steps.slice(5) as [Step, Step]
  const at = (step: Step) => `steps[_key=="${step._key}"]`
  const glasses = { _key: 'g', _type: 'answerCondition', asked: 'visionCorrection', operator: 'contains' }
  const showIf = { match: 'all', conditions: [{ ...glasses, chosen: ['Yes, glasses'] }] }
  await editor.mutate(
    { createOrReplace: { ...quiz, _id: 'drafts.quiz' } },
    { patch: { id: 'drafts.quiz', set: { [`${at(sixth)}.showIf`]: showIf, [`${at(seventh)}.next`]: '77' } } },
  )

  await editor.openDocument('quiz')
  await page.getByRole('tab', { name: 'Flow' }).click()
  const drawing = page.getByRole('region', { name: 'The quiz as a drawing' })
  await expect(drawing.getByRole('link')).toHaveCount(34)
  await expect(drawing.getByText('Shown when Do you wear glasses or contact lenses? contains')).toBeAttached()
  await expect(drawing.getByText(/“77” is neither a step from 1 to 33/)).toBeAttached()
  await expect(page.getByText('Something is wrong at one step.')).toBeVisible()
  // what is not in sight comes into it with the keyboard
  const link = drawing.getByRole('link', { name: `7. ${seventh.title}` })
  await expect(link).not.toBeInViewport()
  await drawing.getByRole('link', { name: /^4\. / }).focus()
  for (let n = 0; n < 3; n++) await page.keyboard.press('Tab')
  await expect(link).toBeFocused()
  await expect(link).toBeInViewport()
  expect(await accessibilityFaults(page, '[aria-label="The quiz as a drawing"]')).toEqual([])
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/flow.png` })

  await test.step('the same in words', async () => {
    await page.getByRole('button', { name: 'List' }).click()
    const list = page.getByRole('list', { name: 'The quiz as a list' })
    await expect(list.getByRole('listitem')).toHaveCount(34)
    const row = list.getByRole('listitem').filter({ hasText: `6. ${sixth.title}` })
    await expect(row.last()).toContainText(`Leads to 7. ${seventh.title}.`)
    await expect(row.last()).toContainText(`Others go on with 7. ${seventh.title}.`)
    expect(await accessibilityFaults(page, '[aria-label="The quiz as a list"]')).toEqual([])
  })

  await test.step('the drawing follows the editing; a step opens by the keyboard', async () => {
    await page.getByRole('button', { name: 'Drawing' }).click()
    await editor.mutate({ patch: { id: 'drafts.quiz', unset: [`${at(seventh)}.next`] } })
    await expect(page.getByText('Something is wrong')).toBeHidden()
    await link.focus()
    await page.keyboard.press('Enter')
    await expect(editor.field(`${at(seventh)}.title`)).toBeVisible()
  })
})
