/**
 * Who is charging (or taking back) add-ons of a session at this moment: one after the other,
 * in every replica (U-03, U-08).
 */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    create table upsell_turns (
      session_id uuid primary key references sessions,
      holder uuid not null,
      -- a replica that died holds nobody up for longer than this
      until timestamptz not null
    );
  `,
    )
    .execute(db)
}
