import './progress.css'

/** A bar. `label` names it for screen readers, `valueText` says the value in words ("Step 3 of 33"). */
export function Progress(props: { value: number; max: number; label: string; valueText?: string }) {
  return (
    <progress
      className="progress"
      value={props.value}
      max={props.max}
      aria-label={props.label}
      aria-valuetext={props.valueText}
    />
  )
}
