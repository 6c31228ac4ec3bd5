import type { Database } from '../../db/connect.ts'

/**
 * Locks a visit until the transaction ends. All code that writes about its money takes this lock first, so that
 * concurrent writers see each other's writes (P-14) and never deadlock. Without it, one that writes a row twice does:
 * PostgreSQL checks a row's reference to the visit anew when the row was written in the same transaction.
 */
export async function lockSession(tx: Database, sessionId: string): Promise<void> {
  await tx.selectFrom('sessions').select('id').where('id', '=', sessionId).forUpdate().execute()
}
