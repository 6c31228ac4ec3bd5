import { asRecord } from '../session/storage.ts'

/** C-04: the countdown starts at 949 seconds and survives a reload. */
export const COUNTDOWN_SECONDS = 949

/** When the countdown of a session began, in milliseconds; as it is stored. */
export interface CountdownStart {
  sessionId: string
  startedAt: number
}

export function asCountdownStart(value: unknown): CountdownStart | undefined {
  const { sessionId, startedAt } = asRecord(value) ?? {}
  return typeof sessionId === 'string' && typeof startedAt === 'number' ? { sessionId, startedAt } : undefined
}

/**
 * The valid start for a session now: the stored one, or a new one for another session or after the clock was set back.
 */
export function startOf(stored: CountdownStart | undefined, sessionId: string, now: number): CountdownStart {
  return stored?.sessionId === sessionId && stored.startedAt <= now ? stored : { sessionId, startedAt: now }
}

/** Whole seconds left, 0 when it is over. */
export function secondsLeft({ startedAt }: CountdownStart, now: number): number {
  return Math.max(0, COUNTDOWN_SECONDS - Math.floor((now - startedAt) / 1000))
}

/** 949 → "00:15:49". */
export const clockText = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 19)
