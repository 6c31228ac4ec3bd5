import type {
  GuideContent,
  ListeningResponse,
  ProgrammeDay,
  ProgrammeView,
  SessionContent,
} from '../../contract/members.ts'
import { weekOf } from '../../contract/programme.ts'
import { DAY } from '../../contract/time.ts'
import type { Member } from '../accounts/member.ts'
import type { Database } from '../../db/connect.ts'
import type { Deps } from '../deps.ts'
import { openedBy } from '../grants/open.ts'
import { AppError } from '../http/errors.ts'
import { createProgramme, type Day, type ProgrammeContent } from './content.ts'
import { addPlayTime, countsAsListened, type Heard, todayOf } from './listening.ts'

export function programmeContent({ lake, log }: Deps): ProgrammeContent | null {
  return lake && createProgramme(lake, log)
}

/** What a member heard, by day. */
async function heardBy(db: Database, userId: string): Promise<Map<number, Heard & { countedAt: Date | null }>> {
  const rows = await db.selectFrom('listened_sessions').selectAll().where('user_id', '=', userId).execute()
  return new Map(
    rows.map((row) => [
      row.day,
      {
        playedSeconds: row.played_seconds,
        lengthSeconds: row.length_seconds,
        lastReportAt: row.last_report_at,
        counted: row.counted_at !== null,
        countedAt: row.counted_at,
      },
    ]),
  )
}

/** Content is refused here, on every request, whatever a page shows. Throws no_access, service_unavailable. */
async function open(deps: Deps, content: ProgrammeContent | null, member: Member): Promise<ProgrammeContent> {
  const { programme } = await openedBy(deps.db, member.sessionIds)
  if (!programme) throw new AppError('no_access')
  if (!content) throw new AppError('service_unavailable')
  return content
}

/** Days up to today's are open, and those heard before, wherever an editor has put them since. */
const mayOpen = (day: number, today: number | null, heard: ReadonlyMap<number, Heard>): boolean =>
  today === null || day <= today || heard.has(day)

const share = (heard: Heard | undefined): number =>
  heard ? (heard.counted ? 1 : Math.min(1, heard.playedSeconds / heard.lengthSeconds)) : 0

/**
 * The six weeks and the member's progress. Includes guides whether or not the programme is open, because they are for
 * life.
 */
export async function viewProgramme(
  deps: Deps,
  content: ProgrammeContent | null,
  member: Member,
): Promise<ProgrammeView> {
  const { programme, guides: owned } = await openedBy(deps.db, member.sessionIds)
  if (!programme && owned.length === 0) throw new AppError('no_access')
  if (!content) throw new AppError('service_unavailable')
  const { weeks, days } = await content.plan()
  const heard = await heardBy(deps.db, member.userId)
  const listened = new Set([...heard].filter(([, one]) => one.counted).map(([day]) => day))
  const today = todayOf(days, listened)
  const stateOf = ({ day }: Day): ProgrammeDay['state'] =>
    listened.has(day) ? 'listened' : day === today ? 'today' : mayOpen(day, today, heard) ? 'open' : 'locked'
  const last = Math.max(0, ...[...heard.values()].map(({ countedAt }) => countedAt?.getTime() ?? 0))
  const guides = await content.guides()
  return {
    weeks: programme
      ? weeks.map((week) => ({
          ...week,
          days: days
            .filter(({ day }) => weekOf(day) === week.number)
            .map((one) => ({
              day: one.day,
              week: week.number,
              title: one.title,
              minutes: one.minutes,
              state: stateOf(one),
              heard: share(heard.get(one.day)),
            })),
        }))
      : [],
    today: programme ? today : null,
    doneToday: Date.now() - last < DAY / 2,
    lastListenedAt: last ? new Date(last).toISOString() : null,
    listened: listened.size,
    guides: owned.flatMap((id) =>
      guides
        .filter(({ productId }) => productId === id)
        .map(({ productId, title, emoji, intro }) => ({ productId, title, emoji, intro })),
    ),
  }
}

/** A day that the member may open: the next one or one heard before. Throws no_access, not_found, not_yet. */
export async function openDay(
  deps: Deps,
  content: ProgrammeContent | null,
  member: Member,
  wanted: string,
): Promise<{ day: Day; heard: Heard | null; content: ProgrammeContent }> {
  const opened = await open(deps, content, member)
  const { days } = await opened.plan()
  const day = days.find((one) => String(one.day) === wanted)
  if (!day) throw new AppError('not_found')
  const heard = await heardBy(deps.db, member.userId)
  const listened = new Set([...heard].filter(([, one]) => one.counted).map(([number]) => number))
  if (!mayOpen(day.day, todayOf(days, listened), heard)) throw new AppError('not_yet')
  return { day, heard: heard.get(day.day) ?? null, content: opened }
}

export async function viewDay(
  deps: Deps,
  content: ProgrammeContent | null,
  member: Member,
  wanted: string,
): Promise<SessionContent> {
  const { day, heard, content: opened } = await openDay(deps, content, member, wanted)
  const length = day.audio ? await lengthOf(deps, opened, day) : null
  if (length !== null && !heard) await noteOpened(deps.db, member.userId, day.day, length)
  return {
    day: day.day,
    week: weekOf(day.day),
    title: day.title,
    intro: day.intro,
    minutes: day.minutes,
    steps: day.steps,
    audioUrl: day.audio ? `/api/programme/days/${day.day}/audio` : null,
    audioSeconds: length,
    transcript: day.transcript,
    listened: heard?.counted ?? false,
    heard: share(heard ?? undefined),
    sample: day.sample,
  }
}

/** The first report is measured from here on: where the network goes with Play, it comes only when all was heard. */
async function noteOpened(db: Database, userId: string, day: number, length: number): Promise<void> {
  await db
    .insertInto('listened_sessions')
    .values({ user_id: userId, day, played_seconds: 0, length_seconds: length, last_report_at: new Date() })
    .onConflict((conflict) => conflict.columns(['user_id', 'day']).doNothing())
    .execute()
}

/** The length of a session in seconds: its recording's, else its steps'. */
async function lengthOf({ log }: Deps, content: ProgrammeContent, day: Day): Promise<number> {
  const steps = day.steps.reduce((sum, { seconds }) => sum + seconds, 0)
  if (!day.audio) return steps
  const measured = await content.seconds(day.audio).catch((error: unknown) => {
    log.warn({ err: error, day: day.day }, 'a recording could not be measured')
    return null
  })
  return Math.max(1, Math.round(measured ?? steps))
}

/** adds play time. A session is counted once, for good. */
export async function reportListening(
  deps: Deps,
  content: ProgrammeContent | null,
  member: Member,
  wanted: string,
  seconds: number,
): Promise<ListeningResponse> {
  const { day, content: opened } = await openDay(deps, content, member, wanted)
  const length = await lengthOf(deps, opened, day)
  const { db } = deps
  return db.transaction().execute(async (tx) => {
    // two tabs report at the same moment: one after the other
    const row = await tx
      .selectFrom('listened_sessions')
      .selectAll()
      .where('user_id', '=', member.userId)
      .where('day', '=', day.day)
      .forUpdate()
      .executeTakeFirst()
    const now = new Date()
    const before: Heard | null = row
      ? {
          playedSeconds: row.played_seconds,
          lengthSeconds: row.length_seconds,
          lastReportAt: row.last_report_at,
          counted: row.counted_at !== null,
        }
      : null
    const played = addPlayTime(before, seconds, length, now)
    const counted = (before?.counted ?? false) || countsAsListened(played, length)
    const written = {
      played_seconds: played,
      length_seconds: length,
      last_report_at: now,
      counted_at: row?.counted_at ?? (counted ? now : null),
    }
    await tx
      .insertInto('listened_sessions')
      .values({ user_id: member.userId, day: day.day, ...written })
      .onConflict((conflict) => conflict.columns(['user_id', 'day']).doUpdateSet(written))
      .execute()
    const { n } = await tx
      .selectFrom('listened_sessions')
      .select(({ fn }) => fn.countAll<string>().as('n'))
      .where('user_id', '=', member.userId)
      .where('counted_at', 'is not', null)
      .executeTakeFirstOrThrow()
    return { heard: counted ? 1 : Math.min(1, played / length), counted, listened: Number(n) }
  })
}

/** A guide that was bought. Throws no_access without a live grant for it. */
export async function viewGuide(
  deps: Deps,
  content: ProgrammeContent | null,
  member: Member,
  wanted: string,
): Promise<GuideContent> {
  const { guides } = await openedBy(deps.db, member.sessionIds)
  if (!guides.some((id) => id === wanted)) throw new AppError('no_access')
  if (!content) throw new AppError('service_unavailable')
  const found = (await content.guides()).find(({ productId }) => productId === wanted)
  if (!found) throw new AppError('not_found')
  return found
}
