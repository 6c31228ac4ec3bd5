/** H-04: which cancellation was taken back last, so that a late step of ours for it is not taken for a new one. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- the latest cancellation that was taken back, by when it had been received
    alter table subscriptions add cancel_taken_back timestamptz;
  `,
    )
    .execute(db)
}
