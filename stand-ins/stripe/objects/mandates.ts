// Mandates: the buyer's permission to charge a wallet later.
import { type Stripe } from '../stripe-types.ts'
import { route } from '../http/router.ts'
import { fields } from '../schemas.ts'
import { newId, letters } from '../ids.ts'
import { type Tx } from '../state.ts'

/**
 * Records the permission and remembers it with the payment method. `acceptedBy`: the browser that `mandate_data` named;
 * the sandbox also saves a wallet without one, as Stripe does for payments.
 */
export function createMandate(tx: Tx, method: Stripe.PaymentMethod, acceptedBy = 'sandbox'): Stripe.Mandate {
  const mandate = tx.put<Stripe.Mandate>({
    id: newId('mandate'),
    object: 'mandate',
    customer_acceptance: {
      accepted_at: tx.now(),
      online: { ip_address: '127.0.0.1', user_agent: acceptedBy },
      type: 'online',
    },
    livemode: false,
    multi_use: {},
    payment_method: method.id,
    payment_method_details:
      method.type === 'paypal'
        ? {
            type: 'paypal',
            paypal: {
              billing_agreement_id: `B-${letters(17).toUpperCase()}`,
              payer_id: method.paypal?.payer_id ?? null,
            },
          }
        : { type: 'card', card: {} },
    status: 'active',
    type: 'multi_use',
  } as unknown as Stripe.Mandate)
  tx.hide(method.id, { mandate: mandate.id })
  tx.emit('mandate.updated', mandate)
  return mandate
}

route('GET', '/v1/mandates/:id', fields({}), ({ tx, path }) => tx.need('mandate', path['id'] ?? ''))

/** The browser in a confirmation's `mandate_data`, as a change to the intent's hidden fields. */
export function acceptance(
  data: Stripe.PaymentIntentConfirmParams['mandate_data'] | Stripe.SetupIntentConfirmParams['mandate_data'],
): { acceptedBy?: string } {
  const userAgent = data ? data.customer_acceptance?.online?.user_agent : undefined
  return userAgent === undefined ? {} : { acceptedBy: userAgent }
}
