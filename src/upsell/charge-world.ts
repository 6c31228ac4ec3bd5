import type { SessionView, UpsellResult } from '../../contract/api.ts'
import { noteChanged } from '../payment/shown.ts'
import { leaving } from '../payment/leave.ts'
import { confirmation, type Confirmation } from '../payment/pay.ts'
import { trouble } from '../payment/failures.ts'
import { sleep } from '../session/id.ts'
import { call } from '../session/client.ts'
import { visit } from '../session/storage.ts'
import * as VISIT_KEYS from '../session/visit-keys.ts'
import type { ChargeWorld } from './charge.ts'

const NOT_AVAILABLE: Confirmation = {
  error: { type: 'validation_error', message: trouble('system_not_available').words },
}

/** The surroundings of an add-on order in this browser. The payment script is fetched only when a step needs it. */
export function chargeWorld(session: SessionView, onNews: (words: string) => void): ChargeWorld {
  const provider = () =>
    import('../payment/provider.ts').then(
      ({ paymentProvider }) => paymentProvider(),
      // its file did not come: the same as Stripe's own script that does not
      () => null,
    )
  return {
    call,
    wait: sleep,
    onNews,
    onChanged: (productId, terms) => noteChanged(productId, 'price', terms),
    async authenticate(clientSecret) {
      const stripe = await provider()
      return stripe ? confirmation(() => stripe.handleNextAction({ clientSecret })) : NOT_AVAILABLE
    },
    async leaveForPaypal(result: UpsellResult) {
      const stripe = await provider()
      const { clientSecret, paymentIntentId, productId } = result
      if (!stripe || !clientSecret || !paymentIntentId) return NOT_AVAILABLE
      // the return page reads the buyer's name and e-mail from here (section 4 of the second specification)
      visit.set(VISIT_KEYS.customerEmail, session.email ?? '')
      visit.set(VISIT_KEYS.customerName, session.name ?? '')
      const back = `/upsell-paypal-return/${session.sessionId}/${paymentIntentId}/${productId}`
      const return_url = location.origin + back
      return leaving(confirmation(() => stripe.confirmPayPalPayment(clientSecret, { return_url })))
    },
  }
}
