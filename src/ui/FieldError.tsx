/** What is wrong with a field, announced as it appears; the field is described by `{id}-error`. */
export function FieldError({ id, error }: { id: string; error: string | null | undefined }) {
  return (
    <div aria-live="polite">
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
