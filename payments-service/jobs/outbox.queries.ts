import { createHash } from 'node:crypto'
import type { Database } from '../../db/connect.ts'
import type { MailKind } from '../mail/mail.ts'

/**
 * What leaves the house. `mail:*` payloads hold facts ({intentId, productId, amount, …}, ISO dates, cents): the sender
 * adds address, name and signed links. `conversion:*` payloads hold {eventId, name, value, currency, at}.
 */
export type OutboxKind =
  | `mail:${MailKind}`
  | `conversion:${'Lead' | 'InitiateCheckout' | 'Purchase' | 'Subscribe' | 'Contact'}`
  | 'refund_duplicate'
  | 'money_back'
  | 'end_subscription'
  | 'refund_after_cancellation'
  | 'undo_add_on'
  | 'readdress_customer'
  | 'asked_mail'

export interface OutboxEntry {
  kind: OutboxKind
  /** The reason, once for ever: a second entry of the same reason is no entry. */
  reason: string
  /** Null for what belongs to no visit. */
  sessionId: string | null
  payload: object
}

/** A stable id for what a reason sends: Message-ID and event id are the same on every try. */
export function stableId(reason: string): string {
  return createHash('sha256').update(reason).digest('hex').slice(0, 32)
}

/** Written in the transaction that makes the thing true. Returns whether it is new. */
export async function enqueue(tx: Database, entry: OutboxEntry): Promise<boolean> {
  return (await enqueueAll(tx, [entry])) > 0
}

/** Several at once. Returns how many are new. */
export async function enqueueAll(tx: Database, entries: readonly OutboxEntry[]): Promise<number> {
  if (entries.length === 0) return 0
  const made = await tx
    .insertInto('outbox')
    .values(
      entries.map((entry) => {
        const dedupe = `${entry.kind}:${entry.reason}`
        return {
          kind: entry.kind,
          dedupe_key: dedupe,
          session_id: entry.sessionId,
          payload: JSON.stringify(entry.payload),
          message_id: entry.kind.startsWith('mail:') ? `<${stableId(dedupe)}@mail.funnel>` : null,
        }
      }),
    )
    .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
    .returning('id')
    .execute()
  return made.length
}
