import { parseEmail } from '../../contract/email.ts'
import type { CardPart, CardState } from './card-state.ts'
import { trouble, type Trouble } from './failures.ts'
import { NAME_WORDS } from './faults.ts'

/** What a buyer types into our own fields (the card stays in Stripe's). */
export interface PayFields {
  name: string
  email: string
  postalCode: string
}

/** What is wrong with the form's e-mail address, for every way to pay. */
export function emailTrouble(email: string): Trouble | undefined {
  if (!email.trim()) return { ...trouble('email_required'), field: 'email' }
  return parseEmail(email) ? undefined : { ...trouble('account_email_invalid'), field: 'email' }
}

/**
 * Section 5: the first problem that prevents a form from being submitted, in the order of the form; undefined if there
 * is none. `stripe` and `elements` say whether the payment script and its fields have loaded.
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
