import { randomUUID } from 'node:crypto'
import { expect, test } from '../support/journey.ts'

const FOREIGN = [/40[134]/]

test('A-03 the thank-you page of an unknown order says that it was not found, and how to go on', async ({
  page,
  axe,
  expectTrouble,
}) => {
  expectTrouble(...FOREIGN)
  await page.goto(`/thank-you/${randomUUID()}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We could not find this order')
  const main = page.getByRole('main')
  await expect(main).not.toContainText('Priceless')
  await expect(main).not.toContainText('Your eyes are in good hands')
  await expect(main.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/app/')
  await expect(main.getByRole('button', { name: 'Email me a link to my plan' })).toBeVisible()
  await expect(main.getByRole('link', { name: 'Take the quiz' })).toBeVisible()
  await axe()
})

test('A-03 the thank-you page without an id and without a visit has no order to show either', async ({ page }) => {
  await page.goto('/thank-you')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We could not find this order')
  await expect(page.getByRole('main')).not.toContainText('Priceless')
})

test('P-11 C-02 the checkout names what is missing: the id of a visit, or the visit of an id', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(...FOREIGN)
  await page.goto('/checkout/unknown')
  await expect(page.getByRole('main')).toContainText('Session ID not found')
  await page.goto(`/checkout/${randomUUID()}`)
  await expect(page.getByRole('main')).toContainText('Session information missing.')
  await expect(page.getByRole('link', { name: 'Take the quiz' })).toBeVisible()
})

test('O-01 O-02 an offer under an unknown id is not made: no visit is begun and no price is shown', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(...FOREIGN)
  const made: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === '/api/sessions') made.push(request.url())
  })
  for (const path of ['special-offer-intro', 'special-offer-details']) {
    await page.goto(`/${path}/${randomUUID()}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('We cannot open this page here')
    await expect(page.getByRole('main')).not.toContainText('$19')
    // an invalid id leads to no offer either
    await page.goto(`/${path}/unknown`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('We cannot open this page here')
    await expect(page.getByRole('main')).not.toContainText('$19')
  }
  expect(made).toEqual([])
})
