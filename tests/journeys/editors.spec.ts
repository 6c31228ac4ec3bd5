/** Editors at work in the real Studio, on the embedded content lake, with no network but this machine's. */
import type { Page } from '@playwright/test'
import { expect } from '../support/journey.ts'
import { test } from '../support/editor.ts'
import { root } from '../../scripts/settings.ts'

const html = async (page: Page, path: string): Promise<string> => (await page.request.get(path)).text()
/** Whether a page of the built site contains these words; pages are too long to print on failure. */
const says = async (page: Page, path: string, words: string | RegExp): Promise<boolean> =>
  (await html(page, path)).search(words instanceof RegExp ? words : new RegExp(words)) >= 0
const built = { timeout: 120_000 }

test('K-01 K-03 K-04 words change in the preview while typed, and on the site once published', async ({
  page,
  stack,
  openStudio,
}) => {
  test.setTimeout(480_000)
  const editor = await openStudio()
  const preview = await editor.openPreview('/quiz?step=1')
  const heading = preview.getByRole('heading', { level: 1 })

  await test.step('the first step of the quiz, opened by a click on its words', async () => {
    const title = await editor.openByClick(heading, 'steps[_key=="eye-color"].title')
    await title.press('End')
    await title.pressSequentially('!')
    await expect(heading).toContainText('color?!')
    await title.fill('Which color are your eyes?')
    await expect(heading).toHaveText('Which color are your eyes?')
  })

  await test.step('a testimonial', async () => {
    await editor.openPreview('/quiz?step=32')
    const quote = await editor.openByClick(preview.getByText('The voice is calm'), 'quote')
    await quote.fill('The voice is friendly and there is nothing to set up.')
    await expect(preview.getByText('The voice is friendly')).toBeVisible()
  })

  await test.step('visitors see nothing of it before it is published', async () => {
    expect(await says(page, '/quiz', /Which color are your eyes|The voice is friendly/)).toBe(false)
    expect(await says(page, '/quiz', /data-sanity|draft-data|visual-editing/)).toBe(false)
    const draft = await page.request.get(`${stack.previewUrl}/quiz`)
    expect(draft.headers()['x-robots-tag']).toContain('noindex')
    expect(draft.headers()['content-security-policy']).toContain(`frame-ancestors 'self' ${stack.studioUrl}`)
  })

  await editor.publish()
  await editor.openDocument('quiz')
  await Promise.all([
    editor.publish(),
    expect(editor.page.getByText('Published: the site is being built.')).toBeVisible(built),
  ])
  await expect(editor.page.getByText('Published: the site shows it now.')).toBeVisible(built)
  await expect.poll(() => says(page, '/quiz', 'Which color are your eyes'), built).toBe(true)
  expect(await says(page, '/quiz', 'The voice is friendly')).toBe(true)
  await page.goto('/quiz?step=1')
  await expect(page.getByRole('heading', { name: 'Which color are your eyes?' })).toBeVisible()
})

test('K-04 every page can be previewed, on a phone too, without the payments service', async ({ page, stack }) => {
  for (const [path, words, type] of [
    ['/', /Eye Health/, 'landing'],
    ['/quiz?step=23', /Congrats/, 'quiz'],
    ['/quiz?step=33', /Trial Price/, 'quiz'],
    ['/checkout/preview', /plan is ready/, 'checkout'],
    ['/special-offer-intro/preview', /./, 'offer'],
    ['/special-offer-details/preview', /./, 'offer'],
    ['/multi-upsell/preview', /./, 'upsell'],
    ['/user-creation/preview', /./, 'account'],
    ['/thank-you/preview', /./, 'account'],
    ['/legal/privacy', /Privacy/, 'legalPage'],
    ['/women-over60', /./, 'advertorial'],
  ] as const) {
    await page.goto(stack.previewUrl + path)
    await expect(page.getByRole('heading', { level: 1 }).filter({ hasText: words })).toBeVisible()
    // marked for the Studio's overlays, by the browser or by the server alike: not the words of the settings alone
    await expect(page.locator(`main [data-sanity*="type=${type};"]`).first(), path).toBeAttached()
    expect(new URL(page.url()).pathname, 'no page sends its reader on').toBe(path.split('?')[0])
  }
})

/**
 * One more text than the title for each kind of step, as a path in the document: what an editor is likely to change.
 */
const ALSO: Readonly<Record<string, string>> = {
  questionStep: 'options[0].label',
  infoStep: 'facts[0].text',
  loaderStep: 'messages[0]',
  emailStep: 'note',
  riskStep: 'strainItems[0]',
  summaryStep: 'warningText',
  recoveryStep: 'label',
  planStep: 'bullets[0]',
  timelineStep: 'weeks[0].title',
  pressStep: 'button',
  testimonialsStep: 'button',
  priceStep: 'intro',
}

test('K-04 S-01 S-07 S-23 S-26 S-33 a draft of any kind of step shows in the real page, marked', async ({
  page,
  stack,
  openStudio,
}) => {
  test.setTimeout(480_000)
  const editor = await openStudio()
  const quiz = (await editor.read('quiz')) as { steps: { _key: string; _type: string; messages: string[] }[] }
  expect(new Set(quiz.steps.map(({ _type }) => _type))).toEqual(new Set(Object.keys(ALSO)))
  // a loader moves on by itself: each stays as long as it may, with one message
  const steps = quiz.steps.map((step) =>
    step._type === 'loaderStep' ? { ...step, messages: step.messages.slice(0, 1), durationMs: 20_000 } : step,
  )
  const draft = { ...quiz, _id: 'drafts.quiz', steps }
  await editor.mutate({ createOrReplace: draft })
  const heading = page.getByRole('main').getByRole('heading', { level: 1 })
  const seen = new Set<string>()

  for (const [index, { _key, _type }] of quiz.steps.entries()) {
    const at = `steps[_key=="${_key}"]`
    await test.step(`${index + 1}, ${_type}`, async () => {
      await page.goto(`${stack.previewUrl}/quiz?step=${index + 1}`)
      await expect(heading).toBeVisible()
      // the page is open while its text changes
      const title = `Draft of step ${index + 1}`
      const first = !seen.has(_type)
      seen.add(_type)
      const also = `Also changed in ${_key}`
      await editor.mutate({
        patch: {
          id: 'drafts.quiz',
          set: { [`${at}.title`]: title, ...(first ? { [`${at}.${ALSO[_type]}`]: also } : {}) },
        },
      })
      await expect(heading).toHaveText(title)
      const marked = page.locator(`main [data-sanity*="${_key}"]`)
      await expect(marked.first()).toBeAttached()
      if (first) await expect(page.getByRole('main').getByText(also).first()).toBeVisible()
    })
  }
  await test.step('Welcome', async () => {
    await page.goto(`${stack.previewUrl}/quiz?step=Welcome`)
    await editor.mutate({ patch: { id: 'drafts.quiz', set: { 'welcome.title': 'Draft of the welcome' } } })
    await expect(heading).toHaveText('Draft of the welcome')
  })
  // visitors still see the published version
  expect(await says(page, '/quiz', /Draft of|Also changed/)).toBe(false)
})

test('K-05 a broken quiz cannot be published, and the Studio says what is wrong', async ({ page, openStudio }) => {
  const editor = await openStudio()
  // a computer that is so busy that no idle moment ever comes
  await editor.page.addInitScript(() => {
    window.requestIdleCallback = (callback, options) =>
      options?.timeout === undefined ? 0 : setTimeout(callback, options.timeout)
  })
  await editor.openField('quiz', 'quiz', 'steps[_key=="symptom-timing"].storageKey')
  const key = editor.field('steps[_key=="symptom-timing"].storageKey').getByRole('textbox')
  // what visitors have answered under is changed on purpose only
  await expect(key).not.toBeEditable()
  await editor
    .field('steps[_key=="symptom-timing"].storageKey')
    .getByRole('button', { name: 'Change it anyway' })
    .press('Enter')
  await key.fill('symptoms')
  await expect(editor.publishButton).toBeDisabled()
  await expect(
    editor.page.getByRole('dialog').getByText(/“symptoms” is the name of the answer of step 2, “Any symptoms/),
  ).toBeVisible()
  await key.fill('symptomTiming')
  await expect(editor.publishButton).toBeEnabled()
  // times are typed in seconds, as editors speak of them
  await editor.openField('quiz', 'quiz', 'steps[_key=="generation-loader"].durationMs')
  const seconds = editor.field('steps[_key=="generation-loader"].durationMs').getByRole('spinbutton')
  await expect(seconds).toHaveValue('6.5')
  await seconds.fill('7.25')
  const stored = () => editor.read('drafts.quiz') as Promise<{ steps: { _key: string; durationMs?: number }[] }>
  await expect
    .poll(async () => (await stored()).steps.find(({ _key }) => _key === 'generation-loader')?.durationMs)
    .toBe(7250)
  await seconds.fill('45')
  await expect(editor.page.getByRole('dialog').getByText('Between 0.5 and 20 seconds.')).toBeVisible()
  expect((await page.request.get('/quiz')).ok()).toBe(true)
})

test('K-05 K-06 content broken past the Studio keeps the old site, and editors read what and where', async ({
  page,
  stack,
  openStudio,
}) => {
  test.setTimeout(480_000)
  const editor = await openStudio()
  await editor.openDocument('landing')
  const before = await html(page, '/')
  await editor.mutate({ patch: { id: 'landing', unset: ['heading'] } })
  const alert = editor.page.getByRole('alert').filter({ hasText: 'Not on the site' })
  await expect(alert.getByRole('link')).toHaveText('Landing page / Heading', built)
  expect((await html(page, '/')) === before).toBe(true)
  expect(await (await page.request.get(stack.publisherUrl)).json()).toMatchObject({
    state: 'broken',
    problems: [{ documentId: 'landing', documentType: 'landing', path: 'heading' }],
  })
  await editor.mutate({ patch: { id: 'landing', set: { heading: 'Rest your eyes' } } })
  await expect.poll(() => says(page, '/', 'Rest your eyes'), built).toBe(true)
  await expect(alert).toBeHidden()
})

test('K-01 K-04 K-05 a picture is published once it is uploaded, not before, and copied into the site', async ({
  page,
  openStudio,
}) => {
  test.setTimeout(480_000)
  const editor = await openStudio()
  // with the list of what is wrong beside it
  await editor.openDocument(
    'testimonial',
    `testimonial-rp,inspect=${encodeURIComponent('sanity/structure/validation')}`,
  )
  let arrive = (): void => undefined
  const held = new Promise<void>((done) => (arrive = done))
  await editor.page.route(/\/assets\/images\//, async (route) => {
    if (route.request().method() === 'POST') await held
    await route.continue()
  })
  await editor.page.locator('input[type=file]').setInputFiles(`${root}/public/icon-192.png`)
  const picture = async () =>
    ((await editor.read('drafts.testimonial-rp')) as { picture?: object } | undefined)?.picture
  await expect.poll(picture).toMatchObject({ _upload: {} })
  const waiting = editor.page.getByRole('button', { name: /This is still being uploaded/ })
  await expect(waiting).toBeVisible()
  await expect(editor.publishButton).toBeDisabled()
  arrive()
  await expect.poll(picture).toMatchObject({ asset: { _ref: expect.stringContaining('image-') as unknown } })
  await expect(waiting).toBeHidden()
  await editor.publish()
  await expect.poll(() => says(page, '/quiz', /_astro\/[^"&]+\.webp/), built).toBe(true)
  await page.goto('/quiz?step=32')
  const face = page.getByRole('figure').filter({ hasText: 'R. P.' }).locator('img')
  await expect(face).toBeVisible()
  await expect.poll(() => face.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
})

test('K-03 two editors in one document see each other, and nothing of either is lost', async ({ openStudio }) => {
  const [one, two] = [await openStudio(), await openStudio()]
  for (const editor of [one, two]) await editor.openDocument('testimonial', 'testimonial-al')
  const words = (editor: typeof one, field: string) => editor.field(field).getByRole('textbox')
  await words(one, 'quote').fill('Clear, large, slow and kind.')
  await expect(words(two, 'quote')).toHaveValue('Clear, large, slow and kind.', built)
  // at the same time, in different fields
  await Promise.all([words(one, 'quote').pressSequentially(' Always.'), words(two, 'place').fill('Maine')])
  for (const editor of [one, two]) {
    await expect(words(editor, 'quote')).toHaveValue('Clear, large, slow and kind. Always.')
    await expect(words(editor, 'place')).toHaveValue('Maine')
  }
  await expect
    .poll(() => one.read('drafts.testimonial-al'))
    .toMatchObject({ quote: 'Clear, large, slow and kind. Always.', place: 'Maine' })
})
