/** What is wrong, as an editor reads it in the real Studio: by step, entry and field, and at the field itself. */
import { accessibilityFaults } from '../support/axe.ts'
import { test } from '../support/editor.ts'
import { expect } from '../support/journey.ts'

const PANEL = `inspect=${encodeURIComponent('sanity/structure/validation')}`
const at = (step: string) => `steps[_key=="${step}"]`

test('K-05 each fault is named by its step and field, once, and opens there by mouse and by keyboard', async ({
  openStudio,
}, info) => {
  const editor = await openStudio()
  const { page } = editor
  const quiz = (await editor.read('quiz')) as object
  await editor.mutate(
    { createOrReplace: { ...quiz, _id: 'drafts.quiz' } },
    {
      patch: {
        id: 'drafts.quiz',
        set: {
          [`${at('symptom-timing')}.storageKey`]: 'symptoms',
          [`${at('symptoms')}.title`]: 'x'.repeat(340),
          [`${at('eye-color')}.title`]: '',
          [`${at('eye-color')}.options[1].value`]: 'amber',
        },
      },
    },
  )
  await editor.openDocument(`quiz,${PANEL}`)
  const panel = page.locator('section, div').filter({ has: page.getByRole('heading', { name: /^Before you publish/ }) })
  const entry = (name: RegExp) => panel.last().getByRole('button', { name })
  await expect(page.getByRole('heading', { name: 'Before you publish (4)' })).toBeVisible()
  await expect(entry(/^Step 1 \/ Title.*Step 1 has no title\./)).toBeVisible()
  await expect(entry(/^Step 1 \/ Options \/ 2: Blue \/ Counted as/)).toBeVisible()
  await expect(entry(/^Step 2: x+… \/ Title.*At most 140 characters fit here; these are 340\./)).toBeVisible()
  const clash = entry(/^Step 4: When do your eyes bother you most\? \/ Name of the answer/).filter({
    hasText: '“symptoms” is the name of the answer of step 2',
  })
  await expect(clash).toBeVisible()
  // what only a launch asks for is there, and out of the way
  await expect(page.getByText(/^Before the site is launched \(\d+\)/)).toBeVisible()
  await expect(entry(/has no source/)).toHaveCount(0)
  for (const width of [1440, 768]) {
    await page.setViewportSize({ width, height: 900 })
    await page.screenshot({ path: info.outputPath(`panel-${width}.png`) })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(await accessibilityFaults(page, '[data-faults]')).toEqual([])

  await clash.press('Enter')
  const field = editor.field(`${at('symptom-timing')}.storageKey`)
  await expect(field.getByRole('textbox')).toBeFocused()
  await expect(page.getByRole('dialog').getByText(/one answer would overwrite the other/)).toBeVisible()
  await page.screenshot({ path: info.outputPath('field.png') })
})

test('K-01 K-05 a question is duplicated with a key of its own, so that the quiz can be published', async ({
  openStudio,
}) => {
  const editor = await openStudio()
  const { page } = editor
  await editor.openDocument('quiz')
  const steps = editor.field('steps')
  await steps
    .getByTestId(/menu-button/)
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  const keys = async () =>
    ((await editor.read('drafts.quiz')) as { steps: { storageKey?: string }[] } | undefined)?.steps
      .slice(0, 2)
      .map(({ storageKey }) => storageKey)
  await expect.poll(keys).toEqual(['eyeColor', 'eyeColor2'])
  await expect(editor.publishButton).toBeEnabled()
})

test('K-01 K-05 Q-03 “Leads to” is a list of the steps, and the chosen one stays the one when steps are moved', async ({
  openStudio,
}, info) => {
  const editor = await openStudio()
  const { page } = editor
  const { steps } = (await editor.read('quiz')) as { steps: { _key: string; title: string }[] }
  const [, , , , fifth, sixth, seventh] = steps
  if (!fifth || !sixth || !seventh) throw new Error('the quiz of the sample has more steps')
  await editor.openField('quiz', 'quiz', `${at(fifth._key)}.next`)
  const list = editor.field(`${at(fifth._key)}.next`).getByRole('combobox')
  await expect(list).toHaveValue('')
  await list.selectOption({ label: `7. ${seventh.title}` })
  const draft = async () =>
    (await editor.read('drafts.quiz')) as { steps: { _key: string; next?: string }[] } | undefined
  await expect.poll(async () => (await draft())?.steps[4]?.next).toBe(`#${seventh._key}`)
  await page.screenshot({ path: info.outputPath('leads-to.png') })
  expect(await accessibilityFaults(page, `[data-testid='field-${at(fifth._key)}.next']`)).toEqual([])

  await page.keyboard.press('Escape')
  await editor.openDocument('quiz')
  const row = editor.field('steps').getByText(`Leads to 7. ${seventh.title}`)
  await expect(row).toBeVisible()
  const others = ((await draft())?.steps ?? []).filter(({ _key }) => _key !== sixth._key)
  await editor.mutate({ patch: { id: 'drafts.quiz', set: { steps: others } } })
  await expect(editor.field('steps').getByText(`Leads to 6. ${seventh.title}`)).toBeVisible()
  await editor.mutate({ patch: { id: 'drafts.quiz', unset: [at(seventh._key)] } })
  await expect(editor.field('steps').getByText('Leads to a step that is gone')).toBeVisible()
  await expect(editor.publishButton).toBeDisabled()
})
