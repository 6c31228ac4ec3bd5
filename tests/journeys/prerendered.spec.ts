/**
 * Chrome renders an address that it expects to be opened before anybody looks at it. Under a driver it never does;
 * alone it says `prerendering` and `hidden`, and once opened it tells of both changes. The page is told the same here.
 */
import { api } from '../../contract/api.ts'
import { expect, test } from '../support/journey.ts'

test('D-08 T-01 a page that the browser prepared counts once somebody opens it, and its seconds from then on', async ({
  page,
  stack,
}) => {
  await page.addInitScript(() => {
    let preparing = true
    Object.defineProperty(document, 'prerendering', { get: () => preparing })
    Object.defineProperty(document, 'visibilityState', { get: () => (preparing ? 'hidden' : 'visible') })
    addEventListener('test-opened', () => {
      preparing = false
      document.dispatchEvent(new Event('prerenderingchange'))
      document.dispatchEvent(new Event('visibilitychange'))
    })
  })
  await page.clock.install()
  const told: string[] = []
  page.on('request', (request) => told.push(new URL(request.url()).pathname))
  const recorder = page.waitForResponse('**/_astro/page.client.*.js')
  await page.goto('/quiz?age=30-45')
  await recorder
  const session = () => page.evaluate(() => localStorage.getItem('quiz_session_id'))
  await expect.poll(session).toMatch(/^[0-9a-f-]{36}$/)
  await page.clock.runFor(20_000)
  expect(told).toContain(api.createSession.path)
  expect(told).not.toContain(api.track.path)
  expect(await page.evaluate(() => (window as { dataLayer?: unknown[] }).dataLayer ?? [])).toEqual([])

  await page.evaluate(() => dispatchEvent(new Event('test-opened')))
  await page.clock.runFor(4_000)
  const id = (await session()) as string
  const views = () =>
    stack.db
      .selectFrom('page_views')
      .innerJoin('sessions', 'sessions.key', 'page_views.session_key')
      .select(['page_views.url', 'page_views.seconds'])
      .where('sessions.id', '=', id)
      .execute()
  await expect.poll(async () => (await views()).map(({ url }) => url)).toEqual(['/quiz'])
  expect((await views())[0]?.seconds).toBeLessThan(5)
})
