import { useRef, useState } from 'react'
import { call } from '../session/client.ts'
import { sleep } from '../session/id.ts'
import { noteChanged, type PaidBy } from './shown.ts'
import { knownBuyer, remember } from './buyer.ts'
import { checkForm } from './check-form.ts'
import { faultOf, type Trouble, unexpected } from './failures.ts'
import { emailTrouble } from './form.ts'
import { orderOf, type Purchase } from './order.ts'
import { confirmation, payByCard, type PayResult, type PayWorld } from './pay.ts'
import { accepted, payByPaypal, setUpPaypal } from './paypal.ts'
import { useCardForm } from './useCardForm.ts'
import type { WalletPayment } from './Wallets.tsx'

export type Phase = 'idle' | 'preparing' | 'confirming' | 'finishing'

export interface PaymentEvents {
  onPhase: (phase: Phase) => void
  /** A payment was tried: closing is no longer an exit intent (C-15). */
  onStarted: () => void
  onResult: (result: PayResult) => void
}

/** C-13, C-14: the ways to pay for one purchase, one payment at a time, and what went wrong with the last one. */
export function usePayment(purchase: Purchase, events: PaymentEvents) {
  const { session, productId } = purchase
  const [phase, setPhase] = useState<Phase>('idle')
  const [byPaypal, setByPaypal] = useState(false)
  const [problem, setProblem] = useState<Trouble | null>(null)
  const running = useRef(false)
  const form = useCardForm({
    known: () => knownBuyer(session),
    onEdit: (field) => {
      if (problem?.field === field) setProblem(null)
    },
  })
  const { stripe, fields } = form

  const enter = (next: Phase): void => {
    setPhase(next)
    events.onPhase(next)
  }

  function refuse(trouble: Trouble): void {
    setProblem(trouble)
    form.show(faultOf(trouble))
  }

  /** One payment at a time, whatever is clicked and however often. */
  async function run<R extends PayResult | { kind: 'left' }>(
    pay: (world: Omit<PayWorld, 'confirm'>) => Promise<R>,
    by: PaidBy = 'price',
  ): Promise<R | PayResult | null> {
    if (running.current) return null
    running.current = true
    setProblem(null)
    events.onStarted()
    const result = await pay({ call, wait: sleep, onPhase: enter }).catch((thrown: unknown): PayResult => ({
      kind: 'failed',
      trouble: unexpected(thrown),
    }))
    if (result.kind === 'left') return result
    running.current = false
    setByPaypal(false)
    enter('idle')
    if (result.kind === 'failed' && result.trouble.terms) noteChanged(productId, by, result.trouble.terms)
    if (result.kind === 'failed' && result.trouble.code !== 'processed_not_finalized') refuse(result.trouble)
    else events.onResult(result)
    return result
  }

  async function payWithCard(): Promise<void> {
    if (running.current) return
    running.current = true
    const trouble = await checkForm(form, session.sessionId, { asksEmail: true })
    running.current = false
    if (trouble) return setProblem(trouble)
    const payment_method = form.paymentMethod()
    if (!stripe || !payment_method) return
    const typed = form.fieldsNow()
    remember(typed, productId)
    const confirm: PayWorld['confirm'] = async ({ clientSecret }) => {
      const confirmed = await confirmation(() => stripe.confirmCardPayment(clientSecret, { payment_method }))
      form.judged(confirmed.error)
      return confirmed
    }
    void run((world) => payByCard({ ...world, confirm }, orderOf(purchase, typed)))
  }

  /** `free`: PayPal only sets the trial up today (P-06). */
  function payWithPaypal(free: boolean): void {
    if (!stripe || running.current) return
    const wrong = emailTrouble(fields.email)
    if (wrong) return refuse(wrong)
    remember(fields, productId)
    setByPaypal(true)
    const leave = {
      origin: location.origin,
      confirmPaypal: (clientSecret: string, returnUrl: string) =>
        confirmation(() => stripe.confirmPayPalPayment(clientSecret, accepted(returnUrl))),
      confirmPaypalSetup: (clientSecret: string, returnUrl: string) =>
        confirmation(() => stripe.confirmPayPalSetup(clientSecret, accepted(returnUrl))),
    }
    const by = free ? 'paypal-setup' : 'price'
    const order = orderOf(purchase, fields, by)
    void run((world) => (free ? setUpPaypal : payByPaypal)({ ...world, ...leave }, order), by)
  }

  /** The wallet knows the buyer; what it does not provide comes from our fields. */
  function payWithWallet(wallet: WalletPayment): Promise<PayResult | null> {
    const buyer = { ...fields, name: wallet.name ?? fields.name, email: wallet.email ?? fields.email }
    remember(buyer, productId)
    const order = { ...orderOf(purchase, fields), name: buyer.name.trim(), email: buyer.email.trim() }
    return run((world) => payByCard({ ...world, confirm: wallet.confirm }, order))
  }

  return { form, phase, byPaypal, problem, payWithCard, payWithPaypal, payWithWallet }
}
