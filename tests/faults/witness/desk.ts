/** What others do to a buyer: the operator here, or at Stripe, of which the service learns only by event. */
import { decideMoneyBack } from '../../../payments-service/money-back/decide.ts'
import type { Claim } from './claims.ts'
import type { Stage } from './stage.ts'

/** What the desk knows of a buyer, and where it records what it did. */
interface Customer {
  stage: Stage
  /** Every address so far, the current one last. */
  emails: readonly string[]
  sessions: readonly string[]
  say(source: string, claim: Claim): void
}

/* eslint-disable @typescript-eslint/no-explicit-any -- Stripe's objects, of which a few fields are read */
/** The customers, subscriptions and charges of a buyer at this moment. */
export async function findAtStripe({
  stage,
  emails,
}: Customer): Promise<{ ids: string[]; customers: any[]; subscription: any }> {
  const get = async (path: string, form: Record<string, string>) =>
    (await stage.world.stripe('dashboard', 'GET', path, form)).body.data as any[]
  const customers = (await Promise.all(emails.map((email) => get('/v1/customers', { email })))).flat()
  const subscriptions = (
    await Promise.all(customers.map(({ id }) => get('/v1/subscriptions', { customer: id, status: 'all' })))
  ).flat()
  const live = subscriptions.find(({ status }) => ['trialing', 'active', 'past_due', 'unpaid'].includes(status))
  return { ids: [...customers, ...subscriptions].map(({ id }) => id as string), customers, subscription: live }
}

/** The status a dispute is taken to, and those from which it can be. */
const DECIDED = {
  lost: ['lost', /^(needs_response|under_review|warning_needs_response|appeal_)/],
  won: ['won', /^(needs_response|under_review|lost|appeal_)/],
  appeal: ['appeal_under_review', /^lost$/],
} as const

async function decideDispute({ world }: Stage, disputed: readonly any[], what: keyof typeof DECIDED) {
  const found = await Promise.all(
    disputed.map(({ id }) => world.stripe('dashboard', 'GET', '/v1/disputes', { charge: id })),
  )
  const [status, from] = DECIDED[what]
  const dispute = found.flatMap(({ body }) => body.data as any[]).find((one) => from.test(one.status))?.id
  const closed = dispute && (await world.control('POST', 'disputes/close', { dispute, status }))
  return closed?.id ? { status: 200 } : undefined
}

/** Cards to which a subscription is moved: refused when charged, charged, and wanting each charge confirmed. */
const METHODS = {
  'bad card': 'pm_card_chargeCustomerFail',
  'good card': 'pm_card_visa',
  'asking card': 'pm_card_authenticationRequired',
} as const

/** This month is the card's last. */
async function endCard({ world, now }: Stage, id: string | undefined): Promise<void> {
  // a card is good to the end of its month, so one of this month may outlast the next charge
  const over = new Date(now() * 1000)
  over.setUTCDate(0)
  const form = {
    'card[exp_month]': String(over.getUTCMonth() + 1),
    'card[exp_year]': String(over.getUTCFullYear()),
  }
  if (id) await world.stripe('dashboard', 'POST', `/v1/payment_methods/${id}`, form)
}

/** Performs the action, where it applies, and notes that earlier statements about charges are void. */
export async function desk(customer: Customer, what: string): Promise<void> {
  // what goes wrong for the service may hit the operator instead, who tries again
  const again = () => act(customer, what)
  await again().catch(again).catch(again)
}

async function act(customer: Customer, what: string): Promise<void> {
  const { stage } = customer
  const { world } = stage
  const post = (path: string, form: Record<string, string>) => world.stripe('dashboard', 'POST', path, form)
  const { subscription, customers } = await findAtStripe(customer)
  const charges = async () =>
    (
      await Promise.all(
        customers.map(({ id }) => world.stripe('dashboard', 'GET', '/v1/charges', { customer: id, limit: '100' })),
      )
    )
      .flatMap(({ body }) => body.data as any[])
      .filter(({ status }) => status === 'succeeded')
  let done: { status: number } | undefined
  const change = async (form: Record<string, string>) =>
    subscription && post(`/v1/subscriptions/${subscription.id}`, form)
  switch (what) {
    case 'price':
      done = await change({
        'items[0][id]': subscription?.items.data[0].id,
        'items[0][price]': await stage.otherPrice(),
        proration_behavior: 'none',
      })
      break
    case 'later':
      if (subscription?.status === 'trialing')
        done = await change({ trial_end: String(subscription.trial_end + 7 * 86_400), proration_behavior: 'none' })
      break
    case 'pause':
      done = await change({ 'pause_collection[behavior]': 'void' })
      break
    case 'resume':
      if (subscription?.pause_collection) done = await change({ pause_collection: '' })
      break
    case 'cancel':
      if (subscription) done = await world.stripe('dashboard', 'DELETE', `/v1/subscriptions/${subscription.id}`)
      break
    case 'bad card':
    case 'good card':
    case 'asking card': {
      if (!subscription) break
      const { customer: owner } = subscription
      const { body } = await post(`/v1/payment_methods/${METHODS[what]}/attach`, { customer: owner })
      if (body.id) done = await change({ default_payment_method: body.id })
      break
    }
    case 'part':
    case 'all': {
      const [latest] = await charges()
      const left = latest ? latest.amount - latest.amount_refunded : 0
      if (left > 1)
        done = await post('/v1/refunds', {
          charge: latest.id,
          amount: String(what === 'all' ? left : Math.floor(left / 2)),
        })
      break
    }
    case 'dispute':
    case 'inquiry': {
      const latest = (await charges()).find(({ disputed }) => !disputed)
      const status = what === 'inquiry' ? { status: 'warning_needs_response' } : {}
      if (latest)
        done = (await world.control('POST', 'disputes', { charge: latest.id, ...status })).id
          ? { status: 200 }
          : undefined
      break
    }
    case 'end':
      done = await change({ cancel_at_period_end: 'true' })
      break
    case 'extra':
      if (subscription)
        done = await post('/v1/invoiceitems', { customer: subscription.customer, amount: '500', currency: 'usd' })
      break
    case 'void': {
      if (!subscription) break
      const form = { subscription: subscription.id, status: 'open' }
      const [open] = (await world.stripe('dashboard', 'GET', '/v1/invoices', form)).body.data as any[]
      if (open) done = await post(`/v1/invoices/${open.id}/void`, {})
      break
    }
    case 'lost':
    case 'won':
    case 'appeal':
      done = await decideDispute(
        stage,
        (await charges()).filter(({ disputed }) => disputed),
        what,
      )
      break
    case 'delete':
      for (const { id } of customers) done = await world.stripe('dashboard', 'DELETE', `/v1/customers/${id}`)
      break
    case 'expire':
      // what is charged by it later fails, and nothing that was said is void
      await endCard(stage, subscription?.default_payment_method)
  }
  if (done && done.status >= 500) throw new Error(`the dashboard answered ${done.status}`)
  if (done?.status === 200) customer.say('operator', { kind: 'changed' })
}
/* eslint-enable @typescript-eslint/no-explicit-any */

/** Decides the buyer's open request for money back. */
export async function decide({ stage, sessions }: Customer, decision: 'approve' | 'decline'): Promise<void> {
  const { db } = stage.world
  const open = await db
    .selectFrom('money_back_requests')
    .select('id')
    .where('session_id', 'in', sessions)
    .where('status', '=', 'open')
    .executeTakeFirst()
  if (open) await decideMoneyBack(stage.service.deps, open.id, { decision, reason: 'Not this time' }, 'operator')
}

/** Seven days of the programme, without the minutes of listening. */
export async function listen({ stage, emails }: Customer): Promise<void> {
  const { db } = stage.world
  const user = await db
    .selectFrom('auth_user')
    .select('id')
    .where('email', '=', emails.at(-1) ?? '')
    .executeTakeFirst()
  if (!user) return
  const heard = { user_id: user.id, length_seconds: 300, played_seconds: 300, counted_at: new Date() }
  const days = Array.from({ length: 7 }, (_, day) => ({ ...heard, day: day + 1 }))
  await db
    .insertInto('listened_sessions')
    .values(days)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
