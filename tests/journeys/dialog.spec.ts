import { desktop, expect, test } from '../support/journey.ts'
import { fillCard, openPayment, pay } from './funnel.ts'
import { atCheckout, prepared } from './prepared.ts'

test.use(desktop)

test.describe('on a small screen', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('C-12 C-15 a double click on either "Order now" opens the payment dialog, and it stays open', async ({
    page,
  }) => {
    // while its form is loading the dialog is short, and the second click falls beside it
    await page.route('**/PaymentModal.*.js', async (route) => {
      await new Promise((done) => setTimeout(done, 1_500))
      await route.continue()
    })
    const { sessionId } = await atCheckout(page)
    const dialog = page.getByRole('dialog', { name: 'Choose payment method' })
    const orders = page.getByRole('button', { name: 'Order now', exact: true })
    await expect(orders).toHaveCount(2)
    for (const order of await orders.all()) {
      await order.dblclick({ delay: 60 })
      await expect(dialog.locator('input[name="cardnumber"]')).toBeVisible()
      expect(page.url()).toContain(`/checkout/${sessionId}`)
      await page.evaluate(() => sessionStorage.setItem('exit_intent_shown', '1'))
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    }
  })
})

test('C-13 C-15 the dialog closes by a press that begins and ends beside it, and by no other', async ({ page }) => {
  await atCheckout(page)
  await page.evaluate(() => sessionStorage.setItem('exit_intent_shown', '1'))
  await page.getByRole('button', { name: 'Order now', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Choose payment method' })
  const name = dialog.getByLabel('Full name')
  await name.fill('Ada Sample')
  const field = await name.boundingBox()
  if (!field) throw new Error('the field has no place')
  const beside = { x: 40, y: 450 }
  // a selection dragged out of the field
  await page.mouse.move(field.x + 20, field.y + field.height / 2)
  await page.mouse.down()
  await page.mouse.move(beside.x, beside.y, { steps: 4 })
  await page.mouse.up()
  await expect(dialog).toBeVisible()
  // a press begun beside the dialog and ended inside
  await page.mouse.down()
  await page.mouse.move(field.x + 20, field.y + field.height / 2, { steps: 4 })
  await page.mouse.up()
  await expect(dialog).toBeVisible()
  await expect(name).toHaveValue('Ada Sample')
  // clicks just after the dialog opens are ignored: they may be meant for the button that opened it
  await page.waitForTimeout(600)
  await page.mouse.click(beside.x, beside.y)
  await expect(dialog).toBeHidden()
})

test('C-13 a press beside the dialog that no click follows closes nothing at a later press inside', async ({
  page,
}) => {
  await atCheckout(page)
  await openPayment(page)
  await page.waitForTimeout(600)
  await page.mouse.click(40, 450, { button: 'right' })
  const dialog = page.getByRole('dialog', { name: 'Choose payment method' })
  await dialog.getByRole('button', { name: 'Order Now', exact: true }).press('Enter')
  await expect(dialog.locator('.field-error').first()).toBeVisible()
  await expect(dialog).toBeVisible()
})

test.describe('where the law asks first', () => {
  test.use({ timezoneId: 'Europe/Berlin' })

  test('C-12 T-02 a consent banner that comes while the dialog is open cannot be used before it closes', async ({
    page,
  }) => {
    const { promise: held, resolve: come } = Promise.withResolvers<void>()
    await page.route('**/_astro/page.client.*.js', async (route) => {
      await held
      await route.continue()
    })
    await atCheckout(page)
    await page.evaluate(() => sessionStorage.setItem('exit_intent_shown', '1'))
    await page.getByRole('button', { name: 'Order now', exact: true }).first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    const accept = page.getByText('Allow both', { exact: true })
    await expect(accept).toHaveCount(0)
    come()
    await expect(accept).toHaveCount(1)
    const banner = page.getByRole('region', { name: 'Your privacy' })
    await expect(banner).toHaveJSProperty('inert', true)
    await page.keyboard.press('Escape')
    await expect(banner).toHaveJSProperty('inert', false)
    await accept.click()
    await expect(accept).toBeHidden()
  })
})

test('C-12 D-02 "Order now" pressed where the visit could not be loaded loads it, and opens the dialog', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/ERR_FAILED/)
  const { sessionId } = await prepared(page)
  const visit = `**/api/sessions/${sessionId}`
  await page.route(visit, (route) => route.abort())
  await page.goto(`/checkout/${sessionId}`)
  const trouble = page.getByText('We cannot reach our service right now.')
  await expect(trouble).toBeVisible()
  const order = page.getByRole('button', { name: 'Order now', exact: true }).last()
  const asked = page.waitForRequest(visit)
  await order.click()
  await asked
  await expect(trouble).toBeVisible()
  await expect(order).not.toHaveAttribute('aria-busy')
  await page.unroute(visit)
  await order.click()
  await expect(page.getByRole('dialog').locator('input[name="cardnumber"]')).toBeVisible()
})

test('C-13 P-04 no number of Escapes closes the dialog while a payment is under way', async ({ page }) => {
  await atCheckout(page)
  await openPayment(page)
  await fillCard(page)
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  await page.route('**/payments/initial', async (route) => {
    await held
    await route.continue()
  })
  await pay(page)
  const dialog = page.getByRole('dialog', { name: 'Choose payment method' })
  await expect(dialog.getByRole('button', { name: 'Close' })).toHaveCount(0)
  for (let press = 0; press < 4; press++) {
    await page.keyboard.press('Escape')
    await page.waitForTimeout(100)
    await expect(dialog).toBeVisible()
  }
  goOn()
  await page.waitForURL('**/multi-upsell/**')
})

test('O-01 O-02 an offer that is pressed before the visit is known opens once it is', async ({ page }) => {
  const { sessionId } = await atCheckout(page)
  const buttons = [
    { path: 'special-offer-details', name: 'Start my first month', price: '$19' },
    { path: 'special-offer-intro', name: 'No thanks, continue with regular price', price: '$1' },
  ]
  for (const { path, name, price } of buttons) {
    const { promise: known, resolve: answers } = Promise.withResolvers<void>()
    await page.route(`**/api/sessions/${sessionId}`, async (route) => {
      await known
      await route.continue()
    })
    await page.goto(`/${path}/${sessionId}`)
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
    const button = page.getByRole('button', { name })
    await expect(button).not.toHaveAttribute('aria-busy')
    await button.click()
    await expect(button).toHaveAttribute('aria-busy', 'true')
    await expect(page.getByRole('dialog')).toBeHidden()
    answers()
    await expect(page.getByRole('dialog').locator('input[name="cardnumber"]')).toBeVisible()
    await expect(page.getByRole('dialog')).toContainText(price)
    await expect(button).not.toHaveAttribute('aria-busy')
    await page.unroute(`**/api/sessions/${sessionId}`)
  }
})

test('O-01 O-02 an offer that is pressed before its script has come opens once it has', async ({ page }) => {
  const { sessionId } = await atCheckout(page)
  for (const { path, name } of [
    { path: 'special-offer-details', name: 'Start my first month' },
    { path: 'special-offer-intro', name: 'No thanks, continue with regular price' },
  ]) {
    const { promise: come, resolve: comes } = Promise.withResolvers<void>()
    await page.route('**/_astro/*.js', async (route) => {
      await come
      await route.continue()
    })
    await page.goto(`/${path}/${sessionId}`, { waitUntil: 'commit' })
    await page.getByRole('button', { name }).dblclick()
    await expect(page.locator('astro-island[ssr]')).toHaveCount(1)
    comes()
    await expect(page.getByRole('dialog').locator('input[name="cardnumber"]')).toBeVisible()
    await page.unroute('**/_astro/*.js')
  }
})

test('C-11 C-12 T-03 what is pressed before the script of the checkout has come counts once it has', async ({
  page,
}) => {
  const { sessionId } = await prepared(page)
  const { promise: come, resolve: comes } = Promise.withResolvers<void>()
  await page.route('**/_astro/*.js', async (route) => {
    await come
    await route.continue()
  })
  await page.goto(`/checkout/${sessionId}`, { waitUntil: 'commit' })
  const consent = page.getByRole('checkbox')
  await consent.click()
  await page.getByRole('button', { name: 'Order now', exact: true }).first().click()
  await expect(page.locator('astro-island[ssr]')).toHaveCount(1)
  comes()
  await expect(page.getByRole('dialog').locator('input[name="cardnumber"]')).toBeVisible()
  await expect(page.getByRole('checkbox', { includeHidden: true })).toBeChecked()
  await expect.poll(() => page.evaluate(() => JSON.stringify(window.dataLayer))).toContain('"InitiateCheckout"')
})

test('C-12 C-15 a dialog that is closed and opened again in one turn stays open', async ({ page }) => {
  await atCheckout(page)
  await page.evaluate(() => sessionStorage.setItem('exit_intent_shown', '1'))
  await page.getByRole('button', { name: 'Order now', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Choose payment method' })
  await expect(dialog.locator('input[name="cardnumber"]')).toBeVisible()
  const closed = await page.evaluate(async () => {
    // as two keys do that wait while the page is busy
    document.querySelector<HTMLElement>('.dialog-close')?.click()
    for (let turn = 0; turn < 1_000 && document.querySelector('dialog'); turn++) await Promise.resolve()
    const gone = !document.querySelector('dialog')
    document.querySelector<HTMLElement>('.order button')?.click()
    return gone
  })
  expect(closed).toBe(true)
  await expect(dialog.locator('input[name="cardnumber"]')).toBeVisible()
  await page.waitForTimeout(300)
  await expect(dialog).toBeVisible()
})

test('C-12 C-13 nothing beside the open dialog takes the focus, and all of it does again after', async ({ page }) => {
  await atCheckout(page)
  await page.evaluate(() => sessionStorage.setItem('exit_intent_shown', '1'))
  await openPayment(page)
  const beside = page.locator(':is(a[href], button, input, summary):not(dialog *)')
  const inertness = () =>
    beside.evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => !!one.closest('[inert]')))
  const open = await inertness()
  expect(open.length).toBeGreaterThan(10)
  expect(open).not.toContain(false)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(await inertness()).not.toContain(true)
})

test('O-02 the focus returns to the button that opened the dialog, on the offer too', async ({ page }) => {
  const { sessionId } = await atCheckout(page)
  const openers = [
    { path: 'special-offer-details', name: 'Start my first month' },
    { path: 'special-offer-intro', name: 'No thanks, continue with regular price' },
  ]
  for (const { path, name } of openers) {
    await page.goto(`/${path}/${sessionId}`)
    await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
    const opener = page.getByRole('button', { name })
    for (const close of ['Escape', 'Enter']) {
      await opener.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await expect(dialog.locator('input[name="cardnumber"]'), `${path}, closed by ${close}`).toBeVisible()
      if (close === 'Enter') await dialog.getByRole('button', { name: 'Close' }).focus()
      await page.keyboard.press(close)
      await expect(dialog).toBeHidden()
      await expect(opener).toBeFocused()
    }
  }
})
