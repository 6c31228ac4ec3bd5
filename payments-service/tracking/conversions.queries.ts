import type { Database } from '../../db/connect.ts'

/** What an event may use about its visitor. */
export function findConversionPerson(db: Database, sessionId: string) {
  return db
    .selectFrom('sessions as s')
    .leftJoin('session_metadata as m', 'm.session_id', 's.id')
    .select([
      's.email',
      's.name',
      's.is_bot',
      'm.user_agent',
      'm.fbc',
      'm.fbp',
      'm.fbclid',
      'm.country',
      'm.city',
      's.created_at',
    ])
    .where('s.id', '=', sessionId)
    .executeTakeFirst()
}
