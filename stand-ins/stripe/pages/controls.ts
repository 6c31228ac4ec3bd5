// The operations of the JSON control API: clock, faults, webhooks, ledger, objects, disputes.
import { changeAccount } from '../account.ts'
import { type Engine } from '../engine.ts'
import { FAULT_MODES, type FaultMode, type Faults } from '../faults.ts'
import { invalid } from '../http/errors.ts'
import { closeDispute, isDisputeStatus, openDispute } from '../objects/disputes.ts'
import { endSubscription } from '../objects/invoices.ts'
import { refund, settleRefund } from '../objects/refunds.ts'
import { type Kind, type LedgerEntry } from '../types.ts'
import { ACCOUNT_VERSIONS } from '../versions.ts'
import { type Wallets, WALLETS } from '../wallets.ts'
import { type WebhookSettings } from '../webhooks.ts'
import { json, type PageReply } from './page-reply.ts'

const KINDS: Kind[] = [
  'customer',
  'product',
  'price',
  'payment_intent',
  'setup_intent',
  'payment_method',
  'charge',
  'refund',
  'dispute',
  'mandate',
  'subscription',
  'subscription_schedule',
  'invoice',
  'invoice_payment',
  'event',
  'webhook_endpoint',
  'payment_method_domain',
  'test_helpers.test_clock',
]

export function bad(message: string): PageReply {
  return json(400, { error: { message } })
}

/** The totals of the ledger, which tests compare with a database. */
function totals(engine: Engine): Record<string, unknown> {
  const charges = [...engine.state.table('charge').values()]
  const paid = charges.filter((one) => one.status === 'succeeded')
  return {
    charges_succeeded: paid.length,
    charges_failed: charges.length - paid.length,
    amount: paid.reduce((sum, one) => sum + one.amount, 0),
    refunded: paid.reduce((sum, one) => sum + one.amount_refunded, 0),
    customers: engine.state.table('customer').size,
    subscriptions: engine.state.table('subscription').size,
    live_subscriptions: [...engine.state.table('subscription').values()].filter((one) =>
      ['trialing', 'active', 'past_due'].includes(one.status),
    ).length,
    events: engine.state.table('event').size,
    undelivered: engine.webhooks.pending(),
  }
}

function clockState(engine: Engine): Record<string, unknown> {
  return { now: engine.state.now(), offset: engine.state.offset }
}

function numberIn(value: unknown, low: number, high: number): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= low && value <= high
}

function changeWebhooks(engine: Engine, input: Record<string, unknown>): PageReply {
  const patch: Partial<WebhookSettings> = {}
  if (input['mode'] !== undefined) {
    if (input['mode'] !== 'normal' && input['mode'] !== 'off' && input['mode'] !== 'lost')
      return bad('mode: normal, off or lost')
    patch.mode = input['mode']
  }
  for (const name of ['delay_ms', 'copies', 'shuffle_ms', 'retry_ms'] as const) {
    const value = input[name]
    if (value === undefined) continue
    if (!numberIn(value, name === 'copies' || name === 'retry_ms' ? 1 : 0, 3_600_000)) return bad(`${name}: a number`)
    patch[name] = value
  }
  engine.webhooks.configure(patch)
  return json(200, { settings: engine.webhooks.settings, pending: engine.webhooks.pending() })
}

function addFault(faults: Faults, input: Record<string, unknown>): PageReply {
  const mode = String(input['mode'])
  if (!(FAULT_MODES as readonly string[]).includes(mode)) return bad(`mode: one of ${FAULT_MODES.join(', ')}`)
  for (const name of ['times', 'after', 'ms'] as const) {
    if (input[name] !== undefined && !numberIn(input[name], 0, 1_000_000)) return bad(`${name}: a number`)
  }
  const from = input['from']
  if (from !== undefined && from !== 'server' && from !== 'browser' && from !== 'any')
    return bad('from: server, browser or any')
  const about = input['about']
  if (about !== undefined && !(Array.isArray(about) && about.every((id) => typeof id === 'string' && id !== '')))
    return bad('about: a list of ids')
  const pick = (name: string): Record<string, unknown> =>
    input[name] === undefined || input[name] === '' ? {} : { [name]: input[name] }
  return json(
    200,
    faults.add({
      mode: mode as FaultMode,
      ...pick('times'),
      ...pick('after'),
      ...pick('ms'),
      ...pick('method'),
      ...pick('path'),
      ...pick('from'),
      ...pick('about'),
    }),
  )
}

/** Does in one step what a person or a bank decides, and answers once it is on the disk. */
async function decided(engine: Engine, name: string, run: Parameters<Engine['job']>[1]): Promise<PageReply> {
  const made = engine.job(name, run)
  await engine.ledger.settled()
  return json(200, made)
}

/** What a control may read and change, and its input. */
interface Asked {
  engine: Engine
  faults: Faults
  wallets: Wallets
  input: Record<string, unknown>
  query: URLSearchParams
}

/** By method and path below `/_sandbox/`. */
export const CONTROLS: Readonly<Record<string, (asked: Asked) => PageReply | Promise<PageReply>>> = {
  'GET totals': ({ engine }) => json(200, totals(engine)),
  'GET clock': ({ engine }) => json(200, clockState(engine)),
  'POST clock': async ({ engine, input }) => {
    const seconds = numberIn(input['to'], 0, 1e11) ? input['to'] - engine.state.now() : input['advance']
    if (!numberIn(seconds, 0, 20 * 366 * 86_400))
      return bad('advance: seconds, or to: a later unix time; the clock goes forward only')
    engine.advance(Math.floor(seconds))
    await engine.ledger.settled()
    return json(200, clockState(engine))
  },
  'GET account': ({ engine }) => json(200, accountView(engine)),
  'POST account': ({ engine, input }) => {
    const version = input['api_version'] ?? engine.state.accountVersion
    if (typeof version !== 'string' || !ACCOUNT_VERSIONS.includes(version)) {
      return bad(`api_version: one of ${ACCOUNT_VERSIONS.join(', ')}`)
    }
    const wrong = changeAccount(engine.state.account, input)
    if (wrong) return bad(wrong)
    engine.state.accountVersion = version
    return json(200, accountView(engine))
  },
  'GET faults': ({ faults }) => json(200, { rules: faults.rules, modes: FAULT_MODES }),
  'POST faults': ({ faults, input }) => addFault(faults, input),
  'DELETE faults': ({ faults }) => {
    faults.clear()
    return json(200, { rules: [] })
  },
  'GET wallets': ({ wallets }) => json(200, { offered: wallets.offered }),
  'POST wallets': ({ wallets, input }) => {
    return wallets.offer(input['offered'])
      ? json(200, { offered: wallets.offered })
      : bad(`offered: a list of ${WALLETS.join(', ')}; empty for none`)
  },
  'GET webhooks': ({ engine }) =>
    json(200, {
      settings: engine.webhooks.settings,
      pending: engine.webhooks.pending(),
      endpoints: engine.webhooks.endpoints().map(({ secret: _, ...one }) => one),
      log: engine.webhooks.log.slice(-100),
    }),
  'POST webhooks': ({ engine, input }) => changeWebhooks(engine, input),
  'POST webhooks/resend': ({ engine, input }) => {
    const event = engine.state.table('event').get(String(input['event']))
    if (!event) return json(404, { error: { message: 'no such event' } })
    for (let n = 0; n < (numberIn(input['times'], 1, 1000) ? input['times'] : 1); n += 1) engine.webhooks.resend(event)
    return json(200, { event: event.id, endpoints: engine.webhooks.endpoints().length })
  },
  'GET ledger': async ({ engine, query }) => {
    await engine.ledger.settled()
    const after = Number(query.get('after') ?? 0)
    const limit = Number(query.get('limit') ?? Infinity)
    const entries: LedgerEntry[] = engine.ledger.read().filter((entry) => entry.seq > after)
    const newest = query.get('order') === 'newest' ? entries.reverse() : entries
    return json(200, { entries: newest.slice(0, limit) })
  },
  'GET objects': ({ engine, query }) => {
    const kind = query.get('kind') as Kind | null
    if (kind === null) return json(200, Object.fromEntries(KINDS.map((one) => [one, engine.state.table(one).size])))
    if (!KINDS.includes(kind)) return bad(`kind: one of ${KINDS.join(', ')}`)
    const all = [...engine.state.table(kind).values()].reverse()
    return json(200, { kind, total: all.length, data: all.slice(0, Number(query.get('limit') ?? 100)) })
  },
  'POST disputes': async ({ engine, input }) => {
    const id = String(input['charge'] ?? '')
    const charge = engine.state.table('charge').get(id)
    if (!charge || charge.status !== 'succeeded') return json(404, { error: { message: 'charge: a succeeded charge' } })
    return decided(engine, 'operator.dispute', (tx) =>
      openDispute(
        tx,
        tx.need('charge', id),
        String(input['reason'] ?? 'fraudulent'),
        isDisputeStatus(input['status']) ? input['status'] : undefined,
        typeof input['amount'] === 'number' ? input['amount'] : undefined,
      ),
    )
  },
  'POST disputes/close': async ({ engine, input }) => {
    const id = String(input['dispute'] ?? '')
    if (!engine.state.table('dispute').get(id)) return json(404, { error: { message: 'no such dispute' } })
    const status = input['status']
    if (!isDisputeStatus(status)) return bad("status: one of Stripe's")
    return decided(engine, 'operator.dispute', (tx) => closeDispute(tx, tx.need('dispute', id), status))
  },
  'POST refunds': async ({ engine, input }) => {
    return decided(engine, 'operator.refund', (tx) => refund(tx, { charge: String(input['charge'] ?? '') }))
  },
  'POST subscriptions/cancel': async ({ engine, input }) => {
    const id = String(input['subscription'] ?? '')
    return decided(engine, 'operator.cancel', (tx) => {
      const old = tx.need('subscription', id)
      if (old.status === 'canceled') throw invalid(`Subscription ${id} is canceled already.`)
      return endSubscription(tx, old, 'cancellation_requested')
    })
  },
  'POST refunds/settle': async ({ engine, input }) => {
    const id = String(input['refund'] ?? '')
    if (!engine.state.table('refund').get(id)) return json(404, { error: { message: 'no such refund' } })
    const { status, reason } = input
    if (status !== 'succeeded' && status !== 'failed') return bad('status: succeeded or failed')
    return decided(engine, 'operator.refund', (tx) =>
      settleRefund(tx, tx.need('refund', id), status, typeof reason === 'string' ? reason : undefined),
    )
  },
}

/** What is set for the account: the API version of its events and how its renewals are collected. */
const accountView = ({ state }: Engine) => ({ ...state.account, api_version: state.accountVersion })
