import { CardNumberElement, Elements, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Stripe } from '@stripe/stripe-js'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import type { SessionView } from '../../contract/api.ts'
import { product, type AddOnId } from '../../contract/catalogue.ts'
import { formatMoney } from '../../contract/money.ts'
import { NO_CARD_STATE } from '../checkout/payment/card-state.ts'
import { CardFields } from '../checkout/payment/CardFields.tsx'
import { trouble, troubleOfProvider, troubleOfStatus, type Trouble } from '../checkout/payment/failures.ts'
import { formTrouble } from '../checkout/payment/form.ts'
import { asConfirmation, settle } from '../checkout/payment/pay.ts'
import { paymentProvider } from '../checkout/payment/provider.ts'
import { TroubleNotice } from '../checkout/payment/TroubleNotice.tsx'
import { sleep } from '../session/id.ts'
import { call } from '../session/client.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/TextField.tsx'

interface Props {
  session: SessionView
  productId: AddOnId
  clientSecret: string | null
  onPaid: () => void
  onCancel: () => void
}

/** U-06: the card form for buyers whose saved method cannot be charged here (PayPal first, or a declined card). */
export default function CompletePurchase(props: Props) {
  const [stripe, setStripe] = useState<Stripe | null>(null)
  const [failed, setFailed] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // the offers above are gone: begin at the top, where a screen reader goes on reading
    window.scrollTo(0, 0)
    heading.current?.focus()
    void paymentProvider().then((found) => (found ? setStripe(found) : setFailed(true)))
  }, [])
  return (
    <div className="step">
      <h1 ref={heading} tabIndex={-1}>
        Complete Your Purchase
      </h1>
      {failed && <TroubleNotice trouble={trouble('system_not_available')} />}
      <Elements stripe={stripe}>
        <CardForm {...props} />
      </Elements>
      <Button look="text" onClick={props.onCancel}>
        Cancel and return to offers
      </Button>
    </div>
  )
}

function CardForm({ session, productId, clientSecret, onPaid }: Props) {
  const stripe = useStripe()
  const elements = useElements()
  const [name, setName] = useState(session.name ?? '')
  const [postalCode, setPostalCode] = useState('')
  const [card, setCard] = useState(NO_CARD_STATE)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Trouble | null>(null)
  const running = useRef(false)
  const email = session.email ?? ''

  async function pay(): Promise<Trouble | null> {
    const number = elements?.getElement(CardNumberElement)
    if (!stripe || !number || !clientSecret) return trouble('system_not_ready_yet')
    const result = asConfirmation(
      await stripe.confirmCardPayment(clientSecret, {
        payment_method: { card: number, billing_details: { name: name.trim(), email } },
      }),
    )
    const paid = result.paymentIntent ?? result.error?.payment_intent
    if (paid?.status === 'succeeded' || paid?.status === 'processing') {
      const settled = await settle({ call, wait: sleep }, session.sessionId, paid.id)
      if (settled.kind === 'settled') return null
      if (settled.kind === 'processing') return { ...trouble('processing_paypal_redirect'), money: 'unknown' }
      return { ...trouble('finalize_upsell_record_failed'), money: 'unknown' }
    }
    if (result.error) return troubleOfProvider(result.error)
    return paid ? troubleOfStatus(paid.status) : trouble('no_payment_intent', {}, 'unknown')
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (running.current) return
    const first = formTrouble({ name, email, postalCode }, card, {
      sessionId: session.sessionId,
      stripe: stripe !== null,
      elements: Boolean(elements?.getElement(CardNumberElement)),
    })
    if (first) return setProblem(first)
    running.current = true
    setBusy(true)
    setProblem(null)
    void pay()
      .catch(() => trouble('unexpected_during_payment', {}, 'unknown'))
      .then((result) => {
        running.current = false
        setBusy(false)
        setProblem(result)
        if (!result) onPaid()
      })
  }

  return (
    <form className="pay" onSubmit={submit} noValidate>
      <TextField
        label="Full name"
        name="name"
        autoComplete="cc-name"
        value={name}
        onChange={setName}
        error={problem?.field === 'name' ? problem.words : null}
      />
      <CardFields
        card={card}
        onState={(part, state) => setCard((now) => ({ ...now, [part]: { ...now[part], ...state } }))}
        postal={
          <TextField
            label="Postal code"
            name="postalCode"
            autoComplete="postal-code"
            placeholder="12345"
            value={postalCode}
            onChange={setPostalCode}
          />
        }
      />
      {problem && !problem.field && <TroubleNotice trouble={problem} />}
      <p className="terms">
        <strong>{formatMoney(product(productId).price)}</strong> is charged now, once. No subscription, nothing else is
        charged.
      </p>
      <Button type="submit" busy={busy} busyLabel="Paying">
        Pay {formatMoney(product(productId).price)}
      </Button>
    </form>
  )
}
