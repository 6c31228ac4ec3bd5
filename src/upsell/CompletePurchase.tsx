import { Elements } from '@stripe/react-stripe-js'
import { useEffect, useRef, useState } from 'react'
import { product } from '../../contract/catalogue.ts'
import { formatMoney, obligationToPay } from '../../contract/money.ts'
import { includingTax } from '../../contract/tax-words.ts'
import { CardDetails, CardForm } from '../payment/CardForm.tsx'
import { trouble } from '../payment/failures.ts'
import { PaypalButton } from '../payment/PaypalButton.tsx'
import { TroubleNotice } from '../payment/TroubleNotice.tsx'
import { usePaymentProvider } from '../payment/usePaymentProvider.ts'
import { shownNow } from '../payment/shown.ts'
import { Button } from '../ui/Button.tsx'
import { sumOf } from './upsell-text.ts'
import { type StoppedOrder, useAddOnPayment } from './useAddOnPayment.ts'

interface Props extends Omit<StoppedOrder, 'onLock'> {
  strict: boolean
  paypal: boolean
  /** The tax that is in every price, by its name. */
  tax: string | null
  onCancel: () => void
}

/** U-06: the form for buyers whose saved method cannot be charged here (PayPal first, or a declined card). */
export default function CompletePurchase(props: Props) {
  const { stripe, failed, retry } = usePaymentProvider()
  const [locked, setLocked] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // the offers above are gone: go to the top, where a screen reader continues reading
    window.scrollTo(0, 0)
    heading.current?.focus()
  }, [])
  return (
    <div className="step">
      <h1 ref={heading} tabIndex={-1}>
        Complete Your Purchase
      </h1>
      {failed ? (
        <>
          <TroubleNotice trouble={trouble('system_not_available')} />
          <Button onClick={retry}>Try again</Button>
        </>
      ) : (
        <Elements stripe={stripe}>
          <AddOnForm {...props} onLock={setLocked} />
        </Elements>
      )}
      <Button look="text" busy={locked} onClick={props.onCancel}>
        Cancel and return to offers
      </Button>
    </div>
  )
}

function AddOnForm(props: Props & StoppedOrder) {
  const { stopped, rest, strict, paypal, tax } = props
  const { form, busy, problem, payWithCard, payWithPaypal } = useAddOnPayment(props)
  const order = [stopped.productId, ...rest]
  const total = formatMoney(sumOf(order))
  const obligation = strict ? obligationToPay(sumOf(order)) : undefined
  return (
    <CardForm form={form} onSubmit={payWithCard}>
      <ul className="form-order" aria-label="You are paying for">
        {order.map((id) => (
          <li key={id}>
            <span>{product(id).name}</span> <strong className="tabular">{formatMoney(shownNow(id).now)}</strong>
          </li>
        ))}
      </ul>
      {paypal && rest.length === 0 && (
        <>
          <PaypalButton label={obligation} busy={busy === 'paypal'} onClick={payWithPaypal} />
          <p className="pay-or">Or pay with card</p>
        </>
      )}
      <CardDetails form={form} required />
      {problem && problem.field !== 'name' && <TroubleNotice trouble={problem} />}
      <p className="terms">
        <strong>{total}</strong> {tax ? ` ${includingTax(tax)}` : ''} is charged now, once
        {rest.length > 0 && `, in ${rest.length + 1} payments to this card`}. No subscription. This card pays for
        add-ons only; your programme goes on as it is paid for now.
      </p>
      <Button type="submit" busy={busy === 'card'} busyLabel="Paying">
        {obligation ?? `Pay ${total}`}
      </Button>
    </CardForm>
  )
}
