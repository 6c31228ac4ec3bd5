/** What a new editor does in the real Studio: sees where a document shows, chooses a drawing, writes an article. */
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
  await expect(studio.getByRole('dialog').getByRole('textbox', { name: 'Label' })).toBeFocused()
  await expect(studio.getByRole('radiogroup', { name: 'Drawing' })).toHaveCount(0)
})

test('K-01 K-04 K-05 V-03 a new article: its faults named, its address proposed, prices chosen, published', async ({
  page,
  stack,
  openStudio,
}, info) => {
  test.setTimeout(480_000)
  const editor = await openStudio()
  const studio = editor.page
  await studio.goto(`${stack.studioUrl}/intent/create/type=advertorial;template=advertorial/`)
  const tab = (name: string) => studio.getByRole('tab', { name, exact: true }).click()
  const write = (field: string, text: string) => editor.field(field).getByRole('textbox').fill(text)
  await write('headline', 'Twenty feet away, every twenty minutes')
  await write('standfirst', 'What a short look out of the window does.')
  const id = /advertorial;([\w-]+)/.exec(decodeURIComponent(studio.url()))?.[1] ?? ''
  await write('author.name', 'Editorial team')
  await write('author.role', 'Editorial team of {product}')
  await write('author.bio', 'This article is an advertisement of {company}.')

  await test.step('a price is chosen for the text, where the caret is', async () => {
    const prices = studio.locator('details').last()
    // what is far below is drawn once it is scrolled to
    await studio.getByText('With pictures, pull quotes and invitations to the quiz.').scrollIntoViewIfNeeded()
    await studio.screenshot({ path: info.outputPath('body.png') })
    const text = studio.getByTestId('pt-editor__scroller')
    await text.click()
    await studio.keyboard.type('Look up. A month costs ')
    await prices.locator('summary').press('Enter')
    await studio.screenshot({ path: info.outputPath('placeholders.png') })
    // an article is the same for everyone
    await expect(prices.getByRole('button', { name: '{trialPrice}' })).toHaveCount(0)
    await prices.getByRole('button', { name: '{monthlyPrice}' }).press('Enter')
    await expect(text.getByRole('textbox')).toBeFocused()
    await studio.keyboard.type(' now.')
    await expect
      .poll(async () => JSON.stringify(((await editor.read(`drafts.${id}`)) as { body?: object } | undefined)?.body))
      .toContain('A month costs {monthlyPrice} now.')
    expect(await accessibilityFaults(studio, 'details[open]')).toEqual([])
  })

  await tab('Invitation')
  await write('bannerText', 'How tired are your eyes?')
  await write('bannerButton', 'Find out')
  await write('ctaText', 'Five minutes a day')
  await write('ctaButton', 'Take the quiz')

  await tab('Page')
  await expect(editor.publishButton).toBeDisabled()
  await editor.field('path').getByRole('button', { name: 'Use /twenty-feet-away-every-twenty-minutes' }).press('Enter')
  await editor
    .field('utm')
    .getByRole('button', { name: /^Use blog-/ })
    .press('Enter')
  await editor
    .field('seo')
    .getByRole('button', { name: /Search engines/ })
    .click()
  await write('seo.title', 'Look up')
  await write('seo.description', 'A short look out of the window.')
  await studio.screenshot({ path: info.outputPath('article.png') })
  await editor.publish()
  const path = '/twenty-feet-away-every-twenty-minutes'
  await expect.poll(async () => (await page.request.get(path)).status(), built).toBe(200)
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Twenty feet away, every twenty minutes')
  await expect(page.getByText(/^Look up\. A month costs \$[\d.]+ now\.$/)).toBeVisible()
})

test('G-01 K-01 K-05 a legal page keeps its address, and its new words are on the site once published', async ({
  page,
  openStudio,
}) => {
  test.setTimeout(480_000)
  const editor = await openStudio()
  await editor.openDocument('legalPage', 'legal-privacy')
  const address = editor.field('slug').getByRole('textbox')
  await address.fill('data')
  await expect(editor.publishButton).toBeDisabled()
  await expect(editor.page.getByText(/this address has to stay “privacy”/).first()).toBeVisible()
  await address.fill('privacy')
  await editor.field('description').getByRole('textbox').fill('What we keep of your visit, and how long.')
  await expect(editor.publishButton).toBeEnabled()
  await editor.publish()
  const says = async () => (await (await page.request.get('/legal/privacy')).text()).includes('What we keep of your')
  await expect.poll(says, built).toBe(true)
})
