/** What was published before: seen, compared and brought back in the real Studio. */
import { test } from '../support/editor.ts'
import { expect } from '../support/journey.ts'

test('K-03 K-04 an editor sees how a document was, back to its beginning, and brings that back to the site', async ({
  page,
  openStudio,
}, info) => {
  test.setTimeout(240_000)
  const says = async (words: string) => (await (await page.request.get('/quiz')).text()).includes(words)
  const built = { timeout: 120_000 }
  const editor = await openStudio()
  const studio = editor.page
  // no other journey publishes this one: its history is counted
  const { quote } = (await editor.read('testimonial-td')) as { quote: string }
  await editor.openDocument('testimonial', 'testimonial-td')
  const words = editor.field('quote').getByRole('textbox')
  for (const text of ['First other words.', 'Second other words.']) {
    await words.fill(text)
    await expect.poll(() => editor.read('drafts.testimonial-td')).toMatchObject({ quote: text })
    await editor.publishButton.click()
    await expect.poll(() => editor.read('testimonial-td')).toMatchObject({ quote: text })
  }
  await expect.poll(() => says('Second other words.'), built).toBe(true)

  await studio.getByTestId('pane-context-menu-button').last().click()
  await studio.getByRole('menuitem', { name: 'History' }).click()
  const entries = studio.getByTestId('timeline-item-button')
  await expect(entries).toHaveCount(3)
  await entries.nth(1).click()
  await expect(words).toHaveValue('First other words.')
  await entries.nth(2).click()
  await expect(words).toHaveValue(quote)
  await studio.screenshot({ path: info.outputPath('history.png') })
  await studio.getByRole('button', { name: 'Revert to revision' }).click()
  await studio.getByTestId('confirm-popover-confirm-button').click()
  await expect.poll(() => editor.read('drafts.testimonial-td')).toMatchObject({ quote })
  await editor.publishButton.click()
  await expect.poll(() => says('Second other words.'), built).toBe(false)
  expect(await editor.read('testimonial-td')).toMatchObject({ quote })
})
