/** The emoji of the text are drawn by our own font wherever a visitor meets them, whatever fonts the machine has. */
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { paidBuyer } from './buyer.ts'
import { choose } from './funnel.ts'
import { callFrom, PASSWORD } from './members.ts'

/** The fonts that the browser took for the text of an element, and how many signs each drew. */
async function fontsOf(page: Page, element: Locator): Promise<Record<string, number>> {
  const mark = `font-${Math.random().toString(36).slice(2)}`
  await element.evaluate((node, name) => node.setAttribute('data-seen', name), mark)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('DOM.enable')
  await devtools.send('CSS.enable')
  const { root } = await devtools.send('DOM.getDocument')
  const { nodeId } = await devtools.send('DOM.querySelector', {
    nodeId: root.nodeId,
    selector: `[data-seen="${mark}"]`,
  })
  const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId })
  await devtools.detach()
  return Object.fromEntries(fonts.map(({ familyName, glyphCount }) => [familyName, glyphCount]))
}

/** Asserts that the one emoji in each of these elements is drawn by our font, and says which were seen. */
async function drawn(page: Page, elements: Locator): Promise<string[]> {
  await expect(elements.first()).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  for (const element of await elements.all()) {
    await expect.poll(() => fontsOf(page, element)).toMatchObject({ 'Eye funnel emoji': expect.any(Number) })
  }
  // the text itself stays: for readers and for copying
  return (await elements.allTextContents()).map((text) => text.match(/\p{Extended_Pictographic}/u)?.[0] ?? '')
}

test('S-09 the emoji of every feedback is drawn', async ({ page }) => {
  await page.goto('/quiz?step=9')
  const seen: string[] = []
  for (const label of ['Less than 2 hours', '2-4 hours', '4-8 hours', 'More than 8 hours']) {
    await choose(page, label)
    seen.push(...(await drawn(page, page.locator('.feedback-title'))))
  }
  expect(seen).toEqual(['🌟', '👍', '⚠', '🚨'])
})

test('U-01 A-03 A-05 the emoji of add-ons, receipt and guides are drawn, small and large', async ({ page }) => {
  const { sessionId } = await paidBuyer(page)
  await page.goto(`/multi-upsell/${sessionId}`)
  expect(await drawn(page, page.locator('.cover > span'))).toEqual(['🎁', '📱', '🖥', '⏱', '💡', '👓'])
  await page.getByRole('button', { name: 'Add to my order' }).click()
  await page.waitForURL(/\/user-creation\//)
  const twice = { password: PASSWORD, passwordConfirmation: PASSWORD }
  expect((await callFrom(page, 'POST', `/api/sessions/${sessionId}/account`, twice)).status).toBe(200)
  await page.goto(`/thank-you/${sessionId}`)
  expect(await drawn(page, page.locator('.cover > span'))).toEqual(['👁', '🎁'])
  await page.goto('/app/')
  expect(await drawn(page, page.locator('.guides .cover > span'))).toContain('💡')
  await page.goto('/app/guide/guide_habits')
  expect(await drawn(page, page.locator('.cover > span'))).toEqual(['⏱'])
})
