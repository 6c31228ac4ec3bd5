import { CardCvcElement, CardExpiryElement, CardNumberElement, useElements, useStripe } from '@stripe/react-stripe-js'
import { useRef, useState } from 'react'
import { sleep } from '../session/id.ts'
import { useFields } from '../ui/useFields.ts'
import { NO_CARD_STATE, type CardPart, type CardState } from './card-state.ts'
import { isRefusedCard, type ProviderError } from './failures.ts'
import { fieldFaults, isCardPart, isComplete, type Faults } from './faults.ts'
import type { PayFields } from './form.ts'

const ELEMENTS = { cardNumber: CardNumberElement, cardExpiry: CardExpiryElement, cardCvc: CardCvcElement }

/** How long to wait for Stripe's frames to report an unfinished card, and how often to check. */
const REPORT_MS = 300
const LOOK_MS = 30

interface CardFormOptions {
  /** What our own fields hold before anything is typed. */
  known: () => PayFields
  /** Something was typed into one of our own fields. */
  onEdit?: (field: keyof PayFields) => void
}

/** The state and actions of every form in which a card is typed; `CardForm` and `CardDetails` show it. */
export type CardFormState = ReturnType<typeof useCardForm>

/** The state of every card form: what was typed, the card as its fields report it, and which fields are wrong. */
export function useCardForm({ known, onEdit }: CardFormOptions) {
  const stripe = useStripe()
  const elements = useElements()
  const [card, setCard] = useState(NO_CARD_STATE)
  const latest = useRef(card)
  const emptied = useRef(false)
  const own = useFields<PayFields, CardPart>(known, (typed) => fieldFaults(typed, latest.current))
  const { form: ref, values: fields, now: fieldsNow, faults, leave, clear } = own

  /** The handler of one of our own fields. */
  const set = (key: keyof PayFields) => (value: string) => {
    own.set(key)(value)
    onEdit?.(key)
  }

  function onState(part: CardPart, state: Partial<CardState>): void {
    latest.current = { ...latest.current, [part]: { ...latest.current[part], ...state } }
    setCard(latest.current)
    // what the bank says of a code stays when the form empties its field, until another one is typed
    const byForm = part === 'cardCvc' && emptied.current
    if (byForm) emptied.current = false
    else if (!state.ready) clear(part)
  }

  /** A card that was refused leaves its security code empty: another card has another one. The rest stays. */
  function judged(error: ProviderError | undefined): void {
    if (!isRefusedCard(error)) return
    emptied.current = true
    elements?.getElement(CardCvcElement)?.clear()
  }

  /** Shows every fault at its field and focuses the first field at fault, also where it is one of Stripe's. */
  function show(found: Faults): void {
    const first = own.show(found)
    if (isCardPart(first)) elements?.getElement(ELEMENTS[first])?.focus()
  }

  /** The card once its fields have reported: after a last key and Enter, their events may arrive after the form's. */
  async function reported(): Promise<Readonly<Record<CardPart, CardState>>> {
    for (let waited = 0; waited < REPORT_MS && !isComplete(latest.current); waited += LOOK_MS) await sleep(LOOK_MS)
    return latest.current
  }

  /**
   * What Stripe.js confirms with: always the card now typed, never one left from an earlier attempt. Undefined until
   * its fields are on the page.
   */
  function paymentMethod() {
    const number = elements?.getElement(CardNumberElement)
    if (!number) return undefined
    const now = fieldsNow()
    const [name, email, postalCode] = [now.name.trim(), now.email.trim(), now.postalCode.trim()]
    return {
      card: number,
      billing_details: {
        ...(name ? { name } : {}),
        ...(email ? { email } : {}),
        ...(postalCode ? { address: { postal_code: postalCode } } : {}),
      },
    }
  }

  return { stripe, ref, fields, fieldsNow, set, leave, card, faults, onState, show, reported, paymentMethod, judged }
}
