import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { parseEmail } from '../../contract/email.ts'
import { WITHDRAWAL_WAIT_HOURS } from '../../contract/exit.ts'
import type { ExitReceived, RequestOf } from '../../contract/api.ts'
import type { Database } from '../../db/connect.ts'
import type { ExitRequests } from '../../db/types.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../http/errors.ts'
import { enqueue } from '../jobs/outbox.queries.ts'

export type ExitRow = Selectable<ExitRequests>

/**
 * H-02, H-04: receives a statement, with the jobs that carry it out, and looks nothing up: a known address and an
 * unknown one cost the same. The same id again is the same statement. Throws invalid_body for what is not an address.
 */
export async function receiveExit(
  deps: Pick<Deps, 'db' | 'wake'>,
  stated: RequestOf<'leave'>,
  country: string | null,
): Promise<ExitReceived> {
  const email = parseEmail(stated.email)
  if (!email) throw new AppError('invalid_body', { field: 'email' })
  const { id = randomUUID(), kind, name, reason } = stated
  const wait = kind === 'withdraw' ? WITHDRAWAL_WAIT_HOURS : 0
  const contract = kind === 'end' ? ('subscription' as const) : stated.contract
  const row = await deps.db.transaction().execute(async (tx) => {
    const made = await tx
      .insertInto('exit_requests')
      .values({
        id,
        kind,
        contract,
        name,
        email,
        reason: reason || null,
        country,
        // the database's clock, as that of the charges it is compared with
        effect_at: sql<Date>`now() + make_interval(hours => ${wait})`,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!made) return readExit(tx, id)
    const common = { reason: id, sessionId: null, payload: { exit: id } }
    await enqueue(tx, { kind: 'exit_received', ...common })
    if (kind === 'withdraw') await enqueue(tx, { kind: 'exit_withdrawal', ...common, sendAt: made.effect_at })
    return made
  })
  if (!row) throw new AppError('internal')
  deps.wake('outbox')
  return { receivedAt: row.received_at.toISOString(), effectAt: row.effect_at.toISOString() }
}

export function readExit(db: Database, id: string): Promise<ExitRow | undefined> {
  return db.selectFrom('exit_requests').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The same, locked until the transaction ends: a statement is carried out or taken back, never both. */
export function lockExit(tx: Database, id: string): Promise<ExitRow | undefined> {
  return tx.selectFrom('exit_requests').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}
