// The stand-in under the real React wrapper, in real Chromium, behind a front door with a strict policy.
import { createServer, request as forward, type Server } from 'node:http'
/* eslint-disable @typescript-eslint/no-explicit-any -- the page's window is no typed place */
import { chromium, type Browser, type Page } from '@playwright/test'
import { build } from 'esbuild'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findChromium } from '../../../tests/support/chromium.ts'
import { openWorld, PUBLISHABLE, type World } from '../testing.ts'

const CHROMIUM = findChromium()

const APP = `
import React from 'react'
import { createRoot } from 'react-dom/client'
import { loadStripe } from '@stripe/stripe-js/pure'
import { Elements, CardNumberElement, CardExpiryElement, CardCvcElement, PaymentElement, ExpressCheckoutElement,
useStripe, useElements } from '@stripe/react-stripe-js'
const h = React.createElement
window.log = []
function Form() {
  const stripe = useStripe(); const elements = useElements()
  const [state, set] = React.useState('')
  const on = (name) => ({ onChange: (e) => window.log.push([name, 'change', e.complete, e.empty, e.error?.code]),
    onReady: () => window.log.push([name, 'ready']), onFocus: () => window.log.push([name, 'focus']), onBlur: () =>
      window.log.push([name, 'blur']) })
  window.stripe = stripe; window.elements = elements
  const style = { base: { fontSize: '18px', color: 'rgb(10, 20, 30)', '::placeholder': { color: 'rgb(90, 90, 90)' } },
    invalid: { color: 'rgb(200, 0, 0)' } }
  async function pay(event) {
    event.preventDefault()
    set('working')
    const result = await stripe.confirmCardPayment(window.secret, { payment_method: { card:
      elements.getElement(CardNumberElement), billing_details: { name: 'A' } } })
    set(result.error ? 'error:' + result.error.code + ':' + result.error.message : 'done:' +
      result.paymentIntent.status)
  }
  return h('form', { onSubmit: pay },
    h('label', { htmlFor: 'n' }, 'Card number'), h(CardNumberElement, { id: 'n', options: { style }, ...on('number') }),
    h(CardExpiryElement, { options: { style }, ...on('expiry') }), h(CardCvcElement, { options: { style }, ...on('cvc')
      }),
    h('button', { disabled: !stripe }, 'Pay'), h('p', { role: 'status' }, state))
}
function Express() { return h(ExpressCheckoutElement, { onConfirm: () => {}, onReady: (e) => { window.express = {
available: e.availablePaymentMethods ?? null } } }) }
function Payment() { window.paymentElements = useElements(); return h(PaymentElement, {}) }
const loaded = loadStripe('${PUBLISHABLE}')
createRoot(document.getElementById('app')).render(h(React.StrictMode, null,
  h(Elements, { stripe: loaded }, h(Form)),
  h(Elements, { stripe: loaded, options: { mode: 'payment', amount: 100, currency: 'usd' } }, h(Express)),
  h('section', { 'aria-label': 'payment' }, h(Elements, { stripe: loaded, options: { mode: 'payment', amount: 100,
    currency: 'usd', allowedPaymentMethodTypes: ['card', 'paypal'] } }, h(Payment)))))
`
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action " +
  "'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

describe.skipIf(!CHROMIUM)(`the stand-in for Stripe.js${CHROMIUM ? '' : ' (skipped: no Chromium)'}`, () => {
  let world: World
  let door: Server
  let site = ''
  let browser: Browser
  let page: Page
  const trouble: string[] = []

  beforeAll(async () => {
    world = await openWorld()
    const app = await build({
      stdin: { contents: APP, resolveDir: import.meta.dirname },
      bundle: true,
      write: false,
      format: 'iife',
      define: { 'process.env.NODE_ENV': '"production"' },
    })
    const script = app.outputFiles[0]?.text ?? ''
    door = createServer((request, response) => {
      const path = request.url ?? '/'
      if (path.startsWith('/_stripe/')) {
        const upstream = forward(
          world.sandbox.url + path,
          { method: request.method ?? 'GET', headers: { ...request.headers, host: new URL(world.sandbox.url).host } },
          (reply) => {
            response.writeHead(reply.statusCode ?? 502, reply.headers)
            reply.pipe(response)
          },
        )
        upstream.on('error', () => request.socket.destroy())
        request.pipe(upstream)
        return
      }
      if (path === '/app.js') return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
      if (path.startsWith('/favicon')) return void response.writeHead(204).end()
      response
        .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': POLICY })
        .end(
          '<!doctype html><html lang="en"><title>Shop</title><script src="/_stripe/stripe.js"></script><div ' +
            'id="app"></div><script src="/app.js"></script>',
        )
    })
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', () => resolve()))
    const address = door.address()
    site = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
    browser = await chromium.launch({
      ...(CHROMIUM ? { executablePath: CHROMIUM } : {}),
      args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
    })
  })
  afterAll(async () => {
    await browser?.close()
    door?.close()
    await world?.close()
  })
  beforeEach(async () => {
    await page?.close()
    trouble.length = 0
    await world.control('POST', 'wallets', { offered: [] })
    page = await browser.newPage()
    page.on('console', (message) => {
      // A 402 from the API is a decline, not a fault, but Chromium reports it as an error.
      if (message.type() === 'error' && !/status of 40[02]/.test(message.text())) trouble.push(message.text())
    })
    page.on('pageerror', (error) => trouble.push(error.message))
    await page.goto(site)
    await page.getByLabel('Card number').first().waitFor()
  })

  async function secret(options: { type?: 'card' | 'paypal'; setup?: boolean } = {}): Promise<string> {
    const types: { allowed_payment_method_types: ['card'] | ['paypal'] } = {
      allowed_payment_method_types: [options.type ?? 'card'] as ['card'],
    }
    const intent = options.setup
      ? await world.stripe.setupIntents.create(types)
      : await world.stripe.paymentIntents.create({ amount: 100, currency: 'usd', ...types })
    const value = intent.client_secret ?? ''
    await page.evaluate((given) => Object.assign(window, { secret: given }), value)
    return value
  }
  const form = () => page.locator('form')
  async function fill(number: string): Promise<void> {
    await form().getByLabel('Card number').pressSequentially(number)
    await form().getByLabel('Expiration date').pressSequentially('1234')
    await form().getByLabel('CVC').pressSequentially('123')
  }
  const pay = () => page.getByRole('button', { name: 'Pay' }).click()
  const says = (text: string) => page.getByRole('status').getByText(text).waitFor()

  test('C-13 a card is typed, formatted, checked and paid, with events and no policy violation', async () => {
    await secret()
    await fill('4242424242424242')
    expect(await form().getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242')
    expect(await form().getByLabel('Expiration date').inputValue()).toBe('12 / 34')
    expect(await page.locator('#n').getAttribute('class')).toContain('StripeElement--complete')
    expect(
      await form()
        .getByLabel('Card number')
        .evaluate((input) => getComputedStyle(input).fontSize),
    ).toBe('18px')
    await pay()
    await says('done:succeeded')
    const log = await page.evaluate(() => (window as unknown as { log: unknown[][] }).log)
    expect(log).toContainEqual(['number', 'ready'])
    expect(log).toContainEqual(['number', 'focus'])
    expect(log).toContainEqual(['number', 'change', true, false, undefined])
    expect(trouble).toEqual([])
  })

  test('C-13 unfinished, wrong and past details are named in Stripe’s words before any call', async () => {
    await secret()
    await pay()
    await says('error:incomplete_number:Your card number is incomplete.')
    await form().getByLabel('Card number').pressSequentially('4242424242424241')
    await form().getByLabel('Expiration date').pressSequentially('0120')
    await form().getByLabel('CVC').pressSequentially('12')
    await form().getByLabel('CVC').blur()
    expect(await form().getByLabel('Card number').getAttribute('aria-invalid')).toBe('true')
    expect(
      await form()
        .getByLabel('Card number')
        .evaluate((input) => getComputedStyle(input).color),
    ).toBe('rgb(200, 0, 0)')
    const log = await page.evaluate(() => (window as unknown as { log: unknown[][] }).log)
    expect(log).toContainEqual(['number', 'change', false, false, 'invalid_number'])
    expect(log).toContainEqual(['expiry', 'change', false, false, 'invalid_expiry_year_past'])
    expect(log).toContainEqual(['cvc', 'change', false, false, 'incomplete_cvc'])
    expect(trouble).toEqual([])
  })

  test('C-13 keyboard: Tab goes through the fields, Enter pays, the label leads into the field', async () => {
    await secret()
    await page.locator('label[for=n]').click()
    await page.keyboard.type('4242424242424242')
    await page.keyboard.press('Tab')
    await page.keyboard.type('12/34')
    await page.keyboard.press('Tab')
    await page.keyboard.type('123')
    await page.keyboard.press('Enter')
    await says('done:succeeded')
  })

  test('P-11 a decline carries the bank’s words', async () => {
    await secret()
    await fill('4000000000009995')
    await pay()
    await says('error:card_declined:Your card has insufficient funds.')
    expect(trouble).toEqual([])
  })

  test('C-13 3-D Secure: completed, failed, left with Escape', async () => {
    await secret()
    await fill('4000002760003184')
    await pay()
    await page.getByRole('dialog').getByRole('button', { name: 'Complete' }).click()
    await says('done:succeeded')
    await secret()
    await pay()
    await page.getByRole('button', { name: 'Fail' }).click()
    await says('error:payment_intent_authentication_failure')
    await pay()
    await page.getByRole('button', { name: 'Fail' }).waitFor()
    await page.keyboard.press('Escape')
    await says('error:payment_intent_authentication_failure')
    await pay()
    await page.getByRole('button', { name: 'Complete' }).click()
    await says('done:succeeded')
    expect(trouble).toEqual([])
  })

  test.each([
    ['Approve', 'succeeded', 'succeeded', false],
    ['Cancel', 'failed', 'requires_payment_method', false],
    ['Fail', 'failed', 'requires_payment_method', false],
    ['Approve', 'succeeded', 'succeeded', true],
    ['Cancel', 'failed', 'requires_payment_method', true],
  ])('P-07 PayPal page: %s comes back %s, intent %s (setup: %s)', async (button, redirectStatus, status, setup) => {
    const value = await secret({ type: 'paypal', setup })
    await page.evaluate((isSetup) => {
      const { stripe, secret: given } = window as unknown as {
        stripe: Record<string, (secret: string, data: unknown) => unknown>
        secret: string
      }
      const data = {
        return_url: `${location.origin}/back?x=1`,
        mandate_data: { customer_acceptance: { type: 'online', online: { infer_from_client: true } } },
      }
      void stripe[isSetup ? 'confirmPayPalSetup' : 'confirmPayPalPayment']?.(given, data)
    }, setup)
    await page.getByRole('heading', { name: 'PayPal (test)' }).waitFor()
    await page.getByRole('button', { name: button }).click()
    await page.waitForURL('**/back?**')
    const name = setup ? 'setup_intent' : 'payment_intent'
    const query = new URL(page.url()).searchParams
    expect([query.get('x'), query.get(`${name}_client_secret`), query.get('redirect_status')]).toEqual([
      '1',
      value,
      redirectStatus,
    ])
    const id = query.get(name) ?? ''
    expect(
      (setup ? await world.stripe.setupIntents.retrieve(id) : await world.stripe.paymentIntents.retrieve(id)).status,
    ).toBe(status)
    expect(trouble).toEqual([])
  })

  test('Express Checkout reports no wallets; the Payment Element pays by card', async () => {
    await page.waitForFunction(() => (window as unknown as { express?: unknown }).express !== undefined)
    expect(await page.evaluate(() => (window as unknown as { express: unknown }).express)).toEqual({ available: null })
    await secret()
    const section = page.getByRole('region', { name: 'payment' })
    await section.getByLabel('Card number').pressSequentially('4242424242424242')
    await section.getByLabel('Expiration date').pressSequentially('1234')
    await section.getByLabel('CVC').pressSequentially('123')
    const result = await page.evaluate(async () => {
      const {
        stripe,
        secret: given,
        paymentElements,
      } = window as unknown as Record<string, never> & {
        stripe: { confirmPayment: (o: unknown) => Promise<{ paymentIntent?: { status: string } }> }
      }
      await (paymentElements as unknown as { submit: () => Promise<unknown> }).submit()
      return (
        await stripe.confirmPayment({
          elements: paymentElements,
          clientSecret: given,
          confirmParams: { return_url: `${location.origin}/back` },
          redirect: 'if_required',
        })
      ).paymentIntent?.status
    })
    expect(result).toBe('succeeded')
    await section.getByLabel('PayPal').check()
    expect(await section.getByLabel('Card number').isVisible()).toBe(false)
    expect(trouble).toEqual([])
  })

  test('C-13 a wallet that is switched on: ready, click, submit, the intent’s own amount, cancel', async () => {
    expect((await world.control('POST', 'wallets', { offered: ['pear_pay'] })).status).toBe(400)
    await world.control('POST', 'wallets', { offered: ['google_pay', 'apple_pay'] })
    await secret()
    /** Mounts an element of a group for `amount` cents; returns the events that the page received. */
    const mount = (amount: number, options: object = {}) =>
      page.evaluate(
        ([cents, given]) => {
          const { stripe } = window as unknown as { stripe: { elements: (o: object) => any } }
          const group = stripe.elements({ mode: 'payment', amount: cents, currency: 'usd' })
          const box = document.body.appendChild(document.createElement('section'))
          const element = group.create('expressCheckout', { emailRequired: true, ...(given as object) })
          const told: unknown[][] = []
          element.on('ready', (event: any) => told.push(['ready', event.availablePaymentMethods]))
          element.on('click', (event: any) => {
            told.push(['click', event.expressPaymentType])
            if (!(window as any).deaf) event.resolve({ lineItems: [{ name: 'Trial', amount: cents }] })
          })
          element.on('cancel', () => told.push(['cancel']))
          element.on(
            'confirm',
            (event: any) => (Object.assign(window, { event }), told.push(['confirm', event.billingDetails.email])),
          )
          element.mount(box)
          Object.assign(window, { group, told, box })
          box.setAttribute('aria-label', 'wallets')
        },
        [amount, options] as const,
      )
    const told = () => page.evaluate(() => (window as unknown as { told: unknown[][] }).told)
    const confirm = (submit: boolean) =>
      page.evaluate(async (first) => {
        const { stripe, group, secret: clientSecret } = window as any
        if (first) await group.submit()
        try {
          const done = await stripe.confirmPayment({
            elements: group,
            clientSecret,
            confirmParams: { return_url: location.href },
            redirect: 'if_required',
          })
          return done.error?.message ?? done.paymentIntent.status
        } catch (error) {
          return String(error)
        }
      }, submit)
    const wallets = page.getByRole('region', { name: 'wallets' })
    const google = wallets.getByRole('button', { name: 'Google Pay' })
    const sheet = page.getByRole('dialog', { name: 'Google Pay (test)' })

    await mount(250, { paymentMethods: { applePay: 'never' } })
    await google.click()
    await sheet.getByRole('button', { name: 'Close wallet' }).click()
    await google.click()
    await sheet.getByRole('button', { name: 'Pay', exact: true }).click()
    expect(await told()).toEqual([
      ['ready', { amazonPay: false, applePay: false, googlePay: true, link: false, paypal: false, klarna: false }],
      ['click', 'google_pay'],
      ['cancel'],
      ['click', 'google_pay'],
      ['confirm', 'wallet@example.com'],
    ])
    expect(await wallets.getByRole('button').count()).toBe(1)
    expect(await confirm(false)).toContain('elements.submit() must be called before')
    expect(await confirm(true)).toBe(
      'The provided amount (250) does not match the expected amount (100) of the PaymentIntent.',
    )
    await sheet.getByText('Payment not completed.').waitFor()
    await page.evaluate(() => (window as any).box.remove())
    await sheet.getByRole('button', { name: 'Close wallet' }).click()

    await mount(100)
    await google.waitFor()
    expect(await wallets.getByRole('button').count()).toBe(2)
    await page.evaluate(() => Object.assign(window, { deaf: true }))
    await google.click()
    await expect.poll(() => trouble.join()).toContain('was not resolved within 1 second')
    expect(await sheet.count()).toBe(0)
    await page.evaluate(() => Object.assign(window, { deaf: false }))
    await google.click()
    await sheet.getByRole('button', { name: 'Pay', exact: true }).click()
    expect(await confirm(true)).toBe('succeeded')
    expect(await sheet.count()).toBe(0)
    const { data } = await world.stripe.charges.list({ limit: 1 })
    expect(data[0]?.payment_method_details?.card?.wallet?.type).toBe('google_pay')
    expect(trouble).toHaveLength(1)
  })

  test('a lost connection is an answer, not an exception', async () => {
    await secret()
    await fill('4242424242424242')
    await world.control('POST', 'faults', { mode: 'drop_before', from: 'browser', times: 3 })
    await pay()
    await says('error:undefined:We are experiencing issues connecting')
    await world.control('DELETE', 'faults')
    await pay()
    await says('done:succeeded')
  })

  test('the operator’s page: clock, faults, webhooks, objects, ledger', async () => {
    await page.goto(world.sandbox.url)
    const product = await world.stripe.products.create({ name: 'Seen by the operator' })
    await page.getByLabel('Kind').selectOption('product')
    await page.getByText(product.id).first().click()
    await page.getByText('"Seen by the operator"').waitFor()
    await page.getByRole('region', { name: 'Ledger' }).getByText('POST /v1/products').first().waitFor()
    const before = Number((await world.control('GET', 'clock')).body['now'])
    await page.getByRole('button', { name: '+1 day' }).click()
    await page.getByRole('status').getByText('The clock shows').waitFor()
    expect(Number((await world.control('GET', 'clock')).body['now']) - before).toBeGreaterThanOrEqual(86_400)
    const faults = page.getByRole('region', { name: 'Faults' })
    await faults.getByLabel('What').selectOption('429')
    await faults.getByLabel('Path starts with').fill('/v1/customers')
    await faults.getByRole('button', { name: 'Switch on' }).click()
    await faults.getByRole('listitem').getByText('429 for 1 call(s)').waitFor()
    expect(await world.stripe.customers.create({}).catch((error: { statusCode: number }) => error.statusCode)).toBe(429)
    const webhooks = page.getByRole('region', { name: 'Webhooks' })
    await webhooks.getByLabel('Mode').selectOption('off')
    await webhooks.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('status').getByText('Webhook settings applied').waitFor()
    expect((await world.control('GET', 'webhooks')).body['settings']).toMatchObject({ mode: 'off' })
    await page.getByRole('region', { name: 'Events' }).getByRole('button', { name: 'Send again' }).first().click()
    await page.getByRole('status').getByText('sent again').waitFor()
    expect(trouble).toEqual([])
  })
})
