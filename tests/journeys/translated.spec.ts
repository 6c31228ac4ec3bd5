/** Visitors whose browser translates the pages, as Chrome does: it puts <font> elements in the place of texts. */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { fillCard, makeAccount, openPayment, passStep, pay, startQuiz } from './funnel.ts'
import { becomeMember } from './members.ts'
import { newEmail, prepared } from './prepared.ts'

/** Translates every text into the same words, from `wait` milliseconds after the markup is there. */
async function translates(page: Page, wait: number): Promise<void> {
  await page.addInitScript((wait) => {
    const translate = (text: Text): void => {
      if (!text.data.trim() || text.parentElement?.closest('font, script, style, noscript, textarea')) return
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.append(text.data)
      outer.append(inner)
      text.replaceWith(outer)
    }
    const all = (root: Node): void => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const texts: Text[] = root instanceof Text ? [root] : []
      while (walker.nextNode()) texts.push(walker.currentNode as Text)
      texts.forEach(translate)
    }
    document.addEventListener('DOMContentLoaded', () => {
      setTimeout(() => {
        all(document.body)
        new MutationObserver((changes) => {
          for (const { type, target, addedNodes } of changes) {
            if (type === 'characterData') all(target)
            else addedNodes.forEach(all)
          }
        }).observe(document.body, { childList: true, subtree: true, characterData: true })
      }, wait)
    })
  }, wait)
}

for (const [when, wait] of [
  ['before its script has come', 0],
  ['after it', 1_000],
] as const) {
  test(`S-01 S-33 translated ${when}, the quiz is walked to the checkout`, async ({ page }) => {
    await page.clock.install()
    await translates(page, wait)
    await startQuiz(page)
    for (let step = 1; step <= 33; step++) await passStep(page, step, { email: newEmail() })
    await page.waitForURL(/\/checkout\//)
  })

  test(`C-12 C-13 P-11 U-01 U-05 A-03 translated ${when}, prices and refusals are seen as they are`, async ({
    page,
    expectTrouble,
  }) => {
    expectTrouble(/402/)
    await translates(page, wait)
    const { sessionId } = await prepared(page, { email: newEmail() })
    await page.goto(`/checkout/${sessionId}`)
    const countdown = page.getByRole('timer').first()
    const first = await countdown.innerText()
    await expect.poll(() => countdown.innerText()).not.toBe(first)
    await openPayment(page)
    await fillCard(page, { number: '4000 0000 0000 0002' })
    await pay(page)
    await expect(page.getByText('Your card was declined').first()).toBeVisible()
    await fillCard(page)
    await pay(page)
    await page.waitForURL(/\/multi-upsell\//)
    const total = page.locator('.total')
    await expect(total).toHaveText(/one-time payment\s*\$[1-9][\d.]*$/)
    const picked = page.getByRole('checkbox', { checked: true })
    while ((await picked.count()) > 0) await picked.first().click()
    await expect(total).toHaveText(/nothing picked\s*\$0$/)
    await page.getByRole('checkbox').last().click()
    await expect(total).toHaveText(/one-time payment\s*\$[1-9][\d.]*$/)
    await page.getByRole('button', { name: /^Skip/ }).click()
    await makeAccount(page, 'Sunlight')
    await makeAccount(page)
    await expect(page.getByText('Confirmation sent to')).toBeVisible()
  })

  test(`A-05 H-01 translated ${when}, the programme is listened to, cancelled and kept`, async ({ page, stack }) => {
    await translates(page, wait)
    await page.goto('/payment-error')
    await becomeMember(page, stack, newEmail())
    await page.goto('/app/day/1')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    const position = page.getByRole('slider', { name: 'Position' })
    await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThanOrEqual(2)
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await expect(page.getByText('Exercise 2 of')).toBeVisible()
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await expect(page.getByText(/\d+% heard/)).toBeVisible()
    await page.getByRole('link', { name: 'Subscription', exact: true }).click()
    await page.getByRole('button', { name: 'Cancel subscription' }).click()
    await page.getByRole('button', { name: 'Yes, cancel' }).click()
    await expect(page.getByText('Your subscription is cancelled.')).toBeVisible()
    await page.getByRole('button', { name: 'Keep my subscription' }).click()
    await expect(page.getByText('Your subscription continues.')).toBeVisible()
  })
}
