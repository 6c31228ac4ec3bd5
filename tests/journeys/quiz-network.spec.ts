/** What the quiz sends and keeps: offline, failing calls, several tabs, blocked or broken storage, consent. */
import type { BrowserContext, Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import type { Stack } from '../support/stack.ts'
import { atStep, choose, passStep, startQuiz } from './funnel.ts'

const idOf = (page: Page) => page.evaluate(() => localStorage.getItem('quiz_session_id'))

/** The session's id, once it exists. */
async function sessionOf(page: Page): Promise<string> {
  await expect.poll(() => idOf(page)).toMatch(/^[0-9a-f-]{36}$/)
  return (await idOf(page)) ?? ''
}

async function answersOf({ db }: Stack, sessionId: string): Promise<Record<string, string>> {
  const rows = await db.selectFrom('quiz_answers').selectAll().where('session_id', '=', sessionId).execute()
  return Object.fromEntries(rows.map((row) => [row.question_id, row.answer]))
}

/** Everything the pages of a context send to the service, as text. */
function sentFrom(context: BrowserContext): string[] {
  const sent: string[] = []
  context.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/'))
      sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`)
  })
  return sent
}

test('Q-10 Q-12 S-23 D-06 without a network the quiz reaches step 33; the answers arrive once it is back', async ({
  page,
  context,
  stack,
  expectTrouble,
}) => {
  expectTrouble(
    /ERR_INTERNET_DISCONNECTED/,
    /console: Error updating sessions table/,
    /console: Error updating payments table/,
    /console: Error updating users table/,
  )
  await page.clock.install()
  await startQuiz(page)
  const id = await sessionOf(page)
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)

  for (let step = 1; step <= 33; step++) await passStep(page, step, { email: 'far@example.test', price: '$9' })
  await expect(page.getByText('No connection right now')).toBeVisible()
  expect(Object.keys(await answersOf(stack, id))).toEqual(['ageGroup'])

  // the notice goes before the page does, or Back would bring it again
  const checkout = Promise.withResolvers<void>()
  await page.route(`**/checkout/${id}`, async (route) => {
    await checkout.promise
    await route.continue()
  })
  await context.setOffline(false)
  await expect(page.getByText('No connection right now')).toHaveCount(0)
  expect(page.url()).toContain('/quiz')
  checkout.resolve()
  await page.waitForURL(`**/checkout/${id}`)
  await expect
    .poll(async () => answersOf(stack, id))
    .toMatchObject({
      ageGroup: '30-45',
      eyeColor: 'green',
      symptoms: 'blurry,strain,headaches',
      symptomFrequency: 'Daily',
      symptomTiming: 'Evening,After extended screen time',
      visionCorrection: 'Yes, glasses',
      digitalDevices: 'Smartphone,Computer/Laptop',
      screenTime: 'More than 8 hours',
      workLighting: 'Mixed lighting conditions',
      lightSensitivity: 'Somewhat sensitive',
      screenBreaks: 'rarely take breaks',
      lastEyeExam: '1-2 years',
      eyeMedications: 'none',
      astigmatism: 'Not sure',
      exerciseTime: '5-10',
      recoverySpeed: 'Very slow',
      recoveryPosition: '15',
      selectedPrice: '9',
      eyeStrainIndex: expect.stringMatching(/^3[5-9]\.?\d?$/),
      visualAge: expect.stringMatching(/^\d\d$/),
    })
  const session = () => stack.db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
  await expect
    .poll(async () => {
      const row = await session()
      return [row?.email, row?.selected_price_cents, row?.quiz_completed_at !== null]
    })
    .toEqual(['far@example.test', 900, true])
})

test('S-23 each failed write of the e-mail step says so in the console and is tried again', async ({
  page,
  stack,
  expectTrouble,
}) => {
  expectTrouble(
    /^response: 503 PUT .*email/,
    /console: Failed to load resource/,
    /^console: Error updating sessions table/,
    /^console: Error updating payments table/,
    /^console: Error updating users table/,
  )
  await page.goto('/quiz?step=23')
  const id = await sessionOf(page)
  await page.waitForLoadState('networkidle')
  const failing = (url: URL) => /\/(payments\/|users\/)?email$/.test(url.pathname)
  await page.route(failing, (route) => route.fulfill({ status: 503, body: 'busy' }))
  await page.clock.install()
  await page.getByRole('textbox').fill('later@example.test')
  await page.getByRole('button', { name: 'SEE MY RESULTS' }).click()
  await atStep(page, 24)
  const kept = () =>
    page.evaluate(() => Object.keys(JSON.parse(localStorage.getItem('answers_outbox') ?? '{}').writes ?? {}))
  await expect.poll(kept).toEqual(['setSessionEmail', 'setPaymentsEmail', 'setUsersEmail'])
  await page.unroute(failing)
  await page.clock.fastForward(120_000)
  await expect.poll(kept).toEqual([])
  const row = await stack.db.selectFrom('sessions').select('email').where('id', '=', id).executeTakeFirst()
  expect(row?.email).toBe('later@example.test')
})

test('D-02 S-33 C-01 creating the session is tried three times; without it nothing is lost', async ({
  page,
  stack,
  expectTrouble,
}) => {
  expectTrouble(/^response: 503 POST .*\/api\/sessions/, /console: Failed to load resource/)
  const attempts: number[] = []
  let down = true
  let passed = 0
  // only this test moves the page's clock: however slow the machine, no attempt goes unseen
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.route('**/api/sessions', (route) => {
    if (!down) return route.fallback()
    attempts.push(passed)
    return route.fulfill({ status: 503, body: 'busy' })
  })
  await page.goto('/quiz?step=Welcome&age=46-59')
  const until = async (count: number): Promise<void> => {
    for (let tries = 0; attempts.length < count && tries < 200; tries++) {
      passed += 50
      await page.clock.runFor(50)
      await page.evaluate(() => fetch('/robots.txt').then((answer) => answer.text()))
    }
    expect(attempts.length).toBe(count)
  }
  await until(1)
  await until(2)
  await until(3)
  expect((attempts[1] ?? 0) - (attempts[0] ?? 0)).toBeGreaterThanOrEqual(950)
  expect((attempts[1] ?? 0) - (attempts[0] ?? 0)).toBeLessThanOrEqual(1250)
  expect((attempts[2] ?? 0) - (attempts[1] ?? 0)).toBeGreaterThanOrEqual(1950)
  expect((attempts[2] ?? 0) - (attempts[1] ?? 0)).toBeLessThanOrEqual(2250)
  await page.clock.resume()
  expect(await idOf(page)).toBeNull()

  // the funnel goes on without a session
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Start Quiz' }).click()
  await atStep(page, 1)
  await choose(page, 'Brown')
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await atStep(page, 2)
  await page.goto('/quiz?step=33')
  await choose(page, '$5')
  await page.getByRole('button', { name: 'CONTINUE' }).click()
  await page.waitForURL(({ pathname }) => pathname === '/checkout')

  // C-01: at the checkout, with the service back, the session is made and the answers are sent
  down = false
  await page.goto('/checkout')
  await page.waitForURL(/\/checkout\/[0-9a-f-]{36}$/)
  const id = await sessionOf(page)
  await expect
    .poll(() => answersOf(stack, id))
    .toMatchObject({ ageGroup: '46-59', eyeColor: 'brown', selectedPrice: '5' })
})

test('D-01 D-03 D-04 L-04 twenty tabs opened at once share one session, logged as started once', async ({
  context,
  stack,
}) => {
  const before = await stack.db.selectFrom('sessions').select('id').execute()
  const pages = await Promise.all(Array.from({ length: 20 }, () => context.newPage()))
  await Promise.all(pages.map((page, index) => page.goto(index % 2 ? '/' : '/quiz', { waitUntil: 'commit' })))
  const ids = await Promise.all(pages.map((page) => sessionOf(page)))
  expect(new Set(ids).size).toBe(1)
  await Promise.all(pages.slice(1).map((page) => page.close()))
  const after = await stack.db.selectFrom('sessions').select(['id', 'key']).execute()
  expect(after).toHaveLength(before.length + 1)
  const key = after.find(({ id }) => id === ids[0])?.key ?? ''
  const started = await stack.db.selectFrom('activities').selectAll().where('session_key', '=', key).execute()
  expect(started.filter(({ type }) => type === 'quiz_start')).toHaveLength(1)
  const [page] = pages
  if (!page) throw new Error('no page')
  await page.goto('/quiz?step=5')
  await page.waitForLoadState('networkidle')
  expect(await idOf(page)).toBe(ids[0])
})

test('Q-10 D-06 two tabs end with the last answer of each question; a closed tab loses nothing', async ({
  page,
  context,
  stack,
}) => {
  await startQuiz(page)
  const id = await sessionOf(page)
  await choose(page, 'Blue')
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  const other = await context.newPage()
  await other.goto('/quiz?step=1')
  await expect(other.getByRole('radio', { checked: true })).toHaveText(['Blue'])
  await choose(other, 'Hazel')
  await other.getByRole('button', { name: 'Next', exact: true }).click()
  await choose(other, 'Red Eyes')
  await other.getByRole('button', { name: 'Next', exact: true }).click()
  await atStep(other, 3)
  // the first tab shows what the second one saved, and adds to it
  await expect(page.getByRole('button', { name: /^Red Eyes/ })).toHaveAttribute('aria-pressed', 'true')
  await choose(page, 'Headaches')
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await atStep(page, 3)
  await expect.poll(() => answersOf(stack, id)).toMatchObject({ eyeColor: 'hazel', symptoms: 'red,headaches' })
  // a choice within its 500 ms when the tab goes
  await choose(other, 'Daily')
  await other.close({ runBeforeUnload: true })
  await expect.poll(() => answersOf(stack, id)).toMatchObject({ symptomFrequency: 'Daily' })
  const rows = await stack.db.selectFrom('quiz_answers').select('question_id').where('session_id', '=', id).execute()
  expect(rows.map(({ question_id }) => question_id).sort()).toEqual([
    'ageGroup',
    'eyeColor',
    'symptomFrequency',
    'symptoms',
  ])
})

test('D-13 health answers reach the service only between the tick and its withdrawal', async ({
  page,
  context,
  stack,
}) => {
  const sent = sentFrom(context)
  await page.goto('/quiz?step=Welcome&age=18-29')
  const id = await sessionOf(page)
  const tick = page.getByRole('checkbox')
  await expect(tick).not.toBeChecked()
  await page.getByRole('button', { name: 'Start Quiz' }).click()
  await choose(page, 'Gray')
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await choose(page, 'Red Eyes')
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await atStep(page, 3)
  await page.goto('/quiz?step=27')
  await page.getByRole('button', { name: 'Continue' }).click()
  await atStep(page, 28)
  // reloading, going offline and coming back are moments at which an outbox would be sent
  await page.reload()
  // requests that are cut off have their own test
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await context.setOffline(false)
  await page.waitForLoadState('networkidle')
  expect(sent.filter((one) => /answers|gray|red|Slow|18-29/.test(one))).toEqual([])
  expect(await answersOf(stack, id)).toEqual({})

  await page.goto('/quiz')
  await tick.check()
  await expect
    .poll(() => answersOf(stack, id))
    .toMatchObject({ eyeColor: 'gray', symptoms: 'red', recoverySpeed: 'Slow' })

  await tick.uncheck()
  await page.goto('/quiz?step=5')
  await choose(page, 'Yes, glasses')
  await atStep(page, 6)
  await page.reload()
  await page.waitForLoadState('networkidle')
  expect(await answersOf(stack, id)).not.toHaveProperty('visionCorrection')
  // and the quiz still works
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test.describe('where nobody has to be asked', () => {
  test.use({ extraHTTPHeaders: { 'cf-ipcountry': 'BR' } })

  test('D-13 no tick is shown, and answers reach the service', async ({ page, stack }) => {
    await page.goto('/quiz?step=Welcome')
    const id = await sessionOf(page)
    await page.waitForLoadState('networkidle')
    await expect(page.getByRole('checkbox')).toHaveCount(0)
    await page.getByRole('button', { name: 'Start Quiz' }).click()
    await choose(page, 'Other')
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await expect.poll(() => answersOf(stack, id)).toMatchObject({ eyeColor: 'other' })
  })
})

test('Q-13 Q-14 broken storage is repaired key by key, and the quiz starts as if new', async ({ page, stack }) => {
  await page.goto('/legal/contact-us')
  await page.evaluate(() => {
    const broken: Record<string, string> = {
      quiz_answers: '{"ageGroup":"7","symptoms":"blurry","eyeStrainIndex":"x","eyeColor":["?"],',
      quiz_session_id: 'not-a-session',
      session_client_key: '{}',
      quiz_place: '99',
      quiz_started_at: 'yesterday',
      answers_outbox: '{"answers":{"a":1,"eyeColor":{"answer":5}},"writes":[]}',
      health_consent: '??',
      attribution_first: '[]',
      quiz_completed: 'maybe',
    }
    for (const [key, value] of Object.entries(broken)) localStorage.setItem(key, value)
  })
  await page.goto('/quiz')
  await expect(page.getByRole('button', { name: 'Start Quiz' })).toBeVisible()
  await page.getByRole('checkbox').check()
  const id = await sessionOf(page)
  // the right shape with wrong values inside
  await page.evaluate(() =>
    localStorage.setItem(
      'quiz_answers',
      '{"symptoms":[1],"eyeColor":{"a":1},"visualAge":"old","selectedPrice":"many"}',
    ),
  )
  for (const step of [1, 3, 26, 27, 33]) {
    await page.goto(`/quiz?step=${step}`)
    await expect(page.getByText(`${step}/33`)).toBeVisible()
    await expect(page.getByRole('main').getByRole('button').last()).toBeVisible()
  }
  await expect(page.getByRole('radio', { checked: true })).toHaveText(['$1'])
  await page.goto('/quiz?step=1')
  await choose(page, 'Green')
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await expect.poll(() => answersOf(stack, id)).toMatchObject({ eyeColor: 'green' })
})

test('Q-10 Q-14 with storage blocked the quiz works on one page, and its answers still reach the service', async ({
  page,
  stack,
}) => {
  const made = page.waitForResponse((one) => one.url().endsWith('/api/sessions') && one.request().method() === 'POST')
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('denied', 'SecurityError')
        },
      })
    }
  })
  await page.clock.install()
  await page.goto('/quiz?step=Welcome&age=30-45')
  const { sessionId: id } = (await (await made).json()) as { sessionId: string }
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Start Quiz' }).click()
  for (let step = 1; step <= 6; step++) await passStep(page, step, { email: '' })
  await atStep(page, 7)
  await page.clock.fastForward(6_600)
  await atStep(page, 8)
  await expect
    .poll(() => answersOf(stack, id))
    .toMatchObject({ ageGroup: '30-45', eyeColor: 'green', visionCorrection: 'Yes, glasses' })
})

for (const [what, file] of [
  ['stylesheet', /\/later\.[\w-]+\.css$/],
  ['file', /\/later\.[\w-]+\.js$/],
] as const) {
  test(`Q-02 S-06 a screen whose ${what} does not load says so and comes when the network does`, async ({
    page,
    expectTrouble,
  }) => {
    expectTrouble(/later\.|styles of the quiz|Failed to (load|fetch)|ERR_FAILED/)
    await page.route(file, (route) => route.abort())
    await page.goto('/quiz?step=6')
    await expect(page.getByRole('alert')).toContainText('Your answers are safe')
    await page.unroute(file)
    await page.getByRole('button', { name: 'Load the page again' }).click()
    await expect(page.getByText('Only 1 in 5 takes action')).toBeVisible()
    await expect(page.locator('.facts')).toHaveCSS('display', 'grid')
  })
}
