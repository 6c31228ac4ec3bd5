/** Releases in the real Studio: changes of several documents under a name, checked as a whole, live by one swap. */
import { spawnSync } from 'node:child_process'
import type { Locator, Page } from '@playwright/test'
import { root } from '../../scripts/settings.ts'
import { accessibilityFaults } from '../support/axe.ts'
import { test } from '../support/editor.ts'
import { expect } from '../support/journey.ts'

const built = { timeout: 120_000 }

/** Presses a button of the release's bar; resolves to the button that confirms it. */
async function pressed(studio: Page, name: 'Run release' | 'Schedule release'): Promise<Locator> {
  const confirm = studio.getByRole('dialog').getByRole('button', { name: name === 'Run release' ? name : /schedule/i })
  // the Studio draws its bar anew once it has validated, and a press in that moment is lost
  await expect(async () => {
    if (!(await confirm.last().isVisible())) await studio.getByRole('button', { name }).click({ timeout: 60_000 })
    await expect(confirm.last()).toBeVisible({ timeout: 10_000 })
  }).toPass()
  return confirm.last()
}

test('K-04 K-05 a release of several documents is checked as a whole and goes live at once, unseen before', async ({
  page,
  stack,
  openStudio,
}, info) => {
  test.setTimeout(480_000)
  const says = async (path: string, words: string) => (await (await page.request.get(path)).text()).includes(words)
  const editor = await openStudio()
  const studio = editor.page
  await studio.goto(`${stack.studioUrl}/releases`)
  await studio.getByRole('button', { name: 'New release' }).click()
  await studio.getByTestId('release-form-title').fill('Spring')
  await studio.getByTestId('submit-release-button').click()
  await studio.waitForURL(/\/releases\/r\w+/)
  const name = /\/releases\/(r\w+)/.exec(studio.url())?.[1] ?? ''

  await test.step('a page of the site, edited in the release', async () => {
    await studio.goto(`${stack.studioUrl}/structure/landing?perspective=${name}`)
    await studio.getByRole('button', { name: 'Add to release' }).click()
    const heading = editor.field('heading').getByRole('textbox')
    await expect(heading).toBeEditable()
    await heading.fill('Released: rest your eyes')
    await expect
      .poll(() => editor.read(`versions.${name}.landing`))
      .toMatchObject({ heading: 'Released: rest your eyes' })
  })

  const { steps, ...quiz } = (await editor.read('quiz')) as { steps: { _key: string; title: string; next?: string }[] }
  const [first, ...others] = steps as [(typeof steps)[0], ...typeof steps]
  const check = () => {
    const env = { ...process.env, SANITY_API_HOST: stack.lakeUrl, SANITY_PROJECT_ID: 'local0001' }
    const args = ['studio/check/main.ts', '--release', name]
    const token = { SANITY_TOKEN: stack.secrets.lakeToken }
    return spawnSync(process.execPath, args, { cwd: root, env: { ...env, ...token }, encoding: 'utf8' })
  }
  await test.step('with another document that breaks the funnel, the whole is refused', async () => {
    const broken = { ...first, title: 'Released: which colour?', next: '77' }
    const version = { ...quiz, _id: `versions.${name}.quiz`, steps: [broken, ...others] }
    await editor.mutate({ createOrReplace: version })
    const { status, stdout } = check()
    expect(status).toBe(1)
    expect(stdout).toContain('“77” is neither a step from 1 to 33')
    await studio.goto(`${stack.studioUrl}/releases/${name}?perspective=${name}`)
    await expect(studio.getByText('Released: rest your eyes')).toBeVisible()
    const run = studio.getByRole('button', { name: 'Run release' })
    await expect(run).toBeDisabled()
    const at = `steps[_key=="${first._key}"].next`
    await editor.mutate({ patch: { id: `versions.${name}.quiz`, unset: [at] } })
    expect(check().status).toBe(0)
    await expect(run).toBeEnabled()
    expect(await says('/', 'Released: rest')).toBe(false)
    expect(await says('/quiz', 'Released: which')).toBe(false)
  })

  await test.step('the pages are previewed as of the release, and as of the drafts again', async () => {
    const at = `${stack.studioUrl}/presentation?preview=${encodeURIComponent('/quiz?step=1')}`
    const shown = studio.frameLocator('iframe').getByRole('heading', { level: 1 })
    await studio.goto(`${at}&perspective=${name}`)
    await expect(shown).toHaveText('Released: which colour?', built)
    await studio.goto(at)
    await expect(shown).toHaveText(first.title, built)
    await studio.goto(`${stack.studioUrl}/releases/${name}?perspective=${name}`)
  })

  await test.step('what only the whole shows to be broken is refused, and each fault linked', async () => {
    // the Studio's own check sees the documents of a release alone: the checkout is none of them
    const gone = ['legal-privacy', 'testimonial-ng']
    for (const id of gone) {
      const taken = { _id: `versions.${name}.${id}`, _system: { delete: true } }
      await editor.mutate({ createOrReplace: { ...((await editor.read(id)) as object), ...taken } })
    }
    const note = studio.getByRole('alert').filter({ hasText: 'with it the site would be broken' })
    // asked while it takes away what is referred to, then drawn anew: the Studio took that for a missing permission
    await studio.reload()
    await expect(studio.getByRole('button', { name: 'Run release' })).toBeEnabled(built)
    await studio.getByRole('link', { name: 'Releases' }).last().click()
    await studio.getByRole('link', { name: 'Spring' }).click()
    const confirm = await pressed(studio, 'Run release')
    await confirm.click()
    const failed = /Failed to publish.*the site would be broken in 2 places, which the note names/
    await expect(studio.getByText(failed).first()).toBeVisible(built)
    await expect(note.getByRole('link')).toHaveText(['Legal page', /^Checkout \/ Testimonials \/ \d$/])
    await expect(note).toContainText('/legal/privacy is missing or not published')
    for (const width of [1440, 768]) {
      await studio.setViewportSize({ width, height: 900 })
      await studio.screenshot({ path: info.outputPath(`refused-${width}.png`) })
    }
    await studio.setViewportSize({ width: 1440, height: 900 })
    expect(await accessibilityFaults(studio, '[role="alert"][data-broken]')).toEqual([])
    expect(await editor.read(`_.releases.${name}`)).toMatchObject({ state: 'active' })
    await note.getByRole('link', { name: /Checkout/ }).press('Enter')
    await expect(editor.field('testimonials')).toBeVisible()
    expect(new URL(studio.url()).searchParams.get('perspective')).toBe(name)
    await note.getByRole('button', { name: 'Close' }).click()
    await expect(note).toBeHidden()
    await editor.mutate(...gone.map((id) => ({ delete: { id: `versions.${name}.${id}` } })))
    await studio.goto(`${stack.studioUrl}/releases/${name}?perspective=${name}`)
  })

  await test.step('published by one button, both are on the site with one build', async () => {
    const confirm = await pressed(studio, 'Run release')
    await confirm.click()
    await expect.poll(() => says('/', 'Released: rest'), built).toBe(true)
    // one swap: whoever sees the one sees the other
    expect(await says('/quiz', 'Released: which')).toBe(true)
    expect(await editor.read(`_.releases.${name}`)).toMatchObject({ state: 'published' })
    expect(await editor.read(`versions.${name}.landing`)).toBeUndefined()
  })
  expect(check().status).toBe(2)
})

test('K-05 a release that would break the site is not scheduled either, and the notice says where', async ({
  page,
  stack,
  openStudio,
}) => {
  const editor = await openStudio()
  const studio = editor.page
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  const metadata = { title: 'Autumn', releaseType: 'scheduled', intendedPublishAt: tomorrow }
  const act = async (action: object) => {
    const answer = await page.request.post(`${stack.lakeUrl}/v2026-03-01/data/actions/production`, {
      headers: { Authorization: `Bearer ${stack.secrets.lakeToken}` },
      data: { actions: [{ releaseId: 'rAutumn', ...action }] },
    })
    expect(answer.ok(), await answer.text()).toBe(true)
  }
  await act({ actionType: 'sanity.action.release.create', metadata })
  const privacy = (await editor.read('legal-privacy')) as object
  await editor.mutate({
    createOrReplace: { ...privacy, _id: 'versions.rAutumn.legal-privacy', _system: { delete: true } },
  })
  await studio.goto(`${stack.studioUrl}/releases/rAutumn?perspective=rAutumn`)
  const confirm = await pressed(studio, 'Schedule release')
  await confirm.click()
  const note = studio.getByRole('alert').filter({ hasText: 'with it the site would be broken' })
  await expect(note).toContainText('/legal/privacy is missing or not published', built)
  await expect(note.getByRole('link')).toHaveText(['Legal page'])
  await expect(studio.getByText(/Failed to schedule/).first()).toBeVisible()
  expect(await editor.read('_.releases.rAutumn')).toMatchObject({ state: 'active' })
  await act({ actionType: 'sanity.action.release.archive' })
  await act({ actionType: 'sanity.action.release.delete' })
})
