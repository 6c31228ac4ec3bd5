import type { ReactNode } from 'react'
import './option.css'

interface Props {
  label: string
  selected: boolean
  onSelect: () => void
  description?: string | undefined
  icon?: ReactNode
  /** Several may be chosen (square mark), or only one (round mark). */
  many?: boolean
  /** The one option of a group of radios that Tab stops at. */
  stop?: boolean
  className?: string
}

/** The check mark of a chosen option. */
export function OptionMark({ many = false }: { many?: boolean }) {
  return (
    <span className="option-mark" data-many={many || undefined} aria-hidden="true">
      <svg viewBox="0 0 16 16" fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" strokeLinejoin="round">
        <path d="m3 8.5 3.3 3.3L13 4.8" />
      </svg>
    </span>
  )
}

/**
 * A choice as a large button. For a single choice it is a radio inside `<div class="options" role="radiogroup">`; for
 * several, a toggle button inside `role="group"`.
 */
export function OptionCard(props: Props) {
  const { label, selected, onSelect, description, icon, many = false, stop = true, className = '' } = props
  const state = many
    ? { 'aria-pressed': selected }
    : { role: 'radio', 'aria-checked': selected, tabIndex: stop ? 0 : -1 }
  return (
    <button type="button" className={`option ${className}`.trim()} onClick={onSelect} {...state}>
      {icon}
      <span className="option-text">
        {label}
        {description && <span className="option-description">{description}</span>}
      </span>
      <OptionMark many={many} />
    </button>
  )
}
