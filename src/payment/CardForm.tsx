import type { ReactNode } from 'react'
import { TextField } from '../ui/TextField.tsx'
import { CardFields } from './CardFields.tsx'
import type { CardFormState } from './useCardForm.ts'

/** The form element around a card; `onSubmit` decides whether anything is to be done. */
export function CardForm(props: {
  form: CardFormState
  className?: string
  onSubmit: () => Promise<void>
  children: ReactNode
}) {
  const { className = 'pay', onSubmit, children } = props
  const { ref } = props.form
  return (
    <form
      className={className}
      ref={ref}
      onSubmit={(event) => {
        event.preventDefault()
        void onSubmit()
      }}
      noValidate
    >
      {children}
    </form>
  )
}

/**
 * The fields of a card: the name on it, the card itself and its postal code. `children` come after the name, which has
 * to be given where it is `required`.
 */
export function CardDetails(props: { form: CardFormState; required?: boolean; children?: ReactNode }) {
  const { form, required = false, children } = props
  const { fields, faults, set, leave } = form
  return (
    <>
      <TextField
        label="Full name"
        name="name"
        autoComplete="cc-name"
        value={fields.name}
        onChange={set('name')}
        {...(required && { onBlur: leave })}
        error={faults.name}
        required={required}
      />
      {children}
      <CardFields
        card={form.card}
        faults={faults}
        onState={form.onState}
        postal={
          <TextField
            label="Postal code"
            name="postalCode"
            autoComplete="postal-code"
            placeholder="12345"
            value={fields.postalCode}
            onChange={set('postalCode')}
            error={faults.postalCode}
          />
        }
      />
    </>
  )
}
