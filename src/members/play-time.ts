/**
 * real play time: the sound moved on while it played, by no more than time passed. Seeking, a pause and a stalled
 * player add nothing. Pure: the player passes positions in, the counter returns the seconds to report.
 */
export interface PlayTime {
  /** The player is at this position, in seconds; call it with every timeupdate. */
  moved(position: number, playing: boolean): void
  /** The position jumped: what lies between was not heard. */
  jumped(position: number): void
  /** Seconds that were not reported yet. */
  pending(): number
  /** Subtracts seconds once the service has them. */
  reported(seconds: number): void
}

/** How far, in seconds, a position may be ahead of the clock: players report it late, and not at even distances. */
const SLACK = 1

/** `now` in milliseconds. A phone that is locked may report a position after minutes: they were heard all the same. */
export function createPlayTime(now: () => number = () => performance.now()): PlayTime {
  let last: number | null = null
  let at = 0
  let pending = 0
  return {
    moved(position, playing) {
      if (last !== null && playing) {
        const step = position - last
        if (step > 0 && step <= (now() - at) / 1000 + SLACK) pending += step
      }
      last = position
      at = now()
    },
    jumped(position) {
      last = position
      at = now()
    },
    pending: () => pending,
    reported(seconds) {
      pending = Math.max(0, pending - seconds)
    },
  }
}

/** "1:07". */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** The same for a screen reader: "1 minute 7 seconds". */
export function spoken(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60]
  const unit = (count: number, name: string) => `${count} ${name}${count === 1 ? '' : 's'}`
  const seconded = unit(rest, 'second')
  if (minutes === 0) return seconded
  return rest === 0 ? unit(minutes, 'minute') : `${unit(minutes, 'minute')} ${seconded}`
}
