import type { Database } from '../../db/connect.ts'

/**
 * Locks a visit until the transaction ends. Whoever writes about its money takes this lock first, so that two of them
 * see what the other wrote (P-14) and never wait for each other in a circle.
 */
export async function lockSession(tx: Database, sessionId: string): Promise<void> {
  await tx.selectFrom('sessions').select('id').where('id', '=', sessionId).forUpdate().execute()
}
