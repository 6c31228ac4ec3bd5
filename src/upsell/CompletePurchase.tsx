import { CardNumberElement, Elements, useStripe } from '@stripe/react-stripe-js'
import type { Stripe } from '@stripe/stripe-js'
import { useCallback, useEffect, useRef, useState, type FormEvent } from 'react'
import type { OrderEvidence, SessionView } from '../../contract/api.ts'
import { product, type AddOnId } from '../../contract/catalogue.ts'
import { formatMoney } from '../../contract/money.ts'
import { shownNow } from '../checkout/shown.ts'
import { CardFields } from '../checkout/payment/CardFields.tsx'
import { faultOf, trouble, troubleOfProvider, troubleOfStatus, type Trouble } from '../checkout/payment/failures.ts'
import { fieldFaults } from '../checkout/payment/faults.ts'
import { formTrouble } from '../checkout/payment/form.ts'
import { asConfirmation, settle } from '../checkout/payment/pay.ts'
import { PaypalButton } from '../checkout/payment/PaypalButton.tsx'
import { paymentProvider } from '../checkout/payment/provider.ts'
import { TroubleNotice } from '../checkout/payment/TroubleNotice.tsx'
import { useCardForm } from '../checkout/payment/useCardForm.ts'
import { sleep } from '../session/id.ts'
import { call } from '../session/client.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/TextField.tsx'
import { chargeOne, type ChargeOutcome } from './charge.ts'
import { chargeWorld } from './charge-world.ts'
import { sumOf } from './upsell-text.ts'

interface Props {
  session: SessionView
  /** The add-on whose saved method cannot be charged, and why. */
  stopped: Extract<ChargeOutcome, { kind: 'needs_form' }>
  /** What is charged to the same card afterwards, one by one. */
  rest: readonly AddOnId[]
  strict: boolean
  paypal: boolean
  evidence: OrderEvidence
  onPaid: () => void
  onCancel: () => void
}

/** U-06: the form for buyers whose saved method cannot be charged here (PayPal first, or a declined card). */
export default function CompletePurchase(props: Props) {
  const [stripe, setStripe] = useState<Stripe | null>(null)
  const [failed, setFailed] = useState(false)
  const [locked, setLocked] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const load = useCallback(() => {
    setFailed(false)
    void paymentProvider().then((found) => (found ? setStripe(found) : setFailed(true)))
  }, [])
  useEffect(() => {
    // the offers above are gone: go to the top, where a screen reader continues reading
    window.scrollTo(0, 0)
    heading.current?.focus()
    void paymentProvider().then((found) => (found ? setStripe(found) : setFailed(true)))
  }, [])
  return (
    <div className="step">
      <h1 ref={heading} tabIndex={-1}>
        Complete Your Purchase
      </h1>
      {failed ? (
        <>
          <TroubleNotice trouble={trouble('system_not_available')} />
          <Button onClick={load}>Try again</Button>
        </>
      ) : (
        <Elements stripe={stripe}>
          <CardForm {...props} onLock={setLocked} />
        </Elements>
      )}
      <Button look="text" busy={locked} onClick={props.onCancel}>
        Cancel and return to offers
      </Button>
    </div>
  )
}

function CardForm({
  session,
  stopped,
  rest,
  strict,
  paypal,
  evidence,
  onPaid,
  onLock,
}: Props & { onLock: (busy: boolean) => void }) {
  const { productId, clientSecret } = stopped
  const stripe = useStripe()
  const { elements, form, card, faults, onState, clear, show, reported } = useCardForm()
  const [name, setName] = useState(session.name ?? '')
  const [postalCode, setPostalCode] = useState('')
  const [busy, setBusy] = useState<'card' | 'paypal' | null>(null)
  const [problem, setProblem] = useState<Trouble | null>(stopped.reason ?? null)
  const running = useRef(false)
  const email = session.email ?? ''
  const total = formatMoney(sumOf([productId, ...rest]))

  async function pay(): Promise<Trouble | null> {
    const number = elements?.getElement(CardNumberElement)
    if (!stripe || !number) return trouble('system_not_ready_yet')
    if (!clientSecret) return trouble('not_initialized')
    const result = asConfirmation(
      await stripe.confirmCardPayment(clientSecret, {
        payment_method: {
          card: number,
          billing_details: {
            name: name.trim(),
            email,
            ...(postalCode.trim() ? { address: { postal_code: postalCode.trim() } } : {}),
          },
        },
        // one form is enough for the whole order: the rest of it is charged to the same card
        setup_future_usage: 'on_session',
      }),
    )
    const paid = result.paymentIntent ?? result.error?.payment_intent
    if (paid?.status === 'succeeded' || paid?.status === 'processing') {
      if (!productId) return trouble('product_context_lost', {}, 'charged')
      const settled = await settle({ call, wait: sleep }, session.sessionId, paid.id)
      if (settled.kind === 'settled') return null
      if (settled.kind === 'processing') return { ...trouble('processing_paypal_redirect'), money: 'unknown' }
      return { ...trouble('finalize_upsell_record_failed'), money: 'unknown' }
    }
    if (result.error) return troubleOfProvider(result.error)
    return paid ? troubleOfStatus(paid.status) : trouble('no_payment_intent', {}, 'unknown')
  }

  /**
   * PayPal for this one add-on: the buyer leaves for PayPal and comes back to the return page (U-04,
   * paypal_redirect_immediate).
   */
  async function payWithPaypal(): Promise<Trouble | null | 'left'> {
    const world = chargeWorld(session, () => undefined)
    const outcome = await chargeOne(world, session.sessionId, productId, evidence, 'paypal')
    if (outcome.kind === 'failed') return outcome.trouble
    return outcome.kind === 'bought' ? null : 'left'
  }

  function start(method: 'card' | 'paypal', work: () => Promise<Trouble | null | 'left'>): void {
    if (running.current) return
    running.current = true
    setBusy(method)
    onLock(true)
    setProblem(null)
    void work()
      .catch(() => trouble('unexpected_during_payment', {}, 'unknown'))
      .then((result) => {
        if (result === 'left') return
        running.current = false
        setBusy(null)
        onLock(false)
        setProblem(result)
        if (result) show(faultOf(result))
        if (!result) onPaid()
      })
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (running.current) return
    running.current = true
    const typed = await reported()
    running.current = false
    const first = formTrouble({ name, email, postalCode }, typed, {
      sessionId: session.sessionId,
      stripe: stripe !== null,
      elements: Boolean(elements?.getElement(CardNumberElement)),
    })
    show(first ? fieldFaults({ name, email: null }, typed) : {})
    if (first) return setProblem(first)
    start('card', pay)
  }

  return (
    <form className="pay" ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <ul className="form-order" aria-label="You are paying for">
        {[productId, ...rest].map((id) => (
          <li key={id}>
            <span>{product(id).name}</span> <strong className="tabular">{formatMoney(shownNow(id).now)}</strong>
          </li>
        ))}
      </ul>
      {paypal && rest.length === 0 && (
        <>
          <PaypalButton busy={busy === 'paypal'} onClick={() => start('paypal', payWithPaypal)} />
          <p className="pay-or">Or pay with card</p>
        </>
      )}
      <TextField
        label="Full name"
        name="name"
        autoComplete="cc-name"
        value={name}
        onChange={(value) => {
          setName(value)
          clear('name')
        }}
        error={faults.name}
      />
      <CardFields
        card={card}
        faults={faults}
        onState={onState}
        postal={
          <TextField
            label="Postal code"
            name="postalCode"
            autoComplete="postal-code"
            placeholder="12345"
            value={postalCode}
            onChange={(value) => {
              setPostalCode(value)
              clear('postalCode')
            }}
            error={faults.postalCode}
          />
        }
      />
      {problem && problem.field !== 'name' && <TroubleNotice trouble={problem} />}
      <p className="terms">
        <strong>{total}</strong> is charged now, once
        {rest.length > 0 && `, in ${rest.length + 1} payments to this card`}. No subscription. This card pays for
        add-ons only; your programme goes on as it is paid for now.
      </p>
      <Button type="submit" busy={busy === 'card'} busyLabel="Paying">
        {strict ? `Order with obligation to pay ${total}` : `Pay ${total}`}
      </Button>
    </form>
  )
}
