/** D-13: "I can withdraw this at any time by writing to" us: what is done with such a letter. */
import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import { lastGranted, withdrawHealth } from '../sessions/consents.queries.ts'
import { type Chosen, findVisitor } from './visitor.ts'

/**
 * Takes the health consent of the chosen visits back and deletes their answers; orders and subscriptions go on.
 * Resolves to how many had a consent or answers.
 */
export async function withdrawHealthOf(db: Database, chosen: Chosen): Promise<number> {
  const { ids } = await findVisitor(db, chosen)
  const { rows } = await sql<{ id: string }>`select s.id from sessions s where s.id = any (${ids}::uuid[])
    and (${lastGranted('s.id', 'health')} or exists (select from quiz_answers q where q.session_id = s.id))`.execute(db)
  for (const { id } of rows) {
    await withdrawHealth(db, {
      session_id: id,
      kind: 'health',
      granted: false,
      wording: 'Taken back for the visitor, who wrote to us',
      // a choice without a version would give way to an earlier one that a browser tells again (tracking/consent.ts)
      wording_version: '1',
      // answers that come later are refused, too, until the visitor consents again (refuse_withdrawn_answer)
      page: 'operator',
    })
  }
  return rows.length
}

/** What was done, in words. */
export const withdrawnWords = (visits: number): string =>
  `Taken back for ${visits} ${visits === 1 ? 'visit' : 'visits'}; the answers are deleted.`
