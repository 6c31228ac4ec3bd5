/** What is new to an editor in the real Studio: where a document shows, and a drawing chosen by sight. */
import { accessibilityFaults } from '../support/axe.ts'
import { test } from '../support/editor.ts'
import { expect } from '../support/journey.ts'

const built = { timeout: 120_000 }

test('K-01 a testimonial says in which lists it stands, with a link to each, or that no page shows it', async ({
  openStudio,
}, info) => {
  const editor = await openStudio()
  const studio = editor.page
  const fresh = { _type: 'testimonial', name: 'M. K.', quote: 'Rested in the evening.', stars: 5, sample: true }
  await editor.mutate({ create: { ...fresh, _id: 'drafts.testimonial-new' } })
  await editor.openDocument('testimonial', 'testimonial-new')
  const nowhere = studio.getByText(/^No page shows this yet\. Add it to a list in a step of the quiz, the checkout/)
  await expect(nowhere).toBeVisible()
  const checkout = (await editor.read('checkout')) as { testimonials: object[] }
  const added = { _key: 'new', _type: 'reference', _ref: 'testimonial-new', _weak: true }
  await editor.mutate({
    createOrReplace: { ...checkout, _id: 'drafts.checkout', testimonials: [...checkout.testimonials, added] },
  })
  const lists = studio.getByRole('list', { name: 'Shown where these list it:' })
  await expect(lists.getByRole('link')).toHaveText(['Checkout / Testimonials'])
  await expect(nowhere).toBeHidden()
  expect(await accessibilityFaults(studio, ':has(> [aria-labelledby$="-listings"])')).toEqual([])
  await editor.openDocument('testimonial', 'testimonial-js')
  await expect(lists.getByRole('link', { name: /^Quiz \/ Step 3\d: .* \/ Testimonials$/ }).first()).toBeVisible()
  for (const width of [1440, 390]) {
    await studio.setViewportSize({ width, height: 900 })
    await studio.screenshot({ path: info.outputPath(`listed-${width}.png`) })
  }
  await studio.setViewportSize({ width: 1440, height: 900 })
  await lists.getByRole('link', { name: 'Checkout / Testimonials' }).press('Enter')
  await expect(editor.field('testimonials')).toBeVisible()
  await editor.mutate({ delete: { id: 'drafts.checkout' } }, { delete: { id: 'drafts.testimonial-new' } })
})

test('K-01 the drawing of an option is chosen by sight, with the keyboard alone, as visitors see it', async ({
  openStudio,
}, info) => {
  test.setTimeout(480_000)
  const editor = await openStudio()
  const studio = editor.page
  const at = 'steps[_key=="symptoms"].options[0].icon'
  await editor.openField('quiz', 'quiz', at)
  const drawings = studio.getByRole('radiogroup', { name: 'Drawing' })
  const chosen = drawings.getByRole('radio', { checked: true })
  await expect(chosen).toBeFocused(built)
  await expect(chosen).toHaveAccessibleName('Eye, blurred')
  await expect(drawings.getByRole('radio')).toHaveCount(25)
  // each is drawn, and no two alike
  const shapes = await drawings.locator('svg').evaluateAll((all) => all.map((one) => one.innerHTML))
  expect(new Set(shapes).size).toBe(24)
  for (const width of [1440, 768, 390]) {
    await studio.setViewportSize({ width, height: 900 })
    await studio.screenshot({ path: info.outputPath(`drawings-${width}.png`) })
  }
  await studio.setViewportSize({ width: 1440, height: 900 })
  expect(await accessibilityFaults(studio, '[role="radiogroup"][aria-label="Drawing"]')).toEqual([])
  const stored = async () => {
    const draft = (await editor.read('drafts.quiz')) as { steps: { _key: string; options: { icon?: string }[] }[] }
    return draft?.steps.find(({ _key }) => _key === 'symptoms')?.options[0]?.icon
  }
  await studio.keyboard.press('ArrowRight')
  await expect.poll(stored).toBe('eye-red')
  await drawings.getByRole('radio', { name: 'None' }).press('Space')
  await expect
    .poll(async () => [await stored(), (await editor.read('drafts.quiz')) !== undefined])
    .toEqual([undefined, true])
  await expect(editor.publishButton).toBeEnabled()
  // swatches are their colour: nothing is drawn on them
  await editor.openField('quiz', 'quiz', 'steps[_key=="eye-color"].options[0].label')
  await expect(editor.field('steps[_key=="eye-color"].options[0].label')).toBeVisible()
  await expect(studio.getByRole('radiogroup', { name: 'Drawing' })).toHaveCount(0)
  await editor.mutate({ delete: { id: 'drafts.quiz' } })
})
