import './spinner.css'

/** A turning ring. `label` is what a screen reader hears. */
export function Spinner({ label }: { label: string }) {
  return (
    <>
      <span className="spinner" aria-hidden="true" />
      <span className="visually-hidden" role="status">
        {label}
      </span>
    </>
  )
}
