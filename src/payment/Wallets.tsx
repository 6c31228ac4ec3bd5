import { Elements, ExpressCheckoutElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Stripe, StripeExpressCheckoutElementConfirmEvent } from '@stripe/stripe-js'
import { useState } from 'react'
import { isReadingId, product, type ProductId } from '../../contract/catalogue.ts'
import { CURRENCY } from '../../contract/money.ts'
import { shownNow, useShown } from './shown.ts'
import { confirmation, type PayResult, type PayWorld } from './pay.ts'

/** What a wallet reveals about its owner, and how its payment is confirmed. */
export interface WalletPayment {
  name?: string
  email?: string
  confirm: PayWorld['confirm']
}

interface Props {
  stripe: Stripe | null
  productId: ProductId
  productName: string
  /** H-02: the law wants words on a button that orders. */
  strict: boolean
  /** Whether there is a button to press; that depends on the account, the browser and the device. */
  onOffered: (offered: boolean) => void
  onConfirm: (wallet: WalletPayment) => Promise<PayResult | { kind: 'left' } | null>
}

/**
 * C-13: Apple Pay and Google Pay, where the account offers them and this device supports them. Until Stripe has
 * confirmed that, nothing is shown and no room is reserved, so that nothing moves where there is no wallet.
 */
export function Wallets({ stripe, productId, ...props }: Props) {
  const amount = useShown(productId)?.now ?? product(productId).price
  if (!stripe) return null
  return (
    <Elements
      stripe={stripe}
      options={{
        mode: 'payment',
        amount,
        currency: CURRENCY,
        // must match the intent as it is created (P-03)
        ...(isReadingId(productId) ? {} : { setupFutureUsage: 'off_session' as const }),
        allowedPaymentMethodTypes: ['card'],
        // like our own buttons
        appearance: { variables: { buttonExpressCheckoutBorderRadius: '14px' } },
      }}
    >
      <Buttons productId={productId} {...props} />
    </Elements>
  )
}

function Buttons({ productId, productName, strict, onOffered, onConfirm }: Omit<Props, 'stripe'>) {
  const stripe = useStripe()
  const elements = useElements()
  const [offered, setOffered] = useState(false)
  const { now, firstFull } = useShown(productId) ?? shownNow(productId)

  const offer = (methods: object | undefined): void => {
    const any = Object.values(methods ?? {}).includes(true)
    setOffered(any)
    onOffered(any)
  }

  async function confirmed(event: StripeExpressCheckoutElementConfirmEvent): Promise<void> {
    if (!stripe || !elements) return event.paymentFailed({ reason: 'fail' })
    const { error } = await confirmation(() => elements.submit())
    if (error) return event.paymentFailed({ reason: 'fail' })
    const { name, email } = event.billingDetails ?? {}
    const result = await onConfirm({
      ...(name ? { name } : {}),
      ...(email ? { email } : {}),
      confirm: ({ clientSecret }) =>
        confirmation(() =>
          stripe.confirmPayment({
            elements,
            clientSecret,
            confirmParams: { return_url: `${location.origin}/checkout-paypal-return` },
            redirect: 'if_required',
          }),
        ),
    })
    // closes the wallet's own sheet; the form says what went wrong
    if (result?.kind !== 'settled' && result?.kind !== 'processing') event.paymentFailed({ reason: 'fail' })
  }

  return (
    <div className="wallets" data-offered={offered || undefined}>
      <ExpressCheckoutElement
        options={{
          emailRequired: true,
          buttonHeight: 52,
          ...(strict ? { buttonType: { applePay: 'buy', googlePay: 'buy' } } : {}),
          // PayPal has its own button and its own rule (C-14)
          paymentMethods: { link: 'never', paypal: 'never', amazonPay: 'never', klarna: 'never' },
        }}
        onReady={({ availablePaymentMethods }) => offer(availablePaymentMethods)}
        onLoadError={() => offer(undefined)}
        onClick={({ resolve }) =>
          resolve({
            business: { name: productName },
            lineItems: [{ name: product(productId).name, amount: now }],
            // H-01: the wallet's own sheet says what renews, when and for how much
            ...(firstFull
              ? {
                  applePay: {
                    recurringPaymentRequest: {
                      paymentDescription: productName,
                      managementURL: `${location.origin}/app/`,
                      regularBilling: {
                        label: product('monthly').name,
                        amount: firstFull.amount,
                        recurringPaymentStartDate: new Date(`${firstFull.on}T12:00:00`),
                        recurringPaymentIntervalUnit: 'day' as const,
                        recurringPaymentIntervalCount: firstFull.everyDays,
                      },
                    },
                  },
                }
              : {}),
          })
        }
        onConfirm={(event) => void confirmed(event)}
      />
    </div>
  )
}
