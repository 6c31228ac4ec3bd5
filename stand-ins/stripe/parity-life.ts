// One subscription's life on a test clock, its events, and PayPal, in figures by which two Stripes can be compared.
import { setTimeout } from 'node:timers/promises'
import { type Answer, type Json, type Step } from './parity-step.ts'

type Call = (step: Omit<Step, 'name'>) => Promise<Answer>

const HOUR = 3_600
const DAY = 24 * HOUR
/** Seconds to wait while Stripe advances a test clock in the background. */
const PATIENCE = 120

const listOf = (answer: Answer): Json[] => (answer.body['data'] ?? []) as Json[]
const within = (from: unknown, to: unknown, unit: number): number | null =>
  typeof from === 'number' && typeof to === 'number' ? Math.round((to - from) / unit) : null

/** An invoice without values specific to one side; times as distances. */
const invoiceOf = (one: Json): Json => ({
  status: one['status'],
  reason: one['billing_reason'],
  due: one['amount_due'],
  attempts: one['attempt_count'],
  draftHours: within(one['created'], one['automatically_finalizes_at'], HOUR),
  nextTryDays: within(one['created'], one['next_payment_attempt'], DAY),
})

/**
 * Plays the life: trial of three days, renewal as a draft, charged an hour later, a refused renewal and Stripe's
 * retries; then PayPal set-ups with and without a mandate. Returns one answer per scene, by name.
 */
export async function runLife(call: Call): Promise<Map<string, Answer>> {
  const scenes = new Map<string, Answer>()
  const post = (path: string, params: Json) => call({ method: 'post', path, params })
  const get = (path: string, params: Json = {}) => call({ method: 'get', path, params })
  const idOf = (answer: Answer) => String(answer.body['id'])

  const start = Math.floor(Date.now() / 1000)
  const clock = idOf(await post('/v1/test_helpers/test_clocks', { frozen_time: start, name: 'parity' }))
  const customer = idOf(await post('/v1/customers', { email: 'parity@example.com', test_clock: clock }))
  const product = idOf(await post('/v1/products', { name: 'Parity' }))
  const recurring = { interval: 'day', interval_count: 30 }
  const price = idOf(await post('/v1/prices', { product, currency: 'usd', unit_amount: 3900, recurring }))
  const card = idOf(await post('/v1/payment_methods/pm_card_visa/attach', { customer }))
  const made = await post('/v1/subscriptions', {
    customer,
    items: [{ price }],
    default_payment_method: card,
    trial_period_days: 3,
    off_session: true,
  })
  const subscription = idOf(made)

  async function advance(to: number): Promise<void> {
    await post(`/v1/test_helpers/test_clocks/${clock}/advance`, { frozen_time: to })
    for (let waited = 0; waited < PATIENCE; waited++) {
      if ((await get(`/v1/test_helpers/test_clocks/${clock}`)).body['status'] === 'ready') return
      await setTimeout(waited === 0 ? 50 : 1_000)
    }
    throw new Error('the test clock did not get there')
  }

  /** Records what is visible of the subscription now. */
  async function scene(name: string): Promise<void> {
    const [now, invoices] = [
      await get(`/v1/subscriptions/${subscription}`),
      await get('/v1/invoices', { subscription }),
    ]
    const body = { status: now.body['status'], invoices: { ...listOf(invoices).map(invoiceOf) } }
    scenes.set(name, { status: now.status, body })
  }

  await scene('trial')
  const trialEnd = Number(made.body['trial_end'])
  await advance(trialEnd + 5 * 60)
  await scene('trial_over')
  await advance(trialEnd + 2 * HOUR)
  await scene('renewal_charged')
  const bad = idOf(await post('/v1/payment_methods/pm_card_chargeCustomerFail/attach', { customer }))
  await post(`/v1/subscriptions/${subscription}`, { default_payment_method: bad })
  await advance(trialEnd + 30 * DAY + 2 * HOUR)
  await scene('renewal_refused')
  await advance(trialEnd + 33 * DAY)
  await scene('tried_again')

  const events = listOf(await get('/v1/events', { limit: 100, 'created[gte]': start }))
  const about = (one: Json): boolean => JSON.stringify(one['data'] ?? '').includes(subscription)
  const types = events.filter(about).map((one) => String(one['type']))
  const counted = Object.fromEntries(
    [...new Set(types)].sort().map((type) => [type, types.filter((one) => one === type).length]),
  )
  scenes.set('events', {
    status: 200,
    body: { types: counted, versions: [...new Set(events.map((one) => one['api_version']))] },
  })
  await call({ method: 'delete', path: `/v1/test_helpers/test_clocks/${clock}` })

  const buyer = idOf(await post('/v1/customers', { email: 'parity.paypal@example.com' }))
  const paypal = {
    customer: buyer,
    allowed_payment_method_types: ['paypal'],
    payment_method_data: { type: 'paypal' },
    confirm: true,
    return_url: 'https://example.com/back',
  }
  const online = { ip_address: '127.0.0.1', user_agent: 'parity' }
  const mandate_data = { customer_acceptance: { type: 'online', online } }
  const saved = { payment_method_options: { paypal: { setup_future_usage: 'off_session' } } }
  const paid = { amount: 900, currency: 'usd', ...paypal }
  for (const [name, path, params] of [
    ['paypal_setup', '/v1/setup_intents', { ...paypal, mandate_data }],
    ['paypal_setup_without_mandate', '/v1/setup_intents', paypal],
    ['paypal_payment', '/v1/payment_intents', paid],
    ['paypal_payment_saved', '/v1/payment_intents', { ...paid, ...saved, mandate_data }],
    ['paypal_payment_saved_without_mandate', '/v1/payment_intents', { ...paid, ...saved }],
  ] as const) {
    const { status, body } = await post(path, params)
    const { code, type, param } = (body['error'] ?? {}) as Json
    const action = (body['next_action'] as Json | null | undefined)?.['type'] ?? null
    scenes.set(name, { status, body: { status: body['status'] ?? null, action, code, type, param } })
  }
  return scenes
}
