import type { Deps } from '../deps.ts'
import { enqueueConversion } from '../jobs/conversions.ts'
import type { Session } from './access.ts'
import { updateSession } from './sessions.queries.ts'

/** T-03: keeps the address that a visitor gives; the first one is a Lead. False once the session is paid. */
export async function keepAddress(
  { db, wake }: Pick<Deps, 'db' | 'wake'>,
  { id, email: known }: Pick<Session, 'id' | 'email'>,
  change: { email: string; name?: string },
): Promise<boolean> {
  if (known !== null) return updateSession(db, id, change)
  const kept = await db.transaction().execute(async (tx) => {
    const updated = await updateSession(tx, id, change)
    if (updated) await enqueueConversion(tx, 'Lead', id, id)
    return updated
  })
  if (kept) wake('outbox')
  return kept
}
