import { CardCvcElement, CardExpiryElement, CardNumberElement, useElements, useStripe } from '@stripe/react-stripe-js'
import { useRef, useState } from 'react'
import { sleep } from '../session/id.ts'
import { NO_CARD_STATE, type CardPart, type CardState } from './card-state.ts'
import { isRefusedCard, type ProviderError } from './failures.ts'
import { FIELDS, fieldFaults, isCardPart, isComplete, type Faults, type Field } from './faults.ts'
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
  const ref = useRef<HTMLFormElement>(null)
  const [fields, setFields] = useState(known)
  const [card, setCard] = useState(NO_CARD_STATE)
  const [faults, setFaults] = useState<Faults>({})
  const latest = useRef(card)
  const typed = useRef(fields)
  const edited = useRef(new Set<keyof PayFields>())
  const emptied = useRef(false)

  const clear = (field: Field): void => setFaults((now) => (field in now ? { ...now, [field]: undefined } : now))

  /** The handler of one of our own fields. */
  const set = (key: keyof PayFields) => (value: string) => {
    typed.current = { ...typed.current, [key]: value }
    setFields(typed.current)
    edited.current.add(key)
    clear(key)
    onEdit?.(key)
  }

  /** The handler of leaving a required one of them. One that nothing was typed into is asked for on submit. */
  const leave = (key: 'name' | 'email') => () => {
    const fault = edited.current.has(key) ? fieldFaults(typed.current, latest.current)[key] : undefined
    if (fault) setFaults((now) => ({ ...now, [key]: fault }))
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

  /** Shows every fault at its field and focuses the first field at fault. */
  function show(found: Faults): void {
    setFaults(found)
    const first = FIELDS.find((field) => found[field])
    if (isCardPart(first)) elements?.getElement(ELEMENTS[first])?.focus()
    else if (first) ref.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
  }

  /** The card once its fields have reported: after a last key and Enter, their events may arrive after the form's. */
  async function reported(): Promise<Readonly<Record<CardPart, CardState>>> {
    for (let waited = 0; waited < REPORT_MS && !isComplete(latest.current); waited += LOOK_MS) await sleep(LOOK_MS)
    return latest.current
  }

  /** What our own fields hold now, also after a wait: a handler's `fields` are those of the press that called it. */
  const fieldsNow = (): PayFields => typed.current

  /**
   * What Stripe.js confirms with: always the card now typed, never one left from an earlier attempt. Undefined until
   * its fields are on the page.
   */
  function paymentMethod() {
    const number = elements?.getElement(CardNumberElement)
    if (!number) return undefined
    const now = typed.current
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
