import { useEffect, useState } from 'react'
import type { Testimonial } from '../../contract/content.ts'
import { Avatar } from './Avatar.tsx'
import { Stars } from './Stars.tsx'
import './rotating-quotes.css'

/** C-06, U-05: how long each quote is shown. */
export const ROTATION_MS = 5_000

/** Whether the visitor asked for less motion; false while rendering on the server. */
function useReducedMotion(): boolean {
  const [reduced, setReduced] = useState(false)
  useEffect(() => {
    const query = matchMedia('(prefers-reduced-motion: reduce)')
    const read = (): void => setReduced(query.matches)
    read()
    query.addEventListener('change', read)
    return () => query.removeEventListener('change', read)
  }, [])
  return reduced
}

/**
 * Quotes that take turns every 5 seconds. They pause under the pointer, with the focus inside, under reduced motion and
 * on request. All are in the page, stacked, so that the tallest sets the height and nothing jumps.
 */
export function RotatingQuotes({ quotes, label }: { quotes: readonly Testimonial[]; label: string }) {
  const [index, setIndex] = useState(0)
  const [paused, setPaused] = useState(false)
  const [held, setHeld] = useState(false)
  const reduced = useReducedMotion()
  const count = quotes.length
  const still = paused || held || reduced || count < 2

  useEffect(() => {
    if (still) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setIndex((current) => (current + 1) % count)
    }, ROTATION_MS)
    return () => clearInterval(timer)
  }, [still, count, index])

  if (count === 0) return null
  const move = (by: number): void => setIndex((index + by + count) % count)
  return (
    <div
      className="quotes"
      role="group"
      aria-roledescription="carousel"
      aria-label={label}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className="quotes-stage" aria-live={still ? 'polite' : 'off'}>
        {quotes.map((quote, position) => (
          <figure
            key={quote.id}
            className="quote"
            data-shown={position === index || undefined}
            inert={position !== index}
          >
            <Stars value={quote.stars} />
            <blockquote>{quote.quote}</blockquote>
            <figcaption>
              <Avatar name={quote.name} picture={quote.picture} />
              <span>
                <strong>{quote.name}</strong>
                <span className="quiet small">
                  {[quote.age, quote.place].filter(Boolean).join(', ')}
                  {quote.verified && ' · Verified'}
                </span>
              </span>
            </figcaption>
          </figure>
        ))}
      </div>
      {count > 1 && (
        <div className="quotes-bar">
          <button type="button" className="round" aria-label="Previous quote" onClick={() => move(-1)}>
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d="m12.5 4-6 6 6 6" />
            </svg>
          </button>
          <span className="quiet small tabular">
            {index + 1} of {count}
          </span>
          <button type="button" className="round" aria-label="Next quote" onClick={() => move(1)}>
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d="m7.5 4 6 6-6 6" />
            </svg>
          </button>
          {!reduced && (
            <button
              type="button"
              className="round"
              aria-label={paused ? 'Let the quotes change' : 'Pause the quotes'}
              onClick={() => setPaused(!paused)}
            >
              <svg viewBox="0 0 20 20" aria-hidden="true">
                <path d={paused ? 'M6.5 4v12l9-6z' : 'M7 4.5v11M13 4.5v11'} />
              </svg>
            </button>
          )}
        </div>
      )}
    </div>
  )
}
