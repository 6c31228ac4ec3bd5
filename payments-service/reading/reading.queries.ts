import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'

export interface ReadingAnswers {
  count: number
  personalInsight: string | null
  birthDate: string | null
}

/** How many answers a session has, and the two that a reading is made of. */
export async function readReadingAnswers(db: Database, sessionId: string): Promise<ReadingAnswers> {
  const rows = await db
    .selectFrom('quiz_answers')
    .select(['question_id', 'answer'])
    .where('session_id', '=', sessionId)
    .execute()
  const answerOf = (question: string) => rows.find(({ question_id }) => question_id === question)?.answer ?? null
  return { count: rows.length, personalInsight: answerOf('personalInsight'), birthDate: answerOf('birthDate') }
}

/** The reading that a session has paid for; not live after a refund or a lost dispute. */
export function findReading(db: Database, sessionId: string) {
  return db
    .selectFrom('product_access_grants')
    .select(['product_id', sql<boolean>`revoked_at is null`.as('live')])
    .where('session_id', '=', sessionId)
    .where('granted_via', '=', 'reading')
    .orderBy('live', 'desc')
    .executeTakeFirst()
}

export async function writeStarseed(
  db: Database,
  sessionId: string,
  { type, name, description }: { type: string; name: string; description: string },
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ starseed_type: type, starseed_name: name, starseed_description: description })
    .where('id', '=', sessionId)
    .execute()
}
