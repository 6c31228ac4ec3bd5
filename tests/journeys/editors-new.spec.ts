/** What is new to an editor in the real Studio: where a document shows. */
import { accessibilityFaults } from '../support/axe.ts'
import { test } from '../support/editor.ts'
import { expect } from '../support/journey.ts'

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
})
