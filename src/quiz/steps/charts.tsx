import type { InfoStep } from '../../../contract/content.ts'
import type { Figure } from '../figures.ts'

/**
 * Small charts beside the facts. Each draws the number in the fact's own words and nothing else, to scale; the words
 * carry the information, so the drawings are hidden from screen readers.
 */
export function FigureChart({ figure, topic }: { figure: Figure; topic: InfoStep['chart'] }) {
  switch (figure.kind) {
    case 'share':
      return <People filled={figure.percent / 10} whole={10} topic={topic} label={`${figure.percent}%`} />
    case 'count':
      return <People filled={figure.part} whole={figure.whole} topic={topic} label={`${figure.part}/${figure.whole}`} />
    case 'change':
      return <Change percent={figure.percent} direction={figure.direction} />
    case 'ranges':
      return <Ranges from={figure.from} to={figure.to} />
    case 'numbers':
      return (
        <div className="chart-numbers" aria-hidden="true">
          {figure.values.map(({ value, unit }, index) => (
            <span key={index}>
              <b>{value}</b> {unit}
            </span>
          ))}
        </div>
      )
  }
}

const GLYPHS: Partial<Record<InfoStep['chart'], string>> = {
  dry_eyes: 'M12 2.5c4 5 7 8.6 7 12.3a7 7 0 0 1-14 0c0-3.7 3-7.3 7-12.3Z',
  astigmatism:
    'M1 12c3-5 7-7.5 11-7.5S20 7 23 12c-3 5-7 7.5-11 7.5S4 17 1 12Zm11 4.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Z',
}
const PERSON = 'M12 11.5a4.8 4.8 0 1 0 0-9.6 4.8 4.8 0 0 0 0 9.6Zm-9 10.5c0-5 3.8-8.5 9-8.5s9 3.5 9 8.5Z'

/** `whole` figures in a row, the first `filled` of them coloured, down to tenths of a figure. */
function People(props: { filled: number; whole: number; topic: InfoStep['chart']; label: string }) {
  const { filled, whole, topic, label } = props
  const id = `people-${topic}-${whole}-${Math.round(filled * 10)}`
  const glyph = GLYPHS[topic] ?? PERSON
  const row = Array.from({ length: whole }, (_, index) => (
    <path key={index} d={glyph} fillRule="evenodd" transform={`translate(${index * 28 + 2} 2)`} />
  ))
  return (
    <div className="chart-people" aria-hidden="true">
      <b className="chart-label">{label}</b>
      <svg viewBox={`0 0 ${whole * 28} 28`} className="chart-row" data-whole={whole}>
        <clipPath id={id}>
          <rect className="chart-grow" width={filled * 28} height="28" />
        </clipPath>
        <g fill="#D5DFEE">{row}</g>
        <g fill="#1A75FF" clipPath={`url(#${id})`}>
          {row}
        </g>
      </svg>
    </div>
  )
}

/** Two bars to scale: 100 before, and what is left or gained after. */
function Change({ percent, direction }: { percent: number; direction: 'up' | 'down' }) {
  const after = direction === 'up' ? 100 + percent : Math.max(0, 100 - percent)
  const scale = 220 / Math.max(100, after)
  return (
    <div className="chart-change" aria-hidden="true">
      <b className="chart-label">
        {direction === 'up' ? '+' : '−'}
        {percent}%
      </b>
      <svg viewBox="0 0 224 44">
        <rect x="0" y="2" width={100 * scale} height="16" rx="8" fill="#B9C8DE" />
        <rect className="chart-grow" x="0" y="26" width={after * scale} height="16" rx="8" fill="#1A75FF" />
      </svg>
    </div>
  )
}

/** Two ranges on one axis that starts at zero: solid up to the low end, lighter up to the high end. */
function Ranges({ from, to }: { from: readonly [number, number]; to: readonly [number, number] }) {
  const scale = 200 / Math.max(from[1], to[1])
  const row = ([low, high]: readonly [number, number], colour: string) => (
    <>
      <svg viewBox="0 0 200 18">
        <clipPath id={`range-${low}-${high}`}>
          <rect className="chart-grow" width={high * scale} height="18" rx="9" />
        </clipPath>
        <rect width="200" height="18" rx="9" fill="#E4ECF7" />
        <g fill={colour} clipPath={`url(#range-${low}-${high})`}>
          <rect width={low * scale} height="18" />
          <rect x={low * scale} width={(high - low) * scale} height="18" opacity=".45" />
        </g>
      </svg>
      {/* not inside the drawing: a browser that darkens pages leaves dark text in it dark */}
      <b>
        {low}–{high}
      </b>
    </>
  )
  return (
    <div className="chart-ranges" aria-hidden="true">
      {row(from, '#1A75FF')}
      {row(to, '#E07A00')}
    </div>
  )
}

/**
 * S-15: an index that rises through the day, less steeply with breaks. An illustration of the idea, without numbers.
 */
export function DayCurve() {
  return (
    <figure className="day-curve" aria-hidden="true">
      <svg viewBox="0 0 320 150" fill="none">
        <path d="M24 126h280" stroke="#B9C8DE" strokeWidth="2" />
        <path d="M24 118C80 112 130 96 180 66s80-42 116-46" stroke="#E07A00" strokeWidth="5" strokeLinecap="round" />
        <path
          d="M24 118c30-4 46-14 60-18 8 10 14 10 24 8 24-4 36-16 52-20 8 12 16 12 26 10
            c24-4 36-14 52-18 8 8 14 10 22 8l36-6"
          stroke="#1A75FF"
          strokeWidth="5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
        <g transform="translate(40 142)">
          <circle r="5" cy="-4" fill="#FFB454" />
        </g>
        <path d="M286 133a6 6 0 1 0 7 8 5 5 0 0 1-7-8Z" fill="#44546A" />
      </svg>
      <figcaption>
        <span data-line="screen">Screen all day</span>
        <span data-line="breaks">With breaks and exercises</span>
      </figcaption>
    </figure>
  )
}
