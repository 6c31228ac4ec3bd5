import { useEffect, useRef, useState } from 'react'
import { ask } from './client.ts'
import { clock, createPlayTime, spoken } from './play-time.ts'

interface Props {
  day: number
  src: string
  title: string
  /** As the service measured it; shown until the browser knows better. */
  seconds: number | null
  onHeard: (heard: number, counted: boolean) => void
}

/** Seconds of sound between two reports. */
const REPORT_EVERY = 10
const SKIP = 10

/**
 * play, back and ahead, a position to drag, all usable by keyboard and screen reader; reports the seconds really
 * heard.
 */
export function Player({ day, src, title, seconds, onHeard }: Props) {
  const audio = useRef<HTMLAudioElement>(null)
  const time = useRef(createPlayTime())
  const sending = useRef(false)
  const [playing, setPlaying] = useState(false)
  const [waiting, setWaiting] = useState(false)
  const [position, setPosition] = useState(0)
  const [length, setLength] = useState(seconds ?? 0)
  const [broken, setBroken] = useState(false)

  async function report(keepalive = false): Promise<void> {
    const pending = time.current.pending()
    if (sending.current || pending < 1) return
    sending.current = true
    const outcome = await ask('listening', { path: { day: String(day) }, body: { seconds: pending }, keepalive })
    sending.current = false
    if (outcome.ok) {
      time.current.reported(pending)
      onHeard(outcome.data.heard, outcome.data.counted)
    }
  }
  const reporter = useRef(report)
  useEffect(() => {
    reporter.current = report
  })
  useEffect(() => {
    const leave = (): void => {
      if (document.visibilityState === 'hidden') void reporter.current(true)
    }
    document.addEventListener('visibilitychange', leave)
    return () => document.removeEventListener('visibilitychange', leave)
  }, [])

  function toggle(): void {
    const player = audio.current
    if (!player) return
    if (!player.paused) return player.pause()
    setBroken(false)
    setWaiting(true)
    player.play().catch(() => {
      setWaiting(false)
      setBroken(true)
    })
  }
  function seek(to: number): void {
    const player = audio.current
    if (!player) return
    player.currentTime = Math.max(0, Math.min(length || to, to))
  }

  return (
    <div className="player" role="group" aria-label={`Audio: ${title}`}>
      <audio
        ref={audio}
        src={src}
        preload="metadata"
        onLoadedMetadata={({ currentTarget }) => {
          if (Number.isFinite(currentTarget.duration)) setLength(currentTarget.duration)
        }}
        onTimeUpdate={({ currentTarget }) => {
          time.current.moved(currentTarget.currentTime, !currentTarget.paused && !currentTarget.seeking)
          setPosition(currentTarget.currentTime)
          if (time.current.pending() >= REPORT_EVERY) void report()
        }}
        onSeeking={({ currentTarget }) => time.current.jumped(currentTarget.currentTime)}
        onPlaying={() => {
          setWaiting(false)
          setPlaying(true)
        }}
        onWaiting={() => setWaiting(true)}
        onPause={() => {
          setPlaying(false)
          setWaiting(false)
          void report()
        }}
        onEnded={() => {
          setPlaying(false)
          void report()
        }}
        onError={() => {
          setPlaying(false)
          setWaiting(false)
          setBroken(true)
        }}
      />
      <div className="player-row">
        <button
          type="button"
          className="player-skip"
          aria-label={`Back ${SKIP} seconds`}
          onClick={() => seek(position - SKIP)}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M4 4v6h6M4.6 14.5A8 8 0 1 0 6 6.7L4 9" />
          </svg>
        </button>
        <button
          type="button"
          className="player-main"
          aria-label={playing ? 'Pause' : 'Play'}
          aria-busy={waiting || undefined}
          onClick={toggle}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d={playing ? 'M7 5h4v14H7zM13.5 5h4v14h-4z' : 'M8 4.5v15l12-7.5z'} />
          </svg>
        </button>
        <button
          type="button"
          className="player-skip"
          aria-label={`Ahead ${SKIP} seconds`}
          onClick={() => seek(position + SKIP)}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M20 4v6h-6M19.4 14.5A8 8 0 1 1 18 6.7l2 2.3" />
          </svg>
        </button>
      </div>
      <div className="player-row">
        <span className="tabular small">{clock(position)}</span>
        <input
          className="player-position"
          type="range"
          min={0}
          max={Math.max(1, Math.floor(length))}
          step={1}
          value={Math.min(Math.floor(position), Math.max(1, Math.floor(length)))}
          aria-label="Position"
          aria-valuetext={`${spoken(position)} of ${spoken(length)}`}
          onChange={(event) => seek(Number(event.target.value))}
        />
        <span className="tabular small">{clock(length)}</span>
      </div>
      <p className="small player-word" role="status">
        {broken
          ? 'The audio does not play right now. The words below say the same. Press play to try again.'
          : waiting
            ? 'Loading the audio…'
            : ''}
      </p>
    </div>
  )
}
