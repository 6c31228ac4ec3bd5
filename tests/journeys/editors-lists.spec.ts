/** Lists in the real Studio: a question is added to the checkout's, an option of the quiz is moved by the keyboard. */
import { test } from '../support/editor.ts'
import { expect } from '../support/journey.ts'

const built = { timeout: 120_000 }

test('C-09 K-01 K-04 a question is added to the checkout, previewed, and on the site once published', async ({
  page,
  stack,
  openStudio,
}, info) => {
  test.setTimeout(480_000)
  const editor = await openStudio()
  const studio = editor.page
  await editor.openDocument('checkout')
  await studio.getByRole('tab', { name: 'Trust', exact: true }).click()
  await studio.getByText('One is open at a time. Drag to change the order.').scrollIntoViewIfNeeded()
  await editor.field('faq').getByRole('button', { name: 'Add item' }).click()
  const dialog = studio.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Question' }).fill('May I use {product} with glasses?')
  await dialog.getByRole('textbox', { name: 'Answer' }).fill('Yes, wear them as you always do.')
  await studio.screenshot({ path: info.outputPath('question.png') })
  await studio.keyboard.press('Escape')
  await expect(editor.field('faq').getByText('May I use {product} with glasses?')).toBeVisible()
  await page.goto(`${stack.previewUrl}/checkout/preview`)
  const question = page.getByText(/^May I use \w+ with glasses\?$/)
  await expect(question).toBeVisible()
  await editor.publish()
  const says = async () => (await (await page.request.get('/checkout')).text()).includes('with glasses?')
  await expect.poll(says, built).toBe(true)
})

test('K-01 K-04 Q-14 an option is moved by the keyboard alone, and is counted as before', async ({
  page,
  stack,
  openStudio,
}) => {
  test.setTimeout(480_000)
  const editor = await openStudio()
  const studio = editor.page
  type Quiz = { steps: { _key: string; options: { label: string; value: string }[] }[] }
  const options = async (id: string) =>
    ((await editor.read(id)) as Quiz | undefined)?.steps
      .find(({ _key }) => _key === 'symptoms')
      ?.options.map(({ label, value }) => [label, value])
  const before = (await options('quiz')) ?? []
  const [first, second, ...others] = before
  await editor.openField('quiz', 'quiz', 'steps[_key=="symptoms"].title')
  const list = editor.field('steps[_key=="symptoms"].options')
  // Sanity gives it no name
  const handle = list.locator('button:has([data-sanity-icon="drag-handle"])').first()
  await handle.scrollIntoViewIfNeeded()
  await handle.focus()
  // what a screen reader is told of each key
  const told = list.getByRole('status')
  await studio.keyboard.press('Space')
  await expect(told).toContainText(`was moved over droppable area ${first?.[1]}`)
  await studio.keyboard.press('ArrowDown')
  await expect(told).toContainText(`was moved over droppable area ${second?.[1]}`)
  await studio.keyboard.press('Space')
  await expect.poll(() => options('drafts.quiz')).toEqual([second, first, ...others])
  await page.goto(`${stack.previewUrl}/quiz?step=2`)
  await expect(page.getByRole('group').getByRole('button').first()).toHaveAccessibleName(
    new RegExp(`^${second?.[0]}`, 'i'),
  )
})
