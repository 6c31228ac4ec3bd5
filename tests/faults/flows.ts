/** Everything buyers do, start to end: every flow that moves money. */
import { product } from '../../contract/catalogue.ts'
import type { Buyer, Opened } from './buyer.ts'
import { pause } from './random.ts'

export type FlowName = keyof typeof FLOWS

export const FLOWS = {
  trial: async (buyer: Buyer) => {
    await buyer.arrive()
    await buyer.pay('trial_1')
  },
  'trial with 3-D Secure': async (buyer: Buyer) => {
    await buyer.arrive()
    await buyer.pay('trial_9', 'card', 'pm_card_authenticationRequiredOnSetup')
  },
  'special offer after a trial was opened': async (buyer: Buyer) => {
    await buyer.arrive()
    await buyer.open('trial_5')
    await buyer.pay('special_offer')
  },
  monthly: async (buyer: Buyer) => {
    await buyer.arrive()
    await buyer.open('trial_1767')
    await buyer.pay('monthly')
  },
  'PayPal trial': async (buyer: Buyer) => {
    await buyer.arrive()
    await buyer.pay('trial_5', 'paypal')
  },
  'PayPal at value 0': async (buyer: Buyer) => {
    await buyer.arrive()
    await buyer.pay('trial_1', 'setup')
  },
  'trial and add-ons': async (buyer: Buyer) => {
    await buyer.arrive()
    await buyer.pay('trial_1767')
    await buyer.upsell('guide_devices')
    await buyer.upsell('guide_habits')
    await buyer.call('POST', buyer.path('/upsell/finish'), { reason: 'completed' })
  },
  'trial and bundle': async (buyer: Buyer) => {
    await buyer.arrive()
    await buyer.pay('trial_1')
    await buyer.upsell('bundle')
  },
  reading: async (buyer: Buyer) => {
    await buyer.arrive()
    await buyer.pay('reading_14_days')
  },
  'money back': async (buyer: Buyer) => {
    await buyer.arrive()
    const id = await buyer.pay('trial_5')
    if (id) await buyer.world.stripe('dashboard', 'POST', '/v1/refunds', { payment_intent: id })
    await pause(300)
  },
  'charged twice': async (buyer: Buyer) => {
    await buyer.arrive()
    await buyer.pay('trial_1')
    await chargeAgain(buyer)
    await pause(300)
  },
} as const satisfies Record<string, (buyer: Buyer) => Promise<void>>

export const FLOW_NAMES = Object.keys(FLOWS) as FlowName[]

/** P-14: a second first payment of the session succeeds at Stripe, as two tabs from two releases could cause. */
export async function chargeAgain(buyer: Buyer): Promise<void> {
  await secondIntent(buyer, { payment_method: 'pm_card_visa', confirm: 'true' })
}

/** A second intent for a session's first payment, which no row of the service records. */
export async function secondIntent(buyer: Buyer, more: Record<string, string> = {}): Promise<Opened> {
  const { world, sessionId } = buyer
  world.duplicatesAllowed.add(sessionId)
  const first = await customerOf(buyer)
  const { body } = await world.stripe('dashboard', 'POST', '/v1/payment_intents', {
    amount: String(product('trial_1').price),
    currency: 'usd',
    customer: first.stripe_customer_id ?? '',
    // saved for renewals, whichever of the two is kept
    setup_future_usage: 'off_session',
    ...more,
    'allowed_payment_method_types[0]': 'card',
    'metadata[session_id]': sessionId,
    'metadata[product_id]': 'trial_1',
    'metadata[purpose]': 'first',
  })
  return { paymentIntentId: body.id, clientSecret: body.client_secret }
}

/** Retries while a case keeps the database unavailable. */
async function customerOf({ world, sessionId }: Buyer): Promise<{ stripe_customer_id: string | null }> {
  const query = world.db.selectFrom('customers').select(['stripe_customer_id']).where('session_id', '=', sessionId)
  for (let attempt = 1; ; attempt++) {
    try {
      return await query.executeTakeFirstOrThrow()
    } catch (error) {
      if (attempt === 20) throw error
      await pause(500)
    }
  }
}
