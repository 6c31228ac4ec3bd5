import { parseEmail } from '../../../contract/email.ts'
import type { CardPart, CardState } from './card-state.ts'
import { trouble, type Trouble } from './failures.ts'
import { NAME_WORDS } from './faults.ts'

/** What a buyer types into our own fields (the card stays in Stripe's). */
export interface PayFields {
  name: string
  email: string
  postalCode: string
}

/** What is wrong with the address of the form, for every way to pay. */
export function emailTrouble(email: string): Trouble | undefined {
  if (!email.trim()) return { ...trouble('email_required'), field: 'email' }
  return parseEmail(email) ? undefined : { ...trouble('account_email_invalid'), field: 'email' }
}

/**
 * Section 5: the first thing that keeps a form from being submitted, in the order of the form; undefined when it may
 * go. `stripe` and `elements` say how far the payment script has come.
 */
export function formTrouble(
  fields: PayFields,
  card: Readonly<Record<CardPart, CardState>>,
  world: { sessionId: string | null; stripe: boolean; elements: boolean },
): Trouble | undefined {
  if (!world.sessionId) return trouble('session_id_missing')
  if (!fields.name.trim()) return { code: 'name_required', words: NAME_WORDS, money: 'not_charged', field: 'name' }
  const wrong = emailTrouble(fields.email)
  if (wrong) return wrong
  if (!world.stripe) return trouble('stripe_not_loaded')
  if (!world.elements) return trouble('element_not_ready')
  const parts = Object.entries(card) as [CardPart, CardState][]
  if (!parts.every(([, { ready }]) => ready)) return trouble('wait_a_moment')
  for (const [field, { invalid, error }] of parts) {
    if (invalid && error) return { ...trouble('validation_error_reason', { reason: error }), field }
  }
  const [unfinished] = parts.find(([, { complete }]) => !complete) ?? []
  return unfinished && { ...trouble('card_incomplete'), field: unfinished }
}
