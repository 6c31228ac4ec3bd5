/** What the three card fields report. */
export type CardPart = 'cardNumber' | 'cardExpiry' | 'cardCvc'

export interface CardState {
  ready: boolean
  complete: boolean
  error: string | null
  /** The error is more than an incomplete field. */
  invalid: boolean
}

const EMPTY: CardState = { ready: false, complete: false, error: null, invalid: false }

export const NO_CARD_STATE: Readonly<Record<CardPart, CardState>> = {
  cardNumber: EMPTY,
  cardExpiry: EMPTY,
  cardCvc: EMPTY,
}
