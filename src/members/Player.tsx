import { useRef, useState } from 'react'
import { clock, spoken } from './play-time.ts'
import { useAwake } from './useAwake.ts'
import { useListening } from './useListening.ts'
import { useLockScreen } from './useLockScreen.ts'

interface Props {
  day: number
  src: string
  title: string
  /** As the service measured it; shown until the browser knows better. */
  seconds: number | null
  onHeard: (heard: number, counted: boolean) => void
}

const SKIP = 10

/**
 * play, back and ahead, a position to drag, all usable by keyboard and screen reader; reports the seconds really
 * heard.
 */
export function Player({ day, src, title, seconds, onHeard }: Props) {
  const audio = useRef<HTMLAudioElement>(null)
  const listening = useListening(day, onHeard)
  const [playing, setPlaying] = useState(false)
  const [waiting, setWaiting] = useState(false)
  const [position, setPosition] = useState(0)
  const [length, setLength] = useState(seconds ?? 0)
  const [broken, setBroken] = useState(false)
  useAwake(playing)
  useLockScreen(audio, { title, day, skip: SKIP })

  function toggle(): void {
    const player = audio.current
    if (!player) return
    if (!player.paused) return player.pause()
    setBroken(false)
    setWaiting(true)
    if (player.error) {
      // an element that has failed plays again only after it was loaded anew, from its beginning
      const at = player.currentTime
      player.load()
      player.currentTime = at
    }
    player.play().catch((reason: unknown) => {
      // paused again before it had begun
      if (reason instanceof DOMException && reason.name === 'AbortError') return
      setWaiting(false)
      setBroken(true)
    })
  }
  function seek(to: number): void {
    const player = audio.current
    if (!player) return
    // shown at once: the sound reports it when it has come, and until then each key would begin where the last one did
    const at = Math.max(0, Math.min(length || to, to))
    player.currentTime = at
    setPosition(at)
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
          setPosition(currentTarget.currentTime)
          listening.moved(currentTarget.currentTime, !currentTarget.paused && !currentTarget.seeking)
        }}
        onSeeking={({ currentTarget }) => listening.jumped(currentTarget.currentTime)}
        onPlaying={() => {
          setWaiting(false)
          setPlaying(true)
        }}
        onWaiting={() => setWaiting(true)}
        onPause={() => {
          setPlaying(false)
          setWaiting(false)
          void listening.report()
        }}
        onEnded={() => {
          setPlaying(false)
          void listening.report()
        }}
        onError={() => {
          setPlaying(false)
          setWaiting(false)
          setBroken(true)
        }}
      />
      <Keys
        playing={playing}
        waiting={waiting}
        onToggle={toggle}
        onSkip={(seconds) => seek((audio.current?.currentTime ?? 0) + seconds)}
      />
      <Position position={position} length={length} onSeek={seek} />
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

function Keys(props: { playing: boolean; waiting: boolean; onToggle: () => void; onSkip: (seconds: number) => void }) {
  const { playing, waiting, onToggle, onSkip } = props
  return (
    <div className="player-row">
      <button type="button" className="player-skip" aria-label={`Back ${SKIP} seconds`} onClick={() => onSkip(-SKIP)}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M4 4v6h6M4.6 14.5A8 8 0 1 0 6 6.7L4 9" />
        </svg>
      </button>
      <button
        type="button"
        className="player-main"
        aria-label={playing ? 'Pause' : 'Play'}
        aria-busy={waiting || undefined}
        onClick={onToggle}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d={playing ? 'M7 5h4v14H7zM13.5 5h4v14h-4z' : 'M8 4.5v15l12-7.5z'} />
        </svg>
      </button>
      <button type="button" className="player-skip" aria-label={`Ahead ${SKIP} seconds`} onClick={() => onSkip(SKIP)}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M20 4v6h-6M19.4 14.5A8 8 0 1 1 18 6.7l2 2.3" />
        </svg>
      </button>
    </div>
  )
}

function Position(props: { position: number; length: number; onSeek: (to: number) => void }) {
  const { position, length, onSeek } = props
  const last = Math.max(1, Math.floor(length))
  return (
    <div className="player-row">
      <span className="tabular small">{clock(position)}</span>
      <input
        className="player-position"
        type="range"
        min={0}
        max={last}
        step={1}
        value={Math.min(Math.floor(position), last)}
        aria-label="Position"
        aria-valuetext={`${spoken(position)} of ${spoken(length)}`}
        onChange={(event) => onSeek(Number(event.target.value))}
      />
      <span className="tabular small">{clock(length)}</span>
    </div>
  )
}
