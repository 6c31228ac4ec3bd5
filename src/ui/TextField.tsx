import { useId, type HTMLInputTypeAttribute, type InputHTMLAttributes, type ReactNode } from 'react'
import './field.css'
import { FieldError } from './FieldError.tsx'

export { CheckField } from './CheckField.tsx'

interface Props {
  label: string
  name: string
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  onEnter?: () => void
  type?: HTMLInputTypeAttribute
  placeholder?: string
  /** WCAG 1.3.5: what it asks for, in the browser's words; `off` for what is not about the person. */
  autoComplete: NonNullable<InputHTMLAttributes<HTMLInputElement>['autoComplete']>
  inputMode?: InputHTMLAttributes<HTMLInputElement>['inputMode']
  required?: boolean
  readOnly?: boolean
  /** What is wrong and what to do; announced and tied to the input. */
  error?: string | null | undefined
  hint?: ReactNode
}

/** A labelled input with hint and error. */
export function TextField(props: Props) {
  const id = useId()
  const { label, onChange, onEnter, error, hint, type = 'text', ...input } = props
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <input
        {...input}
        id={id}
        type={type}
        className="field-input"
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && onEnter?.()}
      />
      {hint && (
        <div className="field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      <FieldError id={id} error={error} />
    </div>
  )
}
