/** Backups that were taken, and what it takes to erase again after one was restored (D-12). */
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
    create table backups (
      id uuid primary key default uuidv7(),
      started_at timestamptz not null,
      checked_at timestamptz not null default now(),
      bytes bigint not null,
      -- a restored server, or a standby that took over, goes on with another one
      timeline int not null
    );

    alter table erasures
      -- what lay under the visitor's address alone was erased too
      add of_address boolean not null default false,
      -- carried out again on a restored database: what the visitor paid before it was in order
      add again boolean not null default false;
  `,
    )
    .execute(db)
}
