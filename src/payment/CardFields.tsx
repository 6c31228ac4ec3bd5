import { CardCvcElement, CardExpiryElement, CardNumberElement } from '@stripe/react-stripe-js'
import type { CardPart, CardState } from './card-state.ts'
import type { Faults } from './faults.ts'
import { useId, useState, type ComponentType } from 'react'
import { FieldError } from '../ui/FieldError.tsx'

/** Inside Stripe's frames our style sheet does not reach: the same type and colours as .field-input of a card form. */
const frameStyle = () => ({
  base: {
    fontSize: '19px',
    lineHeight: '28px',
    color: '#0B1B33',
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--font-system').trim(),
    '::placeholder': { color: '#5F6E84' },
  },
  invalid: { color: '#B42318', iconColor: '#B42318' },
})

interface Change {
  complete: boolean
  error?: { message: string; code: string } | undefined
}
// the three elements take the same events and differ only in their options
type AnyElement = ComponentType<{
  id: string
  options: Record<string, unknown>
  onReady: () => void
  onChange: (event: Change) => void
  onFocus: () => void
  onBlur: () => void
}>

function CardField(props: {
  part: CardPart
  label: string
  element: unknown
  options?: Record<string, unknown>
  state: CardState
  /** What the form found wrong, where the field itself says nothing. */
  fault: string | undefined
  onState: (part: CardPart, state: Partial<CardState>) => void
}) {
  const { part, label, state, onState } = props
  const error = state.error ?? props.fault
  const Element = props.element as AnyElement
  const id = useId()
  const [focused, setFocused] = useState(false)
  const [style] = useState(frameStyle)
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <div
        className="field-input card-input"
        role="group"
        aria-label={label}
        aria-describedby={error ? `${id}-error` : undefined}
        data-focused={focused || undefined}
        data-invalid={error ? true : undefined}
      >
        <Element
          id={id}
          options={{ style, ...props.options }}
          onReady={() => onState(part, { ready: true })}
          onChange={({ complete, error }) =>
            onState(part, {
              complete,
              error: error?.message ?? null,
              invalid: error !== undefined && !error.code.startsWith('incomplete'),
            })
          }
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
        />
      </div>
      <FieldError id={id} error={error} />
    </div>
  )
}

/**
 * C-13: card number, expiry and CVC in Stripe's own frames; we never see them. `postal` is placed beside expiry and
 * CVC.
 */
export function CardFields(props: {
  card: Readonly<Record<CardPart, CardState>>
  faults: Faults
  onState: (part: CardPart, state: Partial<CardState>) => void
  postal: React.ReactNode
}) {
  const { card, faults, onState } = props
  return (
    <>
      <CardField
        part="cardNumber"
        label="Card number"
        element={CardNumberElement}
        options={{ showIcon: true }}
        state={card.cardNumber}
        fault={faults.cardNumber}
        onState={onState}
      />
      <div className="field-row">
        <CardField
          part="cardExpiry"
          label="Expiry"
          element={CardExpiryElement}
          state={card.cardExpiry}
          fault={faults.cardExpiry}
          onState={onState}
        />
        <CardField
          part="cardCvc"
          label="CVC"
          element={CardCvcElement}
          state={card.cardCvc}
          fault={faults.cardCvc}
          onState={onState}
        />
        {props.postal}
      </div>
    </>
  )
}
