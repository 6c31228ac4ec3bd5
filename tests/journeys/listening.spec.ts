/** Five minutes of listening, with a phone that is put down and a network that goes. */
import { expect, test } from '../support/journey.ts'
import { becomeMember } from './members.ts'
import { newEmail } from './prepared.ts'

declare global {
  interface Window {
    /** What the page holds to keep the screen on. */
    locks: WakeLockSentinel[]
  }
}

let sessionId: string

test.beforeEach(async ({ page, context, stack }) => {
  // a headless browser has no screen to ask somebody about
  await context.grantPermissions(['screen-wake-lock'])
  await page.addInitScript(() => {
    window.locks = []
    const { request } = WakeLock.prototype
    WakeLock.prototype.request = async function (type) {
      const lock = await request.call(this, type)
      window.locks.push(lock)
      return lock
    }
  })
  await page.goto('/payment-error')
  sessionId = await becomeMember(page, stack, newEmail())
  await page.goto('/app/day/1')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
})

test('A-05 the screen stays on while a session plays, and no longer', async ({ page }) => {
  const held = () => page.evaluate(() => window.locks.map(({ released }) => !released))
  await expect.poll(held).toEqual([true])
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect.poll(held).toEqual([false])
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect.poll(held).toEqual([false, true])
  // the page is left within the app
  await page.getByRole('link', { name: 'Today', exact: true }).click()
  await expect(page.getByText('sessions listened')).toBeVisible()
})

test('A-07 what was heard offline counts once the network is back', async ({ page, context, stack, expectTrouble }) => {
  expectTrouble(/ERR_INTERNET_DISCONNECTED/)
  const heard = async () => {
    const row = await stack.db
      .selectFrom('listened_sessions')
      .innerJoin('users', 'users.auth_user_id', 'listened_sessions.user_id')
      .select('played_seconds')
      .where('users.session_id', '=', sessionId)
      .executeTakeFirst()
    return row?.played_seconds ?? 0
  }
  // the first report is believed least, and the clock runs from it
  await expect.poll(heard).toBeGreaterThanOrEqual(8)
  await context.setOffline(true)
  const before = await heard()
  const position = page.getByRole('slider', { name: 'Position' })
  await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThanOrEqual(before + 12)
  // the sound ends a moment after the press
  const failed = page.waitForEvent('requestfailed')
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await failed
  await context.setOffline(false)
  await expect.poll(heard).toBeGreaterThanOrEqual(before + 9)
})

test('A-05 the position follows every key while the sound is still on its way', async ({ page }) => {
  const sound = Promise.withResolvers<void>()
  await page.route('**/api/programme/days/1/audio', async (route) => {
    await sound.promise
    await route.continue()
  })
  await page.reload()
  const position = page.getByRole('slider', { name: 'Position' })
  for (const second of ['1', '2', '3']) {
    await position.press('ArrowRight')
    await expect(position).toHaveValue(second)
  }
  sound.resolve()
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThanOrEqual(4)
})
