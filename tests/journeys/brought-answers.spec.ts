import { expect, test } from '../support/journey.ts'
import { mailTo } from './members.ts'
import { prepared } from './prepared.ts'

const GIVEN = { eyeColor: 'green', symptoms: 'red,strain', digitalDevices: 'Tablet,E-reader', visualAge: '52' }

test('C-02 C-12 the page of a visit shows its own price where the browser last held another one', async ({ page }) => {
  const { sessionId } = await prepared(page, { price: 9 })
  await page.goto('/legal/contact-us')
  await page.evaluate(() => {
    localStorage.setItem('quiz_session_id', crypto.randomUUID())
    localStorage.setItem('quiz_answers', JSON.stringify({ selectedPrice: 17.67, ageGroup: '18-29' }))
  })
  await page.goto(`/checkout/${sessionId}`)
  await expect(page.locator('.price-card .price').first()).toHaveText('$9')
})

test('C-02 the answers come along into a browser that a mailed link opens, and into no other', async ({
  page,
  browser,
  stack,
}) => {
  const { sessionId, email } = await prepared(page, { price: 9 })
  const answeredAt = new Date().toISOString()
  const answers = Object.entries(GIVEN).map(([questionId, answer]) => ({ questionId, answer, answeredAt }))
  const path = `/api/sessions/${sessionId}`
  expect((await page.request.post(`${path}/answers`, { data: { answers } })).ok()).toBe(true)
  await page.request.post(`${path}/resume-link`)
  const { links } = await mailTo(stack, email, 'resume_link')
  const { pathname, hash } = new URL(links.find(({ href }) => href.includes('#resume='))?.href ?? '')

  const there = await (await browser.newContext({ baseURL: stack.url })).newPage()
  // this browser finished a visit of its own earlier, with another price
  await there.goto('/legal/contact-us')
  await there.evaluate(() => {
    localStorage.setItem('quiz_session_id', crypto.randomUUID())
    localStorage.setItem('quiz_answers', JSON.stringify({ selectedPrice: 17.67, ageGroup: '18-29' }))
  })
  const held = () => there.evaluate(() => JSON.parse(localStorage.getItem('quiz_answers') ?? '{}') as object)
  // the bare id opens nothing and carries nothing over
  await there.goto(`/checkout/${sessionId}`)
  await expect(there.getByRole('heading', { name: 'We cannot open this page here' })).toBeVisible()
  expect(await held()).toEqual({ selectedPrice: 17.67, ageGroup: '18-29' })

  await there.goto(pathname + hash)
  await there.getByRole('button', { name: 'Yes, it is my visit' }).click()
  await there.waitForURL(`**/checkout/${sessionId}**`)
  await expect(there.locator('.price-card .price').first()).toHaveText('$9')
  expect(await held()).toMatchObject({
    eyeColor: 'green',
    symptoms: ['red', 'strain'],
    digitalDevices: ['Tablet', 'E-reader'],
    visualAge: 52,
  })
  expect(await held()).not.toMatchObject({ ageGroup: '18-29' })
  await there.goto('/quiz?step=3')
  await expect(there.getByRole('main')).toContainText('Red Eyes, Eye Strain')
  await there.context().close()
})
