import { sql } from 'kysely'

/**
 * The replication slots for which the server keeps its write-ahead log, as rows of a statement: `bytes` back from now,
 * `active` while something reads it. Unless `max_slot_wal_keep_size` is set, it keeps that log until its disk is full.
 */
export const KEPT_LOG = sql<{ slot: string; active: boolean; inactive_since: Date | null; bytes: number }>`(
  select slot_name::text as slot, active, inactive_since, pg_wal_lsn_diff(
    case when pg_is_in_recovery() then pg_last_wal_receive_lsn() else pg_current_wal_lsn() end, restart_lsn
  )::float as bytes
  from pg_replication_slots where restart_lsn is not null and wal_status is distinct from 'lost'
)`

/** Whether PostgreSQL refused a statement because the role may not read what it is about. */
export const isForbidden = (error: unknown): boolean => (error as { code?: string } | null)?.code === '42501'
