/** Taking a publish back in the real Studio: the builds of the site, by the editor's own sign-in at the publisher. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { accessibilityFaults } from '../support/axe.ts'
import { test } from '../support/editor.ts'
import { expect } from '../support/journey.ts'

const built = { timeout: 120_000 }

test('K-04 K-06 N-02 an editor takes a publish back, holds the site and lets it follow again', async ({
  page,
  stack,
  openStudio,
}, info) => {
  test.setTimeout(480_000)
  const says = async (words: string) => (await (await page.request.get('/')).text()).includes(words)
  const editor = await openStudio()
  const studio = editor.page
  const sent: string[] = []
  studio.on('request', (request) => sent.push(`${request.url()} ${request.headers()['authorization'] ?? ''}`))
  const publish = async (heading: string) => {
    await editor.mutate({ patch: { id: 'landing', set: { heading } } })
    await expect.poll(() => says(heading), built).toBe(true)
  }
  await publish('The first of three headings')
  await publish('The second of three headings')
  await publish('The third of three headings')

  await editor.openDocument('builds')
  const list = studio.getByRole('list', { name: 'Builds, the newest first' })
  const rows = list.getByRole('listitem')
  await expect(rows.first()).toContainText('Visitors see this')
  await expect(rows.first()).toContainText('landing')
  await expect(rows.first()).toContainText(/published, .* by Local token/)
  await expect(rows.first().getByRole('link', { name: 'landing' })).toHaveAttribute(
    'href',
    /\/edit\/id=landing;type=landing/,
  )
  expect(await accessibilityFaults(studio, ':has(> [aria-label="Builds, the newest first"])')).toEqual([])

  await test.step('back to the build before, with one press and one more', async () => {
    await rows
      .nth(1)
      .getByRole('button', { name: /^Go back to/ })
      .press('Enter')
    for (const width of [1440, 768]) {
      await studio.setViewportSize({ width, height: 900 })
      await studio.screenshot({ path: info.outputPath(`sure-${width}.png`) })
    }
    await rows.nth(1).getByRole('button', { name: 'Go back now; what is published waits' }).click()
    await expect(studio.getByText(/^Visitors see the build of .* and it stays$/)).toBeVisible()
    // the front door looks twenty times a second
    await expect.poll(() => says('The second of three headings')).toBe(true)
    await expect(studio.getByText(/^Held since .* by Local Editor \(editor\)/)).toBeVisible()
    await expect(rows.nth(1)).toContainText(/rolled back, .* by Local Editor \(editor\)/)
  })

  await test.step('what is published waits, and is shown once the site follows again', async () => {
    await editor.mutate({ patch: { id: 'landing', set: { heading: 'A fourth heading' } } })
    await expect(rows.first()).toContainText(/held back/, built)
    expect(await says('The second of three headings')).toBe(true)
    await studio.getByRole('button', { name: 'Follow what is published again' }).click()
    await expect(studio.getByText(/^The site shows the newest publish/)).toBeVisible()
    await expect.poll(() => says('A fourth heading')).toBe(true)
    await studio.getByRole('button', { name: 'Hold the site as it is' }).click()
    await expect(studio.getByText(/^Held since/)).toBeVisible()
    await studio.getByRole('button', { name: 'Follow what is published again' }).click()
    await expect(studio.getByText('It is replaced as soon as something is published.')).toBeVisible()
  })

  await test.step('a build that is broken, and one that is gone, are named', async () => {
    const nameOf = async (at: number) => (await rows.nth(at).getAttribute('data-build')) ?? ''
    const [broken, gone] = [await nameOf(1), await nameOf(2)]
    // the list is read again every five seconds, and would take the button away before it is pressed
    const read = Promise.withResolvers<undefined>()
    await studio.route(/\/builds$/, async (route) => {
      if (route.request().method() === 'GET') await read.promise
      await route.continue()
    })
    await rows
      .nth(1)
      .getByRole('button', { name: /^Go back to/ })
      .click()
    rmSync(join(stack.buildsDir, broken, 'index.html'))
    await rows
      .nth(1)
      .getByRole('button', { name: /^Go back now/ })
      .click()
    await expect(
      studio.getByRole('alert').filter({ hasText: `Parts of the build ${broken} are missing` }),
    ).toBeVisible()
    read.resolve(undefined)
    rmSync(join(stack.buildsDir, gone), { recursive: true })
    await expect(list.locator(`[data-build="${gone}"]`)).toContainText('Gone: no longer kept')
    await expect(list.locator(`[data-build="${broken}"]`)).toContainText('Broken: parts of it are missing')
    await expect(list.locator(`[data-build="${gone}"]`).getByRole('button')).toHaveCount(0)
    expect(await says('A fourth heading')).toBe(true)
    expect(await accessibilityFaults(studio, ':has(> [aria-label="Builds, the newest first"])')).toEqual([])
    for (const width of [1440, 768]) {
      await studio.setViewportSize({ width, height: 900 })
      await studio.screenshot({ path: info.outputPath(`builds-${width}.png`) })
    }
  })

  const asked = sent.filter(
    (one) => one.includes('/builds') && one.startsWith(stack.publisherUrl.replace('127.0.0.1', 'localhost')),
  )
  expect(asked.length).toBeGreaterThan(0)
  for (const one of asked) expect(one).toMatch(/^[^ ]+ (Bearer editor-\d+-[0-9a-f]{64})?$/)
  expect(JSON.stringify(sent)).not.toContain(stack.secrets.lakeToken)
})

test('K-04 K-06 what no publisher takes up is told in the Studio within a minute or so, until one does', async ({
  page,
  stack,
  openStudio,
}, info) => {
  test.setTimeout(480_000)
  // what it reports of its own start would come after ours
  const idle = async () => ((await (await page.request.get(stack.publisherUrl)).json()) as { state: string }).state
  await expect.poll(idle, built).toBe('live')
  const editor = await openStudio()
  const studio = editor.page
  // as if the publisher had ended before all that is there was published
  const long = '2026-01-01T00:00:00.000Z'
  const status = { _id: 'site.status', _type: 'siteStatus', state: 'live', milliseconds: 1, problems: [] }
  await editor.mutate({ createOrReplace: { ...status, at: long, goodAt: long } })
  await editor.openDocument('site-status')
  await expect(studio.getByRole('heading', { name: 'Not on the site yet' })).toBeVisible(built)
  const words = /^What was published since .* waits: the program that brings it to the site does not run/
  await expect(studio.getByText(words)).toHaveCount(2)
  const notice = studio.getByRole('alert').filter({ has: studio.getByRole('button', { name: 'Close' }) })
  await expect(notice).toContainText('Not on the site yet.')
  for (const width of [1440, 768, 390]) {
    await studio.setViewportSize({ width, height: 900 })
    await studio.screenshot({ path: info.outputPath(`waits-${width}.png`) })
  }
  expect(await accessibilityFaults(studio, '[data-broken]')).toEqual([])
  await notice.getByRole('button', { name: 'Close' }).press('Enter')
  await expect(notice).toHaveCount(0)
  // asked again, it stays closed
  await studio.waitForTimeout(21_000)
  await expect(notice).toHaveCount(0)

  await editor.mutate({ patch: { id: 'testimonial-al', set: { age: 77 } } })
  await expect(studio.getByRole('heading', { name: 'The site shows everything that is published' })).toBeVisible(built)
})
