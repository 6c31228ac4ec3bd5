import { LISTENED_SHARE } from '../../contract/members.ts'

/** What is stored about one day of one account. */
export interface Heard {
  playedSeconds: number
  lengthSeconds: number
  lastReportAt: Date
  counted: boolean
}

/** The most seconds of a first report on a day that was not opened before: reports come about every ten seconds. */
export const FIRST_REPORT = 20
/** Above 1, because a delayed report leaves less time before the next; sessions cannot be played faster. */
const FASTEST = 1.25

/**
 * play time counts only up to the time that has passed since the last report, or since the day was first opened,
 * so that a session takes its time, also one that was heard offline and is reported at its end. Returns the new total,
 * which never exceeds the length.
 */
export function addPlayTime(heard: Heard | null, seconds: number, length: number, now: Date): number {
  const passed = heard ? (now.getTime() - heard.lastReportAt.getTime()) / 1000 : 0
  const believed = Math.max(0, Math.min(seconds, heard ? passed * FASTEST : FIRST_REPORT))
  return Math.min(length, Math.floor((heard?.playedSeconds ?? 0) + believed))
}

/** Whether enough of it was heard to count. */
export function countsAsListened(played: number, length: number): boolean {
  return played >= Math.floor(length * LISTENED_SHARE)
}

/**
 * The day to listen to next: the first one with a recording that was not heard yet; null when all were. A day without
 * one cannot be heard, and no later day waits for it.
 */
export function todayOf(
  days: readonly { day: number; audio: unknown }[],
  listened: ReadonlySet<number>,
): number | null {
  return days.find(({ day, audio }) => audio !== null && !listened.has(day))?.day ?? null
}
