import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { ExitRow } from './receive.ts'

/** The statements of the page /exit, newest first; those of one visit, also before they were carried out. */
export async function listExits(
  db: Database,
  of: { sessionId: string; email: string | null } | undefined,
): Promise<ExitRow[]> {
  return db
    .selectFrom('exit_requests')
    .selectAll()
    .$if(of !== undefined, (query) =>
      query.where(({ or, eb, fn }) =>
        or([
          eb('session_ids', '@>', sql<string[]>`array[${of?.sessionId ?? ''}]::uuid[]`),
          eb(fn<string>('lower', ['email']), '=', (of?.email ?? '').toLowerCase()),
        ]),
      ),
    )
    .orderBy('received_at', 'desc')
    .limit(100)
    .execute()
}
