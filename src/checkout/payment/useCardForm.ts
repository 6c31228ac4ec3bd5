import { CardCvcElement, CardExpiryElement, CardNumberElement, useElements } from '@stripe/react-stripe-js'
import { useRef, useState } from 'react'
import { sleep } from '../../session/id.ts'
import { NO_CARD_STATE, type CardPart, type CardState } from './card-state.ts'
import { FIELDS, isCardPart, isComplete, type Faults, type Field } from './faults.ts'

const ELEMENTS = { cardNumber: CardNumberElement, cardExpiry: CardExpiryElement, cardCvc: CardCvcElement }

/** How long to wait for Stripe's frames to report an unfinished card, and how often to check. */
const REPORT_MS = 300
const LOOK_MS = 30

/** The state of every card form: the card as its fields report it, and which fields are wrong and why. */
export function useCardForm() {
  const elements = useElements()
  const form = useRef<HTMLFormElement>(null)
  const [card, setCard] = useState(NO_CARD_STATE)
  const [faults, setFaults] = useState<Faults>({})
  const latest = useRef(card)

  const clear = (field: Field): void => setFaults((now) => (field in now ? { ...now, [field]: undefined } : now))

  function onState(part: CardPart, state: Partial<CardState>): void {
    latest.current = { ...latest.current, [part]: { ...latest.current[part], ...state } }
    setCard(latest.current)
    if (!state.ready) clear(part)
  }

  /** Shows every fault at its field and focuses the first field at fault. */
  function show(found: Faults): void {
    setFaults(found)
    const first = FIELDS.find((field) => found[field])
    if (isCardPart(first)) elements?.getElement(ELEMENTS[first])?.focus()
    else if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
  }

  /** The card once its fields have reported: after a last key and Enter, their events may arrive after the form's. */
  async function reported(): Promise<Readonly<Record<CardPart, CardState>>> {
    for (let waited = 0; waited < REPORT_MS && !isComplete(latest.current); waited += LOOK_MS) await sleep(LOOK_MS)
    return latest.current
  }

  return { elements, form, card, faults, onState, clear, show, reported }
}
