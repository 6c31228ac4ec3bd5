/**
 * What holds for every page: the policy does not break it, no error goes unnoticed, addresses lead where they should.
 */
import { expect, test } from '../support/journey.ts'

for (const path of ['/', '/quiz?step=Welcome', '/quiz?step=1']) {
  test(`N-02 ${path} loads under the production policy, from this origin alone`, async ({ page, stack }) => {
    const foreign: string[] = []
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url())
      if (protocol.startsWith('http') && origin !== stack.url) foreign.push(request.url())
    })
    const answer = await page.goto(path, { waitUntil: 'networkidle' })
    expect(answer?.status()).toBe(200)
    expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'")
    await expect(page.getByRole('heading').first()).toBeVisible()
    expect(foreign).toEqual([])
  })
}

test('G-01 an unknown legal page says so with status 404', async ({ page, expectTrouble }) => {
  expectTrouble(/404/)
  const answer = await page.goto('/legal/nothing-like-this')
  expect(answer?.status()).toBe(404)
})

test('the service is ready behind the front door, and an unknown address of it is a stable code', async ({
  request,
}) => {
  expect((await request.get('/api/config')).ok()).toBe(true)
  const unknown = await request.get('/api/nothing')
  expect(unknown.status()).toBe(404)
  expect(await unknown.json()).toMatchObject({ error: { code: 'not_found' } })
})
