/**
 * play time as it really was: the sound moved on while it played. Seeking, a paused player and a background tab
 * that stands still add nothing. Pure: the player hands in positions, the counter hands out seconds to report.
 */
export interface PlayTime {
  /** The player is at this position, in seconds; call it with every timeupdate. */
  moved(position: number, playing: boolean): void
  /** The position jumped: what lies between was not heard. */
  jumped(position: number): void
  /** Seconds that were not reported yet. */
  pending(): number
  /** Takes seconds off after the service has them. */
  reported(seconds: number): void
}

/** A player tells its position four times a second or so; a longer way between two of them was a jump. */
const LONGEST_STEP = 2.5

export function createPlayTime(): PlayTime {
  let last: number | null = null
  let pending = 0
  return {
    moved(position, playing) {
      if (last !== null && playing) {
        const step = position - last
        if (step > 0 && step <= LONGEST_STEP) pending += step
      }
      last = position
    },
    jumped(position) {
      last = position
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
  return minutes > 0 ? `${unit(minutes, 'minute')} ${unit(rest, 'second')}` : unit(rest, 'second')
}
