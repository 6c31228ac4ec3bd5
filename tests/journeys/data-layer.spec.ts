/** T-01, T-03, T-04: what the pages push onto the data layer, when, and that none of it can block a visitor. */
import type { BrowserContext } from '@playwright/test'
import { expect, FREE_PAYPAL_TRIAL, test } from '../support/journey.ts'
import { fillCard, openPayment, pay, walkQuiz } from './funnel.ts'
import { answeredPaypal, atCheckout, newEmail, paid, paidOnce, prepared } from './prepared.ts'

test.use({ serviceEnv: FREE_PAYPAL_TRIAL })

type Push = Record<string, unknown> & { event: string }

/** Everything pushed in this browser, on whichever page. */
async function watchDataLayer(context: BrowserContext): Promise<Push[]> {
  const pushed: Push[] = []
  await context.exposeFunction('notePush', (text: string) => void pushed.push(...(JSON.parse(text) as Push[])))
  await context.addInitScript(() => {
    // an event's id takes its time, as on a slow phone: nothing may leave the page before it is pushed
    const digest = crypto.subtle.digest.bind(crypto.subtle)
    crypto.subtle.digest = (...all) => new Promise((give) => setTimeout(give, 700)).then(() => digest(...all))
    const layer: unknown[] = []
    layer.push = (...all) => {
      ;(window as unknown as { notePush(text: string): void }).notePush(JSON.stringify(all))
      return Array.prototype.push.apply(layer, all)
    }
    Object.assign(window, { dataLayer: layer })
  })
  return pushed
}

const of = (pushed: readonly Push[], event: string): object[] =>
  pushed.filter((one) => one.event === event).map(({ event_id: _, ...rest }) => rest)

test('T-01 T-03 from quiz to add-ons every event is pushed once, with its value and nothing personal', async ({
  page,
  context,
}) => {
  const pushed = await watchDataLayer(context)
  const email = newEmail()
  const sessionId = await walkQuiz(page, { email, price: '$9' })
  await openPayment(page)
  await fillCard(page)
  await pay(page)
  await page.waitForURL(`**/multi-upsell/${sessionId}`)
  await expect.poll(() => of(pushed, 'page_view')).toContainEqual({ event: 'page_view', page: 'multi-upsell' })

  const steps = of(pushed, 'quiz_progress').map((one) => (one as { step: string }).step)
  // Welcome may be left before the script that measures has come
  const numbered = Array.from({ length: 33 }, (_, index) => `${index + 1}`)
  expect(steps).toEqual(steps[0] === 'Welcome' ? ['Welcome', ...numbered] : numbered)
  expect(of(pushed, 'Lead')).toEqual([{ event: 'Lead' }])
  expect(of(pushed, 'InitiateCheckout')).toEqual([{ event: 'InitiateCheckout', value: 9, currency: 'USD' }])
  expect(of(pushed, 'Purchase')).toEqual([
    { event: 'Purchase', value: 9, currency: 'USD', content_name: '3-day trial ($9)' },
  ])
  expect(of(pushed, 'Subscribe')).toEqual([{ event: 'Subscribe', value: 39, currency: 'USD' }])
  expect(of(pushed, 'page_view')).toEqual([
    { event: 'page_view', page: 'checkout' },
    { event: 'page_view', page: 'multi-upsell' },
  ])
  expect(JSON.stringify(pushed)).not.toMatch(new RegExp(`${email}|${sessionId}|Daily|blurry`))
})

test('C-16 T-03 payment_success=true pushes the purchase that was made, once, also after a reload', async ({
  page,
  context,
  stack,
}) => {
  const pushed = await watchDataLayer(context)
  const { sessionId } = await paid(page, stack, { price: 5 })
  // the page's tier has changed since
  await page.goto('/legal/privacy')
  await page.evaluate(() => localStorage.setItem('quiz_answers', JSON.stringify({ selectedPrice: 17.67 })))
  for (let time = 0; time < 2; time++) {
    await page.goto(`/checkout/${sessionId}?payment_success=true`)
    await page.waitForURL(`**/multi-upsell/${sessionId}`)
  }
  await expect.poll(() => of(pushed, 'Purchase')).toHaveLength(1)
  expect(of(pushed, 'Purchase')).toMatchObject([{ value: 5, content_name: '3-day trial ($5)' }])
})

test('P-06 T-03 a PayPal set-up for nothing today is a purchase of value 0 and a subscription', async ({
  page,
  context,
  stack,
}) => {
  const pushed = await watchDataLayer(context)
  const { sessionId } = await prepared(page, { price: 5 })
  const query = await answeredPaypal(page, stack, sessionId, 'trial_5', 'complete', true)
  await page.addInitScript((id) => localStorage.setItem('quiz_session_id', id), sessionId)
  await page.goto(`/paypal-setup-return/${sessionId}${query}`)
  await page.waitForURL(`**/multi-upsell/${sessionId}`)
  await expect.poll(() => of(pushed, 'Purchase')).toMatchObject([{ value: 0, content_name: '3-day trial ($5)' }])
  await expect.poll(() => of(pushed, 'Subscribe')).toMatchObject([{ value: 39 }])
})

test('T-04 beacons that are cut and a data layer that throws neither stop nor show: the trial is paid as ever', async ({
  page,
  stack,
  expectTrouble,
}) => {
  expectTrouble(/\/api\/track/, /ERR_FAILED/)
  await page.route('**/api/track', (route) => route.abort('failed'))
  await page.addInitScript(() => {
    Object.defineProperty(window, 'dataLayer', {
      get: () => {
        throw new Error('blocked')
      },
    })
  })
  const cut = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/track'))
  const visitor = await atCheckout(page, { price: 1 })
  await cut
  await openPayment(page)
  await fillCard(page)
  await pay(page)
  await page.waitForURL(`**/multi-upsell/${visitor.sessionId}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await paidOnce(stack, visitor, 100)
})
