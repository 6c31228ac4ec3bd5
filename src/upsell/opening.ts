import type { cutShort } from './picks.ts'
import type { Selection } from './selection.ts'
import type { Saved } from './upsell-text.ts'

/** How the page opens: what is picked, and what the country and the payment provider allow. */
export interface Opening {
  selection: Selection
  saved: Saved
  /** H-02: the buyer's country forbids pre-selection and requires the obligation to pay on the button. */
  strict: boolean
  paypal: boolean
  /** The tax that is in every price, by its name; null: none is taken out where the buyer is. */
  tax: string | null
  cutShort: ReturnType<typeof cutShort>
  /** Nobody knows yet what became of a payment for an add-on. */
  undecided: boolean
}
