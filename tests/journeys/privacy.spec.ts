/** What leaves the browser during a walk through the whole funnel with consent given: T-01, D-13, N-02. */
import type { Page, Request } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { fillCard, openPayment, passStep, pay, sessionIdOf, atStep } from './funnel.ts'
import { PASSWORD, PERSON } from './members.ts'

// the stand-in for Meta counts people only, and a headless browser identifies itself as a bot
test.use({ userAgent: PERSON })

const EMAIL = 'canary.reader@example.com'
/** The answers of the walk, as values and as labels; none occurs in our own texts otherwise. */
const ANSWERS = [/blurry/i, /headaches/i, /after extended screen/i, /glasses/i, /more than 8 hours/i, /mixed lighting/i]
const HOSTS = ['www.googletagmanager.com', 'connect.facebook.net', 'www.facebook.com']

/** Everything in a request that a third party could read. */
const textOf = (request: Request): string =>
  [request.url(), JSON.stringify(request.headers()), request.postData() ?? ''].join('\n')

/**
 * What goes to other origins and to our beacons, in Germany, from a shop whose editor set both ids: the build writes a
 * meta element on `/`, and the policy names its hosts.
 */
async function overheard(page: Page, stack: { url: string }) {
  const foreign: { from: string; request: Request }[] = []
  const beacons: string[] = []
  page.on('request', (request) => {
    const { origin, protocol, pathname } = new URL(request.url())
    if (!protocol.startsWith('http')) return
    if (origin !== stack.url) foreign.push({ from: page.url(), request })
    else if (pathname === '/api/track') beacons.push(request.postData() ?? '')
  })
  // the CDN says Germany: this region requires consent
  await page.route(`${stack.url}/**`, async (route) => {
    const headers = { ...route.request().headers(), 'cf-ipcountry': 'DE' }
    if (new URL(route.request().url()).pathname !== '/') return route.continue({ headers })
    const answer = await route.fetch({ headers })
    const policy = (answer.headers()['content-security-policy'] ?? '')
      .replace('script-src', `script-src ${HOSTS.map((host) => `https://${host}`).join(' ')}`)
      .replace('img-src', 'img-src https://www.facebook.com')
    const body = (await answer.text()).replace(
      '</head>',
      '<meta name="third-parties" content="gtm=GTM-ABC123; pixel=4711471147"></head>',
    )
    await route.fulfill({ response: answer, headers: { ...answer.headers(), 'content-security-policy': policy }, body })
  })
  // a curious third party: it sends what it finds on its page
  await page.route(/googletagmanager|facebook/, (route) =>
    new URL(route.request().url()).hostname === 'www.facebook.com'
      ? route.fulfill({ status: 204 })
      : route.fulfill({
          contentType: 'text/javascript',
          body:
            `new Image().src = 'https://www.facebook.com/tr?dl=' + encodeURIComponent(location.href) + '&rl=' ` +
            `+ encodeURIComponent(document.referrer) + '&data=' + ` +
            `encodeURIComponent(JSON.stringify(window.dataLayer ?? []) + JSON.stringify(window.fbq?.queue ?? ` +
            `[])) + '&ls=' + encodeURIComponent(document.title)`,
        }),
  )
  return { foreign, beacons }
}

test('T-01 D-13 N-02 with every consent given no answer, address or session id leaves the product', async ({
  page,
  stack,
  axe,
}) => {
  test.setTimeout(480_000)
  const { foreign, beacons } = await overheard(page, stack)
  await page.clock.install()
  await page.goto('/?utm_source=ads&fbclid=IwAR_canary')
  const banner = page.getByRole('region', { name: 'Your privacy' })
  await expect(banner).toBeVisible()
  expect(foreign).toEqual([])
  await axe()
  // its buttons work from the keyboard
  await banner.getByRole('button', { name: 'Allow both' }).focus()
  await page.keyboard.press('Enter')
  await expect(banner).toBeHidden()
  await expect.poll(() => foreign.map(({ request }) => new URL(request.url()).hostname)).toContain('www.facebook.com')

  await page.getByRole('link', { name: '30-45' }).click()
  await atStep(page, 'Welcome')
  const tick = page.getByRole('checkbox')
  await tick.check()
  await page.getByRole('button', { name: 'Start Quiz' }).click()
  for (let step = 1; step <= 33; step++) await passStep(page, step, { email: EMAIL })
  await page.waitForURL(/\/checkout\/[0-9a-f-]{36}/)
  const sessionId = sessionIdOf(page)

  await test.step('the special offer, after a closed dialog', async () => {
    await openPayment(page)
    await page.keyboard.press('Escape')
    await page.waitForURL(/\/special-offer-intro\//)
    await page.getByRole('link', { name: 'Get secret discount' }).click()
    await page.waitForURL(/\/special-offer-details\//)
    await expect(page.getByRole('heading', { name: 'You get a secret discount' })).toBeVisible()
    await page.getByRole('link', { name: 'Back to the regular checkout' }).click()
    await page.waitForURL(/\/checkout\//)
  })
  await openPayment(page)
  await fillCard(page)
  await pay(page)
  await page.waitForURL(/\/multi-upsell\//)
  await page.getByRole('button', { name: /skip/i }).first().click()
  await page.waitForURL(/\/user-creation\//)

  await test.step('the account, thank-you and what members see', async () => {
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Confirm password').fill(PASSWORD)
    await page.getByRole('main').locator('button[type=submit]').click()
    await page.waitForURL(/\/thank-you/)
    await expect(page.getByText(EMAIL)).toBeVisible()
    for (const place of ['/app/', '/app/day/1', '/app/subscription', '/app/invoices', '/app/money-back']) {
      await page.goto(place)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
  })
  await page.goto('/legal/contact-us')
  await expect(page.getByRole('heading').first()).toBeVisible()

  const outside = foreign.map(({ request }) => textOf(request))
  expect(outside.length).toBeGreaterThan(2)
  for (const { from, request } of foreign) {
    expect(new URL(from).pathname, request.url()).toBe('/')
    expect(HOSTS).toContain(new URL(request.url()).hostname)
  }
  for (const text of outside) {
    expect(text).not.toContain(sessionId)
    expect(decodeURIComponent(text)).not.toMatch(
      /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\/|@example/,
    )
    for (const answer of ANSWERS) expect(decodeURIComponent(text)).not.toMatch(answer)
  }
  // our own beacons know the path, and no answer either
  expect(beacons.length).toBeGreaterThan(2)
  for (const text of beacons) {
    expect(text).not.toContain(EMAIL)
    expect(text).not.toContain(`/${sessionId}`)
    for (const answer of ANSWERS) expect(text).not.toMatch(answer)
  }
  // what the service sends to Meta: every event along the way, and nothing personal
  const told = async () =>
    ((await (await fetch(`${stack.metaUrl}/events`)).json()) as { events: { event_name: string }[] }[]).flatMap(
      ({ events }) => events,
    )
  await expect
    .poll(async () => [...new Set((await told()).map(({ event_name }) => event_name))].sort())
    .toEqual(expect.arrayContaining(['InitiateCheckout', 'Lead', 'Purchase', 'Subscribe']))
  const toMeta = JSON.stringify(await told())
  expect(toMeta).not.toMatch(
    /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|@example|Ada|trial_|special_offer/,
  )
  for (const answer of ANSWERS) expect(toMeta).not.toMatch(answer)

  const consents = await stack.db
    .selectFrom('consents')
    .select(['kind', 'granted'])
    .where('session_id', '=', sessionId)
    .orderBy('kind')
    .execute()
  expect(consents.filter(({ kind }) => kind !== 'marketing')).toEqual([
    { kind: 'advertising', granted: true },
    { kind: 'analytics', granted: true },
    { kind: 'health', granted: true },
  ])
  const payment = await stack.db
    .selectFrom('payments')
    .select('attribution')
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  expect(payment.attribution).toMatchObject({ first: { utm_source: 'ads', fbclid: 'IwAR_canary' } })

  // as easy to withdraw
  await page.getByRole('button', { name: 'Privacy choices' }).click()
  await page.getByRole('region', { name: 'Your privacy' }).getByRole('button', { name: 'Allow neither' }).click()
  await expect
    .poll(
      async () =>
        (
          await stack.db
            .selectFrom('consents')
            .select('granted')
            .where('session_id', '=', sessionId)
            .where('kind', '=', 'advertising')
            .orderBy('id', 'desc')
            .execute()
        )[0]?.granted,
    )
    .toBe(false)
})

test('T-01 T-02 L-06 a consent that is withdrawn stops what runs and takes away what it left', async ({
  page,
  stack,
  context,
}) => {
  const { foreign } = await overheard(page, stack)
  const hosts = () => foreign.map(({ request }) => new URL(request.url()).hostname)
  const traces = async () => [
    ...(await context.cookies()).map(({ name }) => name),
    ...(await page.evaluate(() => Object.keys(localStorage))),
  ]
  const LEFT = expect.arrayContaining(['fbclid', 'attribution_first', 'attribution_last', 'utm_source'])
  await page.goto('/?utm_source=ads&fbclid=IwAR_withdrawn')
  const banner = page.getByRole('region', { name: 'Your privacy' })
  await banner.getByRole('button', { name: 'Allow both' }).click()
  await expect.poll(hosts).toContain('www.facebook.com')
  expect(await traces()).toEqual(LEFT)

  await page.evaluate(() => (document.cookie = '_fbp=fb.1.1731000000000.1; Path=/'))
  await page.getByRole('button', { name: 'Privacy choices' }).click()
  const loaded = page.waitForEvent('load')
  await banner.getByRole('button', { name: 'Allow neither' }).click()
  await loaded
  foreign.length = 0
  await page.evaluate(() => {
    const link = Object.assign(document.createElement('a'), { href: 'mailto:help@example.com', textContent: 'Write' })
    link.addEventListener('click', (click) => click.preventDefault())
    document.querySelector('footer')?.append(link)
  })
  // its script has come, and knows the answer
  await expect(page.getByRole('button', { name: 'Privacy choices' })).toBeVisible()
  const sent = page.waitForRequest((request) => /"contact"/.test(request.postData() ?? ''))
  await page.getByRole('link', { name: 'Write' }).click()
  await sent
  expect(hosts()).toEqual([])
  expect((await traces()).filter((name) => /^(attribution_|utm_|fbclid|_fb)/.test(name))).toEqual([])
})

test('G-02 T-01 the quiz leads to the privacy choices and the privacy page, below its first view', async ({
  page,
  axe,
}) => {
  // the CDN says Germany: this region requires consent
  await page.setExtraHTTPHeaders({ 'cf-ipcountry': 'DE' })
  await page.setViewportSize({ width: 360, height: 640 })
  const banner = page.getByRole('region', { name: 'Your privacy' })
  const foot = page.getByRole('contentinfo')
  for (const path of ['/quiz', '/quiz?step=2']) {
    await page.goto(path)
    const bar = page.locator('.button-bar')
    if (path === '/quiz') {
      await expect(banner.getByRole('link', { name: 'Our privacy page' })).toHaveAttribute('href', '/legal/privacy')
      await banner.getByRole('button', { name: 'Allow neither' }).click()
    }
    await expect(foot).toBeAttached()
    // the one next thing stays at the thumb
    expect((await foot.boundingBox())?.y).toBeGreaterThanOrEqual(640)
    const { y, height } = (await bar.boundingBox()) ?? { y: 0, height: 0 }
    expect(Math.round(y + height)).toBe(640)
    await axe()
    await foot.getByRole('button', { name: 'Privacy choices' }).click()
    await expect(banner).toBeVisible()
    await banner.getByRole('button', { name: 'Save my choice' }).click()
  }
  await foot.getByRole('link', { name: 'Privacy', exact: true }).click()
  await expect(page).toHaveURL('/legal/privacy')
})
