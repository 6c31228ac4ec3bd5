import { useRef, useState } from 'react'
import type { AddOnEvidence, SessionView } from '../../contract/api.ts'
import type { AddOnId } from '../../contract/catalogue.ts'
import type { PaymentMessageCode } from '../../contract/payment-messages.ts'
import { checkForm } from '../payment/check-form.ts'
import { faultOf, trouble, troubleOfProvider, troubleOfStatus, type Trouble, unexpected } from '../payment/failures.ts'
import { confirmation, settle } from '../payment/pay.ts'
import { useCardForm } from '../payment/useCardForm.ts'
import { call } from '../session/client.ts'
import { sleep } from '../session/id.ts'
import { chargeOne, type ChargeOutcome } from './charge.ts'
import { chargeWorld } from './charge-world.ts'

const EXPIRED: PaymentMessageCode = 'payment_session_expired'

export interface StoppedOrder {
  session: SessionView
  /** The add-on whose saved method cannot be charged, and why. */
  stopped: Extract<ChargeOutcome, { kind: 'needs_form' }>
  /** What is charged to the same card afterwards, one by one. */
  rest: readonly AddOnId[]
  evidence: AddOnEvidence
  onPaid: () => void
  /** What the form would pay was ended elsewhere: by PayPal pressed in its place, another tab, or the service. */
  onExpired: (problem: Trouble) => void
  /** A payment is under way: the form must not be left. */
  onLock: (busy: boolean) => void
}

/** U-06: pays for one add-on by a card typed now, or by PayPal; one payment at a time. */
export function useAddOnPayment({ session, stopped, evidence, onPaid, onExpired, onLock }: StoppedOrder) {
  const { productId, clientSecret } = stopped
  const form = useCardForm({
    known: () => ({ name: session.name ?? '', email: session.email ?? '', postalCode: '' }),
  })
  const { stripe } = form
  const [busy, setBusy] = useState<'card' | 'paypal' | null>(null)
  const [problem, setProblem] = useState<Trouble | null>(stopped.reason ?? null)
  const running = useRef(false)

  async function chargeCard(): Promise<Trouble | null> {
    const method = form.paymentMethod()
    if (!stripe || !method) return trouble('system_not_ready_yet')
    if (!clientSecret) return trouble('not_initialized')
    const result = await confirmation(() =>
      stripe.confirmCardPayment(clientSecret, {
        payment_method: method,
        // one form is enough for the whole order: the rest of it is charged to the same card
        setup_future_usage: 'on_session',
      }),
    )
    form.judged(result.error)
    const paid = result.paymentIntent ?? result.error?.payment_intent
    if (paid?.status === 'succeeded' || paid?.status === 'processing') {
      if (!productId) return trouble('product_context_lost', {}, 'charged')
      const settled = await settle({ call, wait: sleep }, session.sessionId, paid.id)
      if (settled.kind === 'settled') return null
      if (settled.kind === 'processing') return { ...trouble('processing_paypal_redirect'), money: 'unknown' }
      return { ...trouble('finalize_upsell_record_failed'), money: 'unknown' }
    }
    if (result.error && paid?.status !== 'canceled') return troubleOfProvider(result.error)
    return paid ? troubleOfStatus(paid.status) : trouble('no_payment_intent', {}, 'unknown')
  }

  /** The buyer leaves for PayPal and comes back to the return page (U-04, paypal_redirect_immediate). */
  async function leaveForPaypal(): Promise<Trouble | null | 'left'> {
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
      .catch(unexpected)
      .then((result) => {
        // the form stays locked until the order goes on without it
        if (!result) return onPaid()
        if (result !== 'left' && result.code === EXPIRED) return onExpired(result)
        running.current = false
        setBusy(null)
        onLock(false)
        if (result === 'left') return
        setProblem(result)
        form.show(faultOf(result))
      })
  }

  async function payWithCard(): Promise<void> {
    if (running.current) return
    running.current = true
    const first = await checkForm(form, session.sessionId, { asksEmail: false })
    running.current = false
    if (first) setProblem(first)
    else start('card', chargeCard)
  }

  return { form, busy, problem, payWithCard, payWithPaypal: () => start('paypal', leaveForPaypal) }
}
