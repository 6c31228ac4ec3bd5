import type { MailKind } from '../mail/mail.ts'

/**
 * What a waiting job is about. money: a buyer is owed something or is still charged, so the job outlives everything,
 * the erasure of its visitor too; mail and event: they name the visitor and go with them (D-12).
 */
type JobClass = 'money' | 'mail' | 'event'

/**
 * Every kind of job with its class; kinds are derived from this table, so none lacks a class. `:*` stands for any mail
 * and any event.
 */
const CLASSES = {
  'mail:*': 'mail',
  'conversion:*': 'event',
  readdress_customer: 'mail',
  asked_mail: 'mail',
  refund_duplicate: 'money',
  undo_add_on: 'money',
  money_back: 'money',
  refund_owed: 'money',
  end_subscription: 'money',
  cancel_intents: 'money',
  change_price: 'money',
  close_programme: 'money',
  exit_received: 'money',
  exit_withdrawal: 'money',
} as const satisfies Record<string, JobClass>

type Listed = keyof typeof CLASSES

/**
 * T-03: the events reported to advertisers, each at most once. Purchase and Subscribe are queued where the money is
 * settled.
 */
export type ConversionName = 'Lead' | 'InitiateCheckout' | 'Purchase' | 'Subscribe' | 'Contact'

/**
 * What is sent out of this service. `mail:*` payloads hold facts as of the moment that makes them true ({intentId,
 * productId, amount, …}, ISO dates, cents), to which the sender adds address, name and signed links; or, as `mail`, a
 * mail that is written already. `conversion:*` payloads hold {eventId, name, value, currency, at}.
 */
export type OutboxKind = {
  [Kind in Listed]: Kind extends 'mail:*'
    ? `mail:${MailKind}`
    : Kind extends 'conversion:*'
      ? `conversion:${ConversionName}`
      : Kind
}[Listed]

/** The kinds of class money. */
export type MoneyKind = { [Kind in Listed]: (typeof CLASSES)[Kind] extends 'money' ? Kind : never }[Listed]

const listed = (): [Listed, JobClass][] => Object.entries(CLASSES) as [Listed, JobClass][]

/** For SQL: `kind = any(${MONEY_KINDS})`. */
export const MONEY_KINDS = listed().flatMap(([kind, of]) => (of === 'money' ? [kind] : [])) as MoneyKind[]

/** The class of a kind; undefined for one that another version of the service wrote. */
export function classOf(kind: string): JobClass | undefined {
  return new Map<string, JobClass>(listed()).get(kind.replace(/:.*/, ':*'))
}

/** Patterns of all kinds that are not of class money, for SQL: `kind like any(${PERSONAL_KINDS})`. */
export const PERSONAL_KINDS = listed().flatMap(([kind, of]) => (of === 'money' ? [] : [kind.replace('*', '%')]))
