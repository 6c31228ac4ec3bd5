import { useRef, useState } from 'react'
import { call } from '../session/client.ts'
import { sleep } from '../session/id.ts'
import { noteChanged, type PaidBy } from './shown.ts'
import { knownBuyer, remember } from './buyer.ts'
import { checkForm } from './check-form.ts'
import { faultOf, trouble, type Trouble, unexpected } from './failures.ts'
import { emailTrouble } from './form.ts'
import { orderOf, type Purchase } from './order.ts'
import { confirmation, payByCard, type PayResult, type PayWorld } from './pay.ts'
import { leavingBy, payByPaypal, setUpPaypal } from './paypal.ts'
import { providerInTime } from './provider.ts'
import { useCardForm } from './useCardForm.ts'
import type { WalletPayment } from './Wallets.tsx'

export type Phase = 'idle' | 'preparing' | 'confirming' | 'leaving' | 'finishing'

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

  function refuse(found: Trouble): void {
    setProblem(found)
    form.show(faultOf(found))
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
    running.current = false
    setByPaypal(false)
    enter('idle')
    if (result.kind === 'left') return result
    if (result.kind === 'failed' && result.trouble.terms) noteChanged(productId, by, result.trouble.terms)
    if (result.kind === 'failed' && result.trouble.code !== 'processed_not_finalized') refuse(result.trouble)
    else events.onResult(result)
    return result
  }

  async function payWithCard(): Promise<void> {
    if (running.current) return
    running.current = true
    const found = await checkForm(form, session.sessionId, { asksEmail: true })
    running.current = false
    if (found) return setProblem(found)
    const payment_method = form.paymentMethod()
    if (!stripe || !payment_method) return
    const typed = form.fieldsNow()
    remember(typed, purchase)
    const confirm: PayWorld['confirm'] = async ({ clientSecret }) => {
      const confirmed = await confirmation(() => stripe.confirmCardPayment(clientSecret, { payment_method }))
      form.judged(confirmed.error)
      return confirmed
    }
    void run((world) => payByCard({ ...world, confirm }, orderOf(purchase, typed)))
  }

  /**
   * `free`: PayPal only sets the trial up today (P-06). The button is there before Stripe.js is: a press waits for it.
   */
  function payWithPaypal(free: boolean): void {
    if (running.current) return
    const wrong = emailTrouble(fields.email)
    if (wrong) return refuse(wrong)
    remember(fields, purchase)
    setByPaypal(true)
    const by = free ? 'paypal-setup' : 'price'
    const order = orderOf(purchase, fields, by)
    void run(async (world) => {
      enter('preparing')
      const provider = await providerInTime()
      if (!provider) return { kind: 'failed', trouble: trouble('system_not_available') }
      return (free ? setUpPaypal : payByPaypal)({ ...world, ...leavingBy(provider) }, order)
    }, by)
  }

  /** The wallet knows the buyer; what it does not provide comes from our fields. */
  function payWithWallet(wallet: WalletPayment): Promise<PayResult | null> {
    const buyer = { ...fields, name: wallet.name ?? fields.name, email: wallet.email ?? fields.email }
    remember(buyer, purchase)
    const order = { ...orderOf(purchase, fields), name: buyer.name.trim(), email: buyer.email.trim() }
    return run((world) => payByCard({ ...world, confirm: wallet.confirm }, order))
  }

  return { form, phase, byPaypal, problem, payWithCard, payWithPaypal, payWithWallet }
}
