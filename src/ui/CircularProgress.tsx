import type { ReactNode } from 'react'
import './progress.css'

/** A ring that fills from 0 to 100, with the percentage inside, or `children` in its place. */
export function CircularProgress(props: { percent: number; label: string; children?: ReactNode }) {
  const percent = Math.round(Math.min(100, Math.max(0, props.percent)))
  return (
    <div
      className="ring"
      role="progressbar"
      aria-label={props.label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <svg viewBox="0 0 120 120" fill="none" strokeWidth="9" aria-hidden="true">
        <circle cx="60" cy="60" r="54" stroke="#DCE5F2" />
        <circle
          cx="60"
          cy="60"
          r="54"
          stroke="#1A75FF"
          strokeLinecap="round"
          pathLength={100}
          strokeDasharray="100 100"
          strokeDashoffset={100 - Math.min(100, Math.max(0, props.percent))}
          opacity={props.percent > 0 ? 1 : 0}
        />
      </svg>
      {props.children ?? (
        <span className="ring-text" aria-hidden="true">
          {percent}%
        </span>
      )}
    </div>
  )
}
