/** P-12: what an operator paid back in another way stays known when the same debt comes up again. */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    -- what was settled of it before it was opened again, oldest first: [{"cents": …, "at": …, "by": …}]
    alter table owed_refunds add settled_before jsonb not null default '[]';
  `,
    )
    .execute(db)
}
