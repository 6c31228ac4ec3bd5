/** What replicas know together: their signs, whose turn it is to look, which alerts hold and who was notified. */
import { sql } from 'kysely'
import type { Database } from '../../db/connect.ts'
import type { Sample } from '../metrics/metrics.ts'

/**
 * Seconds after which a condition that is over is said to be over, so that one that comes and goes is reported once.
 */
export const QUIET = 300

/** Notes what this replica sees of itself. */
export async function noteSigns(db: Database, replica: string, signs: readonly Sample[]): Promise<void> {
  await sql`insert into replicas (id, signs) values (${replica}, ${JSON.stringify(signs)}::jsonb)
    on conflict (id) do update set signs = excluded.signs, at = now()`.execute(db)
}

/** What the other replicas saw of themselves at their last look. One that ended without a word is forgotten. */
export async function signsOfOthers(db: Database, replica: string): Promise<Sample[]> {
  await sql`delete from replicas where at < now() - interval '1 hour'`.execute(db)
  const { rows } = await sql<{ signs: Sample[] }>`
    select signs from replicas where id <> ${replica} and at > now() - interval '3 minutes'`.execute(db)
  return rows.flatMap(({ signs }) => signs)
}

export async function forgetSigns(db: Database, replica: string): Promise<void> {
  await sql`delete from replicas where id = ${replica}`.execute(db)
}

/** Takes the turn to look for all: one replica gets it in that many seconds. */
export async function takeTurn(db: Database, seconds: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`insert into bookmarks as mark (name, at) values ('alerts', now())
    on conflict (name) do update set at = now() where mark.at <= now() - make_interval(secs => ${seconds})`.execute(db)
  return numAffectedRows > 0n
}

/**
 * Notes which alerts hold now (holdingNow). What was never reported is forgotten when it is over. Those of a rule of
 * which nothing is known (`unread`) stay as they are.
 */
export async function noteHolding(db: Database, holding: readonly string[], unread: readonly string[]): Promise<void> {
  const gone = sql`rule <> all (${holding}::text[]) and split_part(rule, ' ', 1) <> all (${unread}::text[])`
  await sql`insert into alerts (rule) select unnest(${holding}::text[])
    on conflict (rule) do update set over_at = null, told_over = '{}', told = array(
      select unnest(alerts.told) except select unnest(alerts.told_over))`.execute(db)
  await sql`delete from alerts where ${gone} and told = '{}'`.execute(db)
  await sql`update alerts set over_at = now() where ${gone} and over_at is null`.execute(db)
}

export interface Standing {
  rule: string
  since: Date
  /** Seconds that it has held. */
  lasts: number
  /** It is over and stays so. */
  over: boolean
  told: string[]
  told_over: string[]
}

export async function readStanding(db: Database): Promise<Standing[]> {
  const { rows } = await sql<Standing>`
    select rule, since, extract(epoch from now() - since)::float as lasts, told, told_over,
      coalesce(over_at <= now() - make_interval(secs => ${QUIET}), false) as over
    from alerts order by since, rule`.execute(db)
  return rows
}

export async function noteTold(db: Database, rule: string, channel: string, over: boolean): Promise<void> {
  const column = sql.ref(over ? 'told_over' : 'told')
  await sql`update alerts set ${column} = ${column} || ${channel}::text where rule = ${rule}`.execute(db)
}

export async function forgetAlert(db: Database, rule: string): Promise<void> {
  await sql`delete from alerts where rule = ${rule}`.execute(db)
}
