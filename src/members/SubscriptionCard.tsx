import { useState } from 'react'
import { canCancel, type SubscriptionView } from '../../contract/members.ts'
import { formatMoney } from '../../contract/money.ts'
import { methodWords, otherCard } from '../../contract/paid-with.ts'
import type { Failure, Outcome } from '../session/http.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { usePlace } from '../ui/usePlace.ts'
import { AskFirst } from './AskFirst.tsx'
import { Failed } from './parts.tsx'
import { cancelledTitle, cancelWords, confirmationWords, standingOf } from './words.ts'

interface Props {
  subscription: SubscriptionView
  cancel: () => Promise<Outcome<SubscriptionView>>
  keep: () => Promise<Outcome<SubscriptionView>>
  onChange: (subscription: SubscriptionView) => void
  /** The page where another card is entered. */
  cardHref: string
}

/**
 * the subscription's state, the next charge with date and amount, and the cancellation: two clicks, confirmed at
 * once, undone as easily.
 */
export function SubscriptionCard({ subscription, cancel, keep, onChange, cardHref }: Props) {
  const [busy, setBusy] = useState(false)
  const [told, setTold] = useState<'cancelled' | 'kept' | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [card, focusCard] = usePlace<HTMLElement>()
  const { label, tone, next } = standingOf(subscription)

  async function change(how: 'cancelled' | 'kept'): Promise<boolean> {
    setBusy(true)
    setFailure(null)
    const outcome = await (how === 'cancelled' ? cancel() : keep())
    setBusy(false)
    if (!outcome.ok) {
      setFailure(outcome)
      return false
    }
    setTold(how)
    onChange(outcome.data)
    focusCard()
    return true
  }

  return (
    <section className="card stack" ref={card} tabIndex={-1} aria-labelledby={`state-${subscription.id}`}>
      {told === 'cancelled' && (
        <Notice tone="good" title={cancelledTitle(subscription)} live="polite">
          <p>
            {next} {confirmationWords(subscription)}
          </p>
        </Notice>
      )}
      {told === 'kept' && (
        <Notice tone="good" title="Your subscription continues." live="polite">
          <p>{next}</p>
        </Notice>
      )}
      <h2 id={`state-${subscription.id}`} className="state" data-tone={tone}>
        <span className="state-dot" aria-hidden="true" />
        {label}
      </h2>
      {!told && <p>{next}</p>}
      {!['ended', 'not_started'].includes(subscription.state) && (
        <p className="quiet small">
          Paid with {methodWords(subscription.paidWith)}
          {subscription.paidWith?.type === 'card' && `, valid until ${subscription.paidWith.expires}`}
        </p>
      )}
      {failure && <Failed failure={failure} />}
      {(subscription.state === 'late' || subscription.state === 'unpaid') && (
        <ButtonLink href={cardHref}>
          {subscription.owed === null ? 'Update how you pay' : `Pay ${formatMoney(subscription.owed)}`}
        </ButtonLink>
      )}
      {['trial', 'active', 'paused'].includes(subscription.state) && (
        <ButtonLink look="quiet" href={cardHref}>
          Use {otherCard(subscription.paidWith)}
        </ButtonLink>
      )}
      {subscription.keepable && (
        <Button look={told ? 'quiet' : 'primary'} onClick={() => void change('kept')} busy={busy}>
          Keep my subscription
        </Button>
      )}
      {canCancel(subscription) && (
        <AskFirst
          button="Cancel subscription"
          look="text"
          onAsk={() => setTold(null)}
          label="Cancel?"
          words={cancelWords(subscription)}
          yes="Yes, cancel"
          busyLabel="Cancelling"
          onYes={() => change('cancelled')}
        />
      )}
    </section>
  )
}
