/** Which payment, subscription or customer an event is about, whatever API version it was rendered in. */
import type { Deps } from '../deps.ts'
import { Refused } from '../queue/queue.ts'
import type { LinkedObject } from '../stripe/links.ts'
import type { EventObject } from './event-table.ts'

/**
 * An event of a type or shape that this release cannot read: trying again changes nothing, an operator has to see it.
 */
export class Unreadable extends Refused {
  constructor(what: string) {
    super(`this event cannot be read: ${what}`)
    this.name = 'Unreadable'
  }
}

type Json = Record<string, unknown>
const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

/** An id where Stripe puts either an id or the expanded object. */
function idIn(value: unknown): string | null {
  const id = typeof value === 'string' ? value : object(value)['id']
  return typeof id === 'string' && id !== '' ? id : null
}

/** Where the API versions put the link: an invoice's subscription moved under `parent` with 2025-03-31.basil. */
const LINKS: Record<LinkedObject, (it: Json) => string | null> = {
  charge: (it) => idIn(it['payment_intent']),
  refund: (it) => idIn(it['payment_intent']),
  dispute: (it) => idIn(it['payment_intent']),
  invoice: (it) =>
    idIn(object(object(it['parent'])['subscription_details'])['subscription']) ?? idIn(it['subscription']),
  discount: (it) => idIn(it['customer']),
  invoiceitem: (it) => idIn(it['customer']),
  // https://docs.stripe.com/api/subscription_schedules/object: once released, it is attached to none
  subscription_schedule: (it) => idIn(it['subscription']) ?? idIn(it['released_subscription']),
}

const isLinked = (kind: EventObject): kind is EventObject & LinkedObject => Object.hasOwn(LINKS, kind)

const objectOf = (payload: unknown): Json => object(object(object(payload)['data'])['object'])

/** The id of what an event is about, as far as the event shows it. */
export function shownSubject(payload: unknown, kind: EventObject): string | null {
  const it = objectOf(payload)
  if (it['object'] !== kind) return null
  return isLinked(kind) ? LINKS[kind](it) : idIn(it)
}

/**
 * The id of the payment intent, set-up, subscription or customer that an event's object is or belongs to. If the event
 * does not show it, Stripe is asked, in our version. Null: it belongs to none, so it is not ours. Throws Unreadable for
 * an event without the object it should have, StripeFailure.
 */
export async function subjectOf({ stripe }: Pick<Deps, 'stripe'>, payload: unknown, kind: EventObject) {
  const it = objectOf(payload)
  if (it['object'] !== kind)
    throw new Unreadable(`its object is not a ${kind} but ${String(it['object'] ?? 'missing')}`)
  const shown = shownSubject(payload, kind)
  if (shown) return shown
  const id = idIn(it)
  if (!id || !isLinked(kind)) throw new Unreadable(`its ${kind} has no id`)
  return stripe.readLink(kind, id, undefined)
}
