import { Elements } from '@stripe/react-stripe-js'
import type { Stripe } from '@stripe/stripe-js'
import { useRef, useState } from 'react'
import type { SavedCard } from '../../contract/api/subscription.ts'
import type { CardSaved, CardSetup, SubscriptionView } from '../../contract/members.ts'
import { formatMoney } from '../../contract/money.ts'
import { methodWords } from '../../contract/paid-with.ts'
import { CardDetails, CardForm } from '../payment/CardForm.tsx'
import {
  NEXT_STEPS,
  trouble,
  troubleOfProvider,
  troubleOfStatus,
  type Trouble,
  unexpected,
} from '../payment/failures.ts'
import { cardFaults, fieldOfCode, isComplete } from '../payment/faults.ts'
import { confirmation } from '../payment/pay.ts'
import { useCardForm } from '../payment/useCardForm.ts'
import { usePaymentProvider } from '../payment/usePaymentProvider.ts'
import '../funnel/funnel.css'
import type { Outcome } from '../session/http.ts'
import { linkToken } from '../session/link-token.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Title } from '../ui/Title.tsx'
import { afterFailedCard, NOT_CHARGED } from './card-trouble.ts'
import { ask, type MembersSettings, useRemote, wordsOf } from './client.ts'
import { LinkTrouble } from './LinkTrouble.tsx'
import { Loading, Waiting } from './parts.tsx'
import { usePath } from './usePath.ts'
import { standingOf } from './words.ts'

/**
 * entering another card, from the account (/app/card) or by the link in a mail (/update-payment#…), without
 * signing in.
 */
export function UpdatePayment({ settings }: { settings: MembersSettings }) {
  const path = usePath()
  if (!path) return <Loading />
  return path.startsWith('/update-payment') ? <ByLink token={linkToken()} settings={settings} /> : <ByAccount />
}

function ByAccount() {
  const [account, { reload }] = useRemote('account')
  if (account.state !== 'ready') return <Waiting remote={account} onRetry={reload} />
  const wanted = new URLSearchParams(location.search).get('subscription')
  const { subscriptions } = account.data
  const subscription = subscriptions.find(({ id }) => id === wanted) ?? subscriptions[0]
  if (!subscription || subscription.state === 'ended') return <Nothing />
  const path = { subscriptionId: subscription.id }
  return (
    <CardPage
      subscription={subscription}
      setUp={() => ask('setUpCard', { path })}
      save={(card) => ask('saveCard', { path, body: card })}
      back={{ href: '/app/subscription', words: 'Back to the subscription' }}
    />
  )
}

function ByLink({ token, settings }: { token: string; settings: MembersSettings }) {
  const [link, { reload }] = useRemote('link', { link: 'update-payment' }, { token })
  if (link.state !== 'ready') return <Waiting remote={link} onRetry={reload} />
  if (link.data.state === 'invalid' || link.data.state === 'expired') {
    return <LinkTrouble name="update-payment" token={token} view={link.data} settings={settings} />
  }
  const { subscription } = link.data
  if (!subscription || subscription.state === 'ended') return <Nothing />
  return (
    <CardPage
      subscription={subscription}
      setUp={() => ask('setUpCardByLink', { body: { token } })}
      save={(card) => ask('saveCardByLink', { body: { token, ...card } })}
      back={{ href: '/app/', words: 'Open the programme' }}
    />
  )
}

function Nothing() {
  return (
    <div className="step">
      <Title>There is nothing to pay</Title>
      <p>This subscription has ended. Nothing more is charged.</p>
      <ButtonLink href="/app/">Open my account</ButtonLink>
    </div>
  )
}

interface Props {
  subscription: SubscriptionView
  setUp: () => Promise<Outcome<CardSetup>>
  save: (card: SavedCard) => Promise<Outcome<CardSaved>>
  back: { href: string; words: string }
}

function CardPage(props: Props) {
  const { stripe, failed } = usePaymentProvider()
  const [saved, setSaved] = useState<CardSaved | null>(null)
  const { back } = props
  // what became due while the page was open is shown before it is paid
  const subscription = saved?.subscription ?? props.subscription
  if (saved && saved.result !== 'unasked') {
    return (
      <div className="step">
        <Title focus>{saved.result === 'paid' ? 'Paid. Everything is open.' : 'Your card is saved'}</Title>
        <p>
          From now on we charge {methodWords(saved.subscription.paidWith)}. {standingOf(saved.subscription).next}
        </p>
        <ButtonLink href={back.href}>{back.words}</ButtonLink>
      </div>
    )
  }
  return (
    <div className="step">
      <Title>Update how you pay</Title>
      {subscription.owed ? (
        <p>
          <strong>{formatMoney(subscription.owed)}</strong> could not be charged to {methodWords(subscription.paidWith)}
          . With another card it is paid at once.
        </p>
      ) : (
        <p className="quiet">
          Now: {methodWords(subscription.paidWith)}. Saving a card charges nothing. {standingOf(subscription).next}
        </p>
      )}
      {failed && (
        <Notice tone="danger" title="Payment system not available. Please try again." live="assertive">
          <p>Nothing was charged. Please load the page again.</p>
        </Notice>
      )}
      <Elements stripe={stripe}>
        <NewCardForm {...props} subscription={subscription} onSaved={setSaved} />
      </Elements>
      <ButtonLink look="text" href={back.href}>
        {back.words}
      </ButtonLink>
    </div>
  )
}

/** What went wrong, and what became of the money. */
interface Failed {
  words: string
  after: string
}
const uncharged = (words: string): Failed => ({ words, after: NOT_CHARGED })
const failedBy = ({ words, money }: Trouble): Failed => ({ words, after: NEXT_STEPS[money] })

const NOTHING_KNOWN = { name: '', email: '', postalCode: '' }

function NewCardForm({ subscription, setUp, save, onSaved }: Props & { onSaved: (saved: CardSaved) => void }) {
  const form = useCardForm({ known: () => NOTHING_KNOWN })
  const { stripe, show } = form
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<Failed | null>(null)
  const running = useRef(false)

  async function submit(): Promise<void> {
    if (running.current) return
    running.current = true
    setBusy(true)
    setFailed(null)
    setFailed(await work().catch((thrown: unknown) => failedBy(unexpected(thrown))))
    setBusy(false)
    running.current = false
  }

  async function work(): Promise<Failed | null> {
    const method = form.paymentMethod()
    if (!stripe || !method) return uncharged('Payment system is not ready. Please wait a moment and try again.')
    const typed = await form.reported()
    show(cardFaults(typed))
    if (!isComplete(typed)) {
      return uncharged('Card information is incomplete. Please fill all fields.')
    }
    const setup = await setUp()
    if (!setup.ok) return uncharged(wordsOf(setup))
    const { clientSecret: secret, setupIntentId } = setup.data
    const { error, setupIntent } = await confirmation(() => stripe.confirmCardSetup(secret, { payment_method: method }))
    form.judged(error)
    const field = fieldOfCode(error?.code)
    if (error && field) show({ [field]: error.message ?? 'Please check this.' })
    if (error) return uncharged(troubleOfProvider(error).words)
    if (setupIntent?.status !== 'succeeded') return uncharged('Further action is required to complete the payment.')
    const card = { setupIntentId, owed: subscription.owed }
    const saved = await save(card)
    if (!saved.ok) return { words: wordsOf(saved), after: afterFailedCard(saved, subscription.owed) }
    const { clientSecret } = saved.data
    return clientSecret ? confirmDebt(stripe, card, clientSecret) : end(saved.data)
  }

  /** The bank wants the payment of what is owed confirmed: its owner does so in the bank's dialog. */
  async function confirmDebt(stripe: Stripe, card: SavedCard, clientSecret: string): Promise<Failed | null> {
    const { error, paymentIntent } = await confirmation(() => stripe.handleNextAction({ clientSecret }))
    if (error) return failedBy(troubleOfProvider(error))
    if (paymentIntent?.status !== 'succeeded') return failedBy(troubleOfStatus(paymentIntent?.status ?? ''))
    const saved = await save(card)
    if (!saved.ok || saved.data.result === 'owed') return failedBy(trouble('processed_not_finalized'))
    return end(saved.data.result === 'saved' ? { ...saved.data, result: 'paid' } : saved.data)
  }

  function end(saved: CardSaved): Failed | null {
    if (saved.result === 'owed') {
      return uncharged(
        'This card was saved, but your bank refused the charge. Please try another card, or ask your bank.',
      )
    }
    onSaved(saved)
    if (saved.result === 'unasked') {
      return uncharged('Your card is saved. Meanwhile a payment has become due: please check the amount and pay it.')
    }
    return null
  }

  return (
    <CardForm form={form} className="stack pay" onSubmit={submit}>
      <CardDetails form={form} />
      {failed && (
        <Notice tone="danger" title={failed.words} live="assertive">
          <p className="small">{failed.after}</p>
        </Notice>
      )}
      <Button type="submit" busy={busy} busyLabel="Saving the card">
        {subscription.owed ? `Pay ${formatMoney(subscription.owed)}` : 'Save this card'}
      </Button>
    </CardForm>
  )
}
