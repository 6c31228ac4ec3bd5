import { CardCvcElement, CardExpiryElement, CardNumberElement, useElements } from '@stripe/react-stripe-js'
import { useRef, useState } from 'react'
import { sleep } from '../../session/id.ts'
import { NO_CARD_STATE, type CardPart, type CardState } from './card-state.ts'
import { FIELDS, isCardPart, isComplete, type Faults, type Field } from './faults.ts'

const ELEMENTS = { cardNumber: CardNumberElement, cardExpiry: CardExpiryElement, cardCvc: CardCvcElement }

/** How long an unfinished card may still be on its way from Stripe's frames, and how often it is looked at. */
const REPORT_MS = 300
const LOOK_MS = 30

/** What every card form keeps: the card as its fields report it, and what is wrong with which field. */
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

  /** Names every fault at its field; the first field takes the focus. */
  function show(found: Faults): void {
    setFaults(found)
    const first = FIELDS.find((field) => found[field])
    if (isCardPart(first)) elements?.getElement(ELEMENTS[first])?.focus()
    else if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus()
  }

  /** The card once its fields have reported: after a last key and Enter, their news may come after the form's. */
  async function reported(): Promise<Readonly<Record<CardPart, CardState>>> {
    for (let waited = 0; waited < REPORT_MS && !isComplete(latest.current); waited += LOOK_MS) await sleep(LOOK_MS)
    return latest.current
  }

  return { elements, form, card, faults, onState, clear, show, reported }
}
