import type { ReactNode } from 'react'
import type { AnimationName } from '../../../contract/drawings.ts'
import './animations.css'

/**
 * the exercises as drawings: an eye and the path it follows, hands, light, breath. The guide line shows the same
 * when the drawing does not move (paused, reduced motion). Decoration: the words beside it are complete without it.
 */

/** The pupil's path, as a line in the drawing's own 200 × 120 coordinates; the movement itself is CSS (offset-path). */
const WAYS = {
  horizontal: 'M64 60H136',
  vertical: 'M100 38V82',
  diagonal: 'M70 42L130 78',
  circles: 'M100 40a26 20 0 1 1-.1 0z',
  figure_eight: 'M100 60C112 34 138 34 138 60S112 86 100 60 62 34 62 60 88 86 100 60z',
  follow: 'M66 72C82 36 98 84 112 52s20 4 24 14',
  square: 'M70 44H130V76H70z',
  trace: 'M66 76L84 44L100 76L116 44L134 76',
  peripheral: 'M58 60H142',
} satisfies Partial<Record<AnimationName, string>>

function Eye({ children }: { children: ReactNode }) {
  return (
    <>
      <path className="an-white" d="M28 60C56 20 144 20 172 60 144 100 56 100 28 60z" />
      {children}
      <path className="an-line" d="M28 60C56 20 144 20 172 60 144 100 56 100 28 60z" />
    </>
  )
}

const Iris = ({ className = '' }: { className?: string }) => (
  <g className={className}>
    <circle className="an-iris" cx="100" cy="60" r="19" />
    <circle className="an-pupil" cx="100" cy="60" r="9" />
    <circle className="an-shine" cx="106" cy="53" r="4" />
  </g>
)

const Closed = () => (
  <>
    <path className="an-lid" d="M28 60C56 20 144 20 172 60 144 100 56 100 28 60z" />
    <path
      className="an-line"
      d="M28 60C56 88 144 88 172 60M52 78l-8 12M78 86l-4 14M100 88v14M122 86l4 14M148 78l8 12"
    />
  </>
)

/** A path with the eye that follows it. */
function Moving({ name, way }: { name: string; way: string }) {
  return (
    <Eye>
      <path className="an-way" d={way} />
      <g className={`an-move an-move-${name}`}>
        <circle className="an-iris" r="17" />
        <circle className="an-pupil" r="8" />
        <circle className="an-shine" cx="5" cy="-6" r="3.5" />
      </g>
    </Eye>
  )
}

/** All the others: none that an editor can choose is missing. */
const SCENES: Record<Exclude<AnimationName, keyof typeof WAYS>, () => ReactNode> = {
  blink: () => (
    <>
      <Eye>
        <Iris />
      </Eye>
      <g className="an-blink">
        <Closed />
      </g>
    </>
  ),
  squeeze: () => (
    <g className="an-squeeze">
      <Closed />
    </g>
  ),
  breathing: () => (
    <>
      <circle className="an-glow an-breath" cx="100" cy="60" r="48" />
      <circle className="an-ring" cx="100" cy="60" r="30" />
      <circle className="an-accent" cx="100" cy="60" r="12" />
    </>
  ),
  rest: () => (
    <>
      <circle className="an-glow an-breath" cx="100" cy="60" r="52" />
      <Closed />
    </>
  ),
  palming: () => (
    <>
      <Closed />
      <g className="an-hands">
        <path className="an-hand" d="M18 112C6 70 28 26 62 22c22-2 34 18 32 42-2 28-20 48-40 50z" />
        <path className="an-hand" d="M182 112c12-42-10-86-44-90-22-2-34 18-32 42 2 28 20 48 40 50z" />
      </g>
    </>
  ),
  near_far: () => (
    <>
      <path className="an-way" d="M40 92C76 84 124 60 164 30" />
      <circle className="an-accent an-near" cx="52" cy="88" r="22" />
      <circle className="an-iris an-far" cx="160" cy="32" r="9" />
    </>
  ),
  distance: () => (
    <>
      <path className="an-hill" d="M0 108C40 68 68 92 96 74s58-30 104 34z" />
      <circle className="an-accent" cx="150" cy="34" r="13" />
      <path className="an-line" d="M30 20H170V108H30zM100 20V108" />
      <circle className="an-glow an-breath" cx="150" cy="34" r="26" />
    </>
  ),
  zoom: () => (
    <>
      <circle className="an-ring" cx="100" cy="60" r="46" />
      <circle className="an-iris an-zoom" cx="100" cy="60" r="30" />
    </>
  ),
  light: () => (
    <>
      <circle className="an-glow an-breath" cx="100" cy="28" r="40" />
      <circle className="an-accent" cx="100" cy="28" r="14" />
      <g transform="translate(0 26)">
        <path className="an-line" d="M40 56c34 26 86 26 120 0M62 70l-6 10M88 76l-2 12M112 76l2 12M138 70l6 10" />
      </g>
    </>
  ),
  massage: () => (
    <>
      <path className="an-face" d="M60 112C42 30 158 30 140 112" />
      <path className="an-line" d="M78 74c6 5 12 5 18 0M104 74c6 5 12 5 18 0M90 96c6 4 14 4 20 0" />
      <circle className="an-way" cx="58" cy="70" r="11" />
      <circle className="an-way" cx="142" cy="70" r="11" />
      <g className="an-rub an-rub-left">
        <circle className="an-accent" cx="58" cy="59" r="7" />
      </g>
      <g className="an-rub an-rub-right">
        <circle className="an-accent" cx="142" cy="59" r="7" />
      </g>
    </>
  ),
  neck: () => (
    <>
      <path className="an-hill" d="M46 116c6-24 26-30 54-30s48 6 54 30z" />
      <g className="an-tilt">
        <path className="an-face" d="M72 80C58 12 142 12 128 80c-8 18-48 18-56 0z" />
        <path className="an-line" d="M84 54c5 4 9 4 13 0M103 54c5 4 9 4 13 0M92 72c5 3 11 3 16 0" />
      </g>
    </>
  ),
}

export function Animation({ name, paused = false }: { name: string; paused?: boolean }) {
  const way = (WAYS as Record<string, string>)[name]
  const scene = (SCENES as Record<string, () => ReactNode>)[name]
  if (!way && !scene) return null
  return (
    <svg className="animation" viewBox="0 0 200 120" data-paused={paused || undefined} aria-hidden="true">
      {way ? <Moving name={name} way={way} /> : scene?.()}
    </svg>
  )
}
