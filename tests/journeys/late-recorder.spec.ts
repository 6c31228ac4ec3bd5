/** The recorder of events arrives after the page: on a slow network later than a visitor's first press. */
import { expect, test } from '../support/journey.ts'
import { openPayment } from './funnel.ts'
import { atCheckout } from './prepared.ts'

test('C-15 D-09 a visitor who closes the payment before the recorder has loaded is marked all the same', async ({
  page,
  stack,
}) => {
  const { promise: late, resolve: arrives } = Promise.withResolvers<void>()
  await page.route('**/_astro/outgoing.*.js', async (route) => {
    await late
    await route.continue()
  })
  const { sessionId: id } = await atCheckout(page)
  await openPayment(page)
  await page.getByRole('button', { name: 'Close' }).click()
  // a page that waits for nobody is gone by now
  await page.evaluate(() => new Promise((resume) => setTimeout(resume, 1_500))).catch(() => undefined)
  arrives()
  await page.waitForURL(`**/special-offer-intro/${id}`)
  const left = () =>
    stack.db.selectFrom('sessions').select('exit_intent_at').where('id', '=', id).executeTakeFirstOrThrow()
  await expect.poll(async () => (await left()).exit_intent_at).not.toBeNull()
})
