import { CardNumberElement, useStripe } from '@stripe/react-stripe-js'
import { useRef, useState, type FormEvent } from 'react'
import type { BrowserConfig, PaymentResult } from '../../../contract/api.ts'
import type { SessionView } from '../../../contract/api.ts'
import type { ProductId } from '../../../contract/catalogue.ts'
import { parseEmail } from '../../../contract/email.ts'
import { formatMoney } from '../../../contract/money.ts'
import { sleep } from '../../session/id.ts'
import { call } from '../../session/client.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { isStrict, payButtonLabel } from '../checkout.ts'
import type { FunnelSettings } from '../page-settings.ts'
import { noteChanged, type PaidBy, shownNow, useShown } from '../shown.ts'
import { Terms } from '../Terms.tsx'
import { termsText } from '../terms-text.ts'
import { knownBuyer, remember, useCustomer } from './buyer.ts'
import { CardFields } from './CardFields.tsx'
import { fieldFaults } from './faults.ts'
import { emailTrouble, formTrouble, type PayFields } from './form.ts'
import { faultOf, type Trouble } from './failures.ts'
import {
  asConfirmation,
  payByCard,
  type MarketingChoice,
  type Confirmation,
  type Order,
  type PayResult,
  type PayWorld,
} from './pay.ts'
import { accepted, offersPaypal, payByPaypal, paysNothingToday, setUpPaypal } from './paypal.ts'
import { PaypalButton } from './PaypalButton.tsx'
import { TroubleNotice } from './TroubleNotice.tsx'
import { useCardForm } from './useCardForm.ts'
import { Wallets, type WalletPayment } from './Wallets.tsx'

export type Phase = 'idle' | 'preparing' | 'confirming' | 'finishing'

export interface PaymentFormProps {
  session: SessionView
  productId: ProductId
  settings: FunnelSettings
  config: BrowserConfig | null
  marketing: MarketingChoice | null
  /** The path of the page where the order is placed, without its id, as evidence of the agreement (H-03). */
  page: string
  onPhase: (phase: Phase) => void
  /** A payment was tried: closing is no longer an exit intent (C-15). */
  onStarted: () => void
  onResult: (result: PayResult) => void
}

const PHASE_WORDS: Record<Exclude<Phase, 'idle'>, string> = {
  preparing: 'Preparing your payment. Please keep this page open.',
  confirming: 'Confirming with your bank. Please keep this page open.',
  finishing: 'Finishing your order. Please keep this page open.',
}

/** C-13: amount, PayPal where offered, card form, terms, button, in that order. */
export function PaymentForm(props: PaymentFormProps) {
  const { session, productId, settings, config } = props
  const stripe = useStripe()
  const { elements, form, card, faults, onState, clear, show, reported } = useCardForm()
  const [fields, setFields] = useState<PayFields>(() => knownBuyer(session))
  const [phase, setPhase] = useState<Phase>('idle')
  const [problem, setProblem] = useState<Trouble | null>(null)
  const hasCustomer = useCustomer(session)
  const running = useRef(false)
  const busy = phase !== 'idle'
  const [byPaypal, setByPaypal] = useState(false)
  const [wallets, setWallets] = useState(false)
  const paypal = config !== null && offersPaypal(productId, { hasCustomer }, config.stripe.paypal)
  const price = (useShown(productId) ?? shownNow(productId)).now
  const free = paysNothingToday(productId, config?.stripe.paypalSetup ?? false)

  const enter = (next: Phase): void => {
    setPhase(next)
    props.onPhase(next)
  }
  const order = (by: PaidBy = 'price'): Order => ({
    sessionId: session.sessionId,
    productId,
    email: parseEmail(fields.email) ?? fields.email.trim(),
    name: fields.name.trim(),
    marketing: props.marketing,
    shown: shownNow(productId, by),
    agreement: {
      words: termsText(productId, shownNow(productId, by), by)?.words ?? '',
      version: settings.consentVersion,
      page: props.page,
    },
  })

  /** One payment at a time, whatever is clicked and however often. */
  async function run<R extends PayResult | { kind: 'left' }>(
    pay: (world: Omit<PayWorld, 'confirm'>) => Promise<R>,
    by: PaidBy = 'price',
  ): Promise<R | null> {
    if (running.current) return null
    running.current = true
    setProblem(null)
    props.onStarted()
    const result = await pay({ call, wait: sleep, onPhase: enter })
    if (result.kind === 'left') return result
    running.current = false
    setByPaypal(false)
    enter('idle')
    if (result.kind === 'failed' && result.trouble.terms) noteChanged(productId, by, result.trouble.terms)
    if (result.kind === 'failed' && result.trouble.code !== 'processed_not_finalized') refuse(result.trouble)
    else props.onResult(result)
    return result
  }

  function refuse(trouble: Trouble, found = faultOf(trouble)): void {
    setProblem(trouble)
    show(found)
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (running.current) return
    running.current = true
    const typed = await reported()
    running.current = false
    const trouble = formTrouble(fields, typed, {
      sessionId: session.sessionId,
      stripe: stripe !== null,
      elements: Boolean(elements?.getElement(CardNumberElement)),
    })
    if (trouble) return refuse(trouble, fieldFaults(fields, typed))
    if (!stripe || !elements) return
    show({})
    remember(fields, productId)
    const number = elements.getElement(CardNumberElement)
    if (!number) return
    const confirm = async (intent: PaymentResult): Promise<Confirmation> => {
      const postalCode = fields.postalCode.trim()
      // always the card now typed: one left from an earlier attempt is never used
      const done = await stripe.confirmCardPayment(intent.clientSecret, {
        payment_method: {
          card: number,
          billing_details: {
            name: fields.name.trim(),
            email: fields.email.trim(),
            ...(postalCode ? { address: { postal_code: postalCode } } : {}),
          },
        },
      })
      return asConfirmation(done)
    }
    void run((world) => payByCard({ ...world, confirm }, order()))
  }

  function paypalClicked(): void {
    if (!stripe || running.current) return
    const wrong = emailTrouble(fields.email)
    if (wrong) return refuse(wrong)
    remember(fields, productId)
    setByPaypal(true)
    void run(
      (world) => {
        const leave = {
          ...world,
          origin: location.origin,
          confirmPaypal: async (clientSecret: string, returnUrl: string) =>
            asConfirmation(await stripe.confirmPayPalPayment(clientSecret, accepted(returnUrl))),
          confirmPaypalSetup: async (clientSecret: string, returnUrl: string) =>
            asConfirmation(await stripe.confirmPayPalSetup(clientSecret, accepted(returnUrl))),
        }
        return free ? setUpPaypal(leave, order('paypal-setup')) : payByPaypal(leave, order())
      },
      free ? 'paypal-setup' : 'price',
    )
  }

  /** The wallet knows the buyer; what it does not provide comes from our fields. */
  function walletConfirmed(wallet: WalletPayment): Promise<PayResult | null> {
    const buyer = { ...fields, name: wallet.name ?? fields.name, email: wallet.email ?? fields.email }
    remember(buyer, productId)
    const { name, email } = buyer
    return run((world) =>
      payByCard({ ...world, confirm: wallet.confirm }, { ...order(), name: name.trim(), email: email.trim() }),
    )
  }

  const set = (key: keyof PayFields) => (value: string) => {
    setFields((now) => ({ ...now, [key]: value }))
    clear(key)
    if (problem?.field === key) setProblem(null)
  }

  const amount = (
    <p className="pay-amount">
      You will be charged only <strong className="tabular">{formatMoney(price)}</strong>
    </p>
  )

  return (
    <form className="pay" ref={form} onSubmit={(event) => void submit(event)} noValidate>
      {!(paypal && free) && amount}
      <Wallets
        stripe={stripe}
        productId={productId}
        productName={settings.productName}
        onOffered={setWallets}
        onConfirm={walletConfirmed}
      />
      {paypal && <PaypalButton busy={busy} turning={busy && byPaypal} onClick={paypalClicked} />}
      {(paypal || wallets) && (
        <>
          <Terms productId={productId} by={paypal && free ? 'paypal-setup' : 'price'} />
          <p className="pay-or">Or pay with card</p>
        </>
      )}
      {paypal && free && amount}
      <TextField
        label="Full name"
        name="name"
        autoComplete="cc-name"
        value={fields.name}
        onChange={set('name')}
        error={faults.name}
        required
      />
      <TextField
        label="Email"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        value={fields.email}
        onChange={set('email')}
        error={faults.email}
        required
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
            value={fields.postalCode}
            onChange={set('postalCode')}
            error={faults.postalCode}
          />
        }
      />
      {problem && problem.field !== 'name' && problem.field !== 'email' && <TroubleNotice trouble={problem} />}
      <Terms productId={productId} />
      <Button type="submit" busy={busy} busyLabel={busy ? PHASE_WORDS[phase] : ''}>
        {payButtonLabel(price, isStrict(settings.strictBuyingCountries, config?.country ?? null))}
      </Button>
      {busy && <p className="pay-phase">{PHASE_WORDS[phase]}</p>}
      <p className="pay-safe">
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M6 9V6.5a4 4 0 0 1 8 0V9M4.5 9h11v8h-11z" />
        </svg>
        Encrypted. Your card goes straight to Stripe; we never see it.
      </p>
    </form>
  )
}
