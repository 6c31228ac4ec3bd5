import { LISTENED_SHARE } from '../../contract/members.ts'

/** What is kept of one day of one account. */
export interface Heard {
  playedSeconds: number
  lengthSeconds: number
  lastReportAt: Date
  counted: boolean
}

/** Seconds that a first report can be about: they come every ten seconds or so. */
export const FIRST_REPORT = 20
/** Seconds that one report can be about: what a player keeps while the network is away. */
const LONGEST_REPORT = 120
/**
 * Above 1, because a report that was slow on its way leaves less time before the next; no session is heard at speed.
 */
const FASTEST = 1.25

/**
 * play time is believed only as far as time has passed since the last report, so that a session is listened to
 * by listening. Returns the new total, which never exceeds the length.
 */
export function addPlayTime(heard: Heard | null, seconds: number, length: number, now: Date): number {
  const passed = heard ? Math.max(0, (now.getTime() - heard.lastReportAt.getTime()) / 1000) : FIRST_REPORT
  const believed = Math.max(0, Math.min(seconds, passed * FASTEST, heard ? LONGEST_REPORT : FIRST_REPORT))
  return Math.min(length, Math.floor((heard?.playedSeconds ?? 0) + believed))
}

/** Whether enough of it was heard to count. */
export function countsAsListened(played: number, length: number): boolean {
  return played >= Math.floor(length * LISTENED_SHARE)
}

/** The day to listen to next: the first one that was not heard yet; null when all were. */
export function todayOf(days: readonly number[], listened: ReadonlySet<number>): number | null {
  return days.find((day) => !listened.has(day)) ?? null
}
