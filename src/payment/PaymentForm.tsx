import { useState } from 'react'
import type { BrowserConfig } from '../../contract/api.ts'
import { formatMoney } from '../../contract/money.ts'
import { includingTax } from '../../contract/tax-words.ts'
import { TextField } from '../ui/TextField.tsx'
import { isStrict } from '../funnel/visitor.ts'
import { shownNow, useShown } from './shown.ts'
import { Terms } from './Terms.tsx'
import { payButtonLabel } from './terms-text.ts'
import { useCustomer } from './buyer.ts'
import { CardDetails, CardForm } from './CardForm.tsx'
import type { Purchase } from './order.ts'
import { PayButton } from './PayButton.tsx'
import { offersPaypal, paypalWords, paysNothingToday } from './paypal.ts'
import { PaypalButton } from './PaypalButton.tsx'
import { TroubleNotice } from './TroubleNotice.tsx'
import { type PaymentEvents, usePayment } from './usePayment.ts'
import { Wallets } from './Wallets.tsx'

export interface PaymentFormProps extends Purchase, PaymentEvents {
  config: BrowserConfig | null
}

/** C-13: amount, PayPal where offered, card form, terms, button, in that order. */
export function PaymentForm(props: PaymentFormProps) {
  const { session, productId, settings, config } = props
  const { form, phase, problem, ...payment } = usePayment(props, props)
  const { fields, faults } = form
  const hasCustomer = useCustomer(session)
  const [wallets, setWallets] = useState(false)
  const busy = phase !== 'idle'
  const paypal = config !== null && offersPaypal(productId, { hasCustomer }, config.stripe.paypal)
  const price = (useShown(productId) ?? shownNow(productId)).now
  const strict = isStrict(settings.strictBuyingCountries, config?.country ?? null)
  const free = paysNothingToday(productId, config?.stripe.paypalSetup ?? false)
  const amount = (
    <p className="pay-amount">
      You will be charged only <strong className="tabular">{formatMoney(price)}</strong>
      {config?.taxIncluded && <span className="quiet small">, {includingTax(config.taxIncluded)}</span>}
    </p>
  )
  return (
    <CardForm form={form} onSubmit={payment.payWithCard}>
      {!(paypal && free) && amount}
      {/* made once, with the words that the buyer's country wants */}
      {config && (
        <Wallets
          stripe={form.stripe}
          productId={productId}
          productName={settings.productName}
          strict={strict}
          onOffered={setWallets}
          onConfirm={payment.payWithWallet}
        />
      )}
      {paypal && (
        <PaypalButton
          label={strict ? paypalWords(price, free) : undefined}
          busy={busy}
          turning={busy && payment.byPaypal}
          onClick={() => payment.payWithPaypal(free)}
        />
      )}
      {(paypal || wallets) && (
        <>
          <Terms productId={productId} by={paypal && free ? 'paypal-setup' : 'price'} />
          <p className="pay-or">Or pay with card</p>
        </>
      )}
      {paypal && free && amount}
      <CardDetails form={form} required>
        <TextField
          label="Email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          value={fields.email}
          onChange={form.set('email')}
          onBlur={form.leave}
          error={faults.email}
          required
        />
      </CardDetails>
      {problem && problem.field !== 'name' && problem.field !== 'email' && <TroubleNotice trouble={problem} />}
      <Terms productId={productId} />
      <PayButton phase={phase} label={payButtonLabel(price, strict)} />
    </CardForm>
  )
}
