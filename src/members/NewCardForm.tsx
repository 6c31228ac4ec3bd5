import type { SavedCard } from '../../contract/api/subscription.ts'
import type { CardSaved, CardSetup, SubscriptionView } from '../../contract/members.ts'
import { formatMoney } from '../../contract/money.ts'
import { otherCard } from '../../contract/paid-with.ts'
import { CardDetails, CardForm } from '../payment/CardForm.tsx'
import { troubleOfProvider } from '../payment/failures.ts'
import { cardFaults, fieldOfCode, isComplete } from '../payment/faults.ts'
import { confirmation } from '../payment/pay.ts'
import { paymentProvider } from '../payment/provider.ts'
import { useCardForm } from '../payment/useCardForm.ts'
import type { Outcome } from '../session/http.ts'
import { Button } from '../ui/Button.tsx'
import { wordsOf } from './client.ts'
import { charge, type Failed, NOT_READY, PART, uncharged, usePress } from './press.ts'
import { PressFailed } from './PressFailed.tsx'

interface Props {
  subscription: SubscriptionView
  setUp: () => Promise<Outcome<CardSetup>>
  save: (card: SavedCard) => Promise<Outcome<CardSaved>>
  /** Also where the card was saved and what is owed was not paid. */
  onDone: (saved: CardSaved) => void
}

const NOTHING_KNOWN = { name: '', email: '', postalCode: '' }

/** Another card is entered; from now on it is charged, at once for what is owed. */
export function NewCardForm({ subscription, setUp, save, onDone }: Props) {
  const form = useCardForm({ known: () => NOTHING_KNOWN })
  const { stripe, show } = form
  const { owed } = subscription
  const { busy, failed, press } = usePress(work)

  async function work(): Promise<Failed | null> {
    const method = form.paymentMethod()
    if (!stripe || !method) return uncharged(NOT_READY)
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
    const saved = await charge(paymentProvider, () => save({ setupIntentId, owed }), owed)
    return 'words' in saved ? saved : end(saved)
  }

  function end(saved: CardSaved): Failed | null {
    onDone(saved)
    if (saved.result === 'part') return PART
    if (saved.result === 'owed') {
      return uncharged(
        'This card was saved, but your bank refused the charge. Please try another card, or ask your bank.',
      )
    }
    if (saved.result === 'unasked') {
      return uncharged('Your card is saved. Meanwhile a payment has become due: please check the amount and pay it.')
    }
    return null
  }

  return (
    <CardForm form={form} className="stack pay" onSubmit={press}>
      {owed !== null && <h2>With {otherCard(subscription.paidWith)}</h2>}
      <CardDetails form={form} />
      <PressFailed failed={failed} />
      <Button type="submit" busy={busy} busyLabel="Saving the card">
        {owed === null ? 'Save this card' : `Pay ${formatMoney(owed)} with this card`}
      </Button>
    </CardForm>
  )
}
