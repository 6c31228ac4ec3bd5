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
      query.where(({ or, eb, fn, val }) =>
        or([
          eb(val(of?.sessionId ?? ''), '=', fn.any('session_ids')),
          eb(fn<string>('lower', ['email']), '=', (of?.email ?? '').toLowerCase()),
        ]),
      ),
    )
    .orderBy('received_at', 'desc')
    .limit(100)
    .execute()
}
