import { parseEmail } from '../../contract/email.ts'
import { paymentMessage } from '../../contract/payment-messages.ts'
import type { Faults as FaultsOf } from '../ui/useFields.ts'
import type { CardPart, CardState } from './card-state.ts'

/** A field of a payment form, ours or one of Stripe's. */
export type Field = 'name' | 'email' | 'postalCode' | CardPart

export type Faults = FaultsOf<Field>

export const isCardPart = (field: Field | undefined): field is CardPart => field?.startsWith('card') ?? false

export const NAME_WORDS = 'Please enter your full name.'

const MISSING: Readonly<Record<CardPart, string>> = {
  cardNumber: 'Please enter the whole card number.',
  cardExpiry: 'Please enter the expiry date.',
  cardCvc: 'Please enter the security code.',
}

type Card = Readonly<Record<CardPart, CardState>>

/** Whether the three fields hold a card. */
export const isComplete = (card: Card): boolean => Object.values(card).every(({ complete }) => complete)

/** Every part of the card that is missing or wrong, in Stripe's own words where it gives any. */
export function cardFaults(card: Card): Faults {
  const parts = Object.keys(MISSING) as CardPart[]
  return Object.fromEntries(
    parts.filter((part) => !card[part].complete).map((part) => [part, card[part].error ?? MISSING[part]]),
  )
}

/** Every field of the form that is wrong; `null` for an e-mail that the form does not ask for. */
export function fieldFaults(fields: { name: string; email: string | null }, card: Card): Faults {
  const { name, email } = fields
  return {
    ...(name.trim() ? {} : { name: NAME_WORDS }),
    ...(email === null || parseEmail(email)
      ? {}
      : { email: paymentMessage(email.trim() ? 'account_email_invalid' : 'email_required') }),
    ...cardFaults(card),
  }
}

const REFUSED: Readonly<Record<string, Field>> = {
  incorrect_number: 'cardNumber',
  invalid_number: 'cardNumber',
  expired_card: 'cardExpiry',
  invalid_expiry_month: 'cardExpiry',
  invalid_expiry_year: 'cardExpiry',
  incorrect_cvc: 'cardCvc',
  invalid_cvc: 'cardCvc',
  incorrect_zip: 'postalCode',
}

/** The field that a bank's refusal names (https://docs.stripe.com/error-codes); undefined: the card as a whole. */
export const fieldOfCode = (code: string | undefined): Field | undefined => (code ? REFUSED[code] : undefined)
