import { useState } from 'react'
import type { AccountView, MoneyBackRequestView, SubscriptionView } from '../../contract/members.ts'
import { formatMoney } from '../../contract/money.ts'
import type { Failure } from '../session/http.ts'
import { Notice } from '../ui/Notice.tsx'
import { Title } from '../ui/Title.tsx'
import { usePlace } from '../ui/usePlace.ts'
import { AskFirst } from './AskFirst.tsx'
import { ask, type MembersSettings, useRemote } from './client.ts'
import { Outcome } from './MoneyBack.tsx'
import { Nav } from './Nav.tsx'
import { Failed, Waiting } from './parts.tsx'
import { SubscriptionCard } from './SubscriptionCard.tsx'
import { longDay, withdrawalOf } from './words.ts'

/** the subscription, its invoices, and every way to end it. */
export function Subscription({ settings }: { settings: MembersSettings }) {
  const [account, { reload, set }] = useRemote('account')
  if (account.state !== 'ready') return <Waiting remote={account} onRetry={reload} />
  const { data } = account
  const replace = (one: SubscriptionView): void =>
    set({ ...data, subscriptions: data.subscriptions.map((other) => (other.id === one.id ? one : other)) })
  return (
    <div className="step">
      <Nav at="subscription" />
      <Title>Subscription</Title>
      {data.subscriptions.length === 0 && <p>There is no subscription on this account.</p>}
      {data.subscriptions.map((subscription) => {
        const path = { subscriptionId: subscription.id }
        return (
          <SubscriptionCard
            key={subscription.id}
            subscription={subscription}
            cancel={() => ask('cancelSubscription', { path })}
            keep={() => ask('keepSubscription', { path })}
            onChange={replace}
            cardHref={`/app/card?subscription=${subscription.id}`}
          />
        )
      })}
      <Ways account={data} onChange={replace} />
      <p className="quiet small">
        Questions? Write to <a href={`mailto:${settings.contactEmail}`}>{settings.contactEmail}</a>.
      </p>
    </div>
  )
}

function Ways({ account, onChange }: { account: AccountView; onChange: (one: SubscriptionView) => void }) {
  const [first] = account.subscriptions
  return (
    <>
      <ul className="ways">
        <li>
          <a href="/app/invoices">Invoices</a>
        </li>
        {first && (
          <li>
            <a href="/app/money-back">Money-back guarantee</a>
          </li>
        )}
      </ul>
      {account.subscriptions
        .filter((subscription) => subscription.withdrawUntil !== null || withdrawn(subscription))
        .map((subscription) => (
          <Withdraw key={subscription.id} subscription={subscription} onChange={onChange} />
        ))}
    </>
  )
}

/** The withdrawal that has arrived; it may be from a part of what was bought. */
function withdrawn(subscription: SubscriptionView): MoneyBackRequestView | null {
  const withdrawal = withdrawalOf(subscription.withdrawal, subscription)
  return withdrawal?.status === 'declined' ? null : withdrawal
}

function Withdrawn({ request }: { request: MoneyBackRequestView }) {
  return (
    <Notice
      tone={request.withBank + request.open > 0 ? 'caution' : 'good'}
      title="Your withdrawal has arrived."
      live="polite"
    >
      <Outcome request={request} />
    </Notice>
  )
}

/** H-02: the withdrawal function of the EEA, the UK and Switzerland, while there is something to withdraw from. */
function Withdraw({
  subscription,
  onChange,
}: {
  subscription: SubscriptionView
  onChange: (one: SubscriptionView) => void
}) {
  const [failure, setFailure] = useState<Failure | null>(null)
  const [place, focusPlace] = usePlace<HTMLDivElement>()
  const request = withdrawn(subscription)
  // a service of before does not say how much
  const back = subscription.withdrawAmount >= 0 ? formatMoney(subscription.withdrawAmount) : 'your money'
  async function withdraw(): Promise<boolean> {
    setFailure(null)
    const outcome = await ask('withdraw', { path: { subscriptionId: subscription.id } })
    if (outcome.ok) {
      onChange(outcome.data)
      focusPlace()
    } else setFailure(outcome)
    return outcome.ok
  }
  return (
    <div className="step" ref={place} tabIndex={-1}>
      {request && <Withdrawn request={request} />}
      {subscription.withdrawUntil !== null && (
        <section className="card stack" aria-labelledby="withdraw-title">
          <h2 id="withdraw-title">Withdraw from the contract</h2>
          <p className="quiet small">
            Until {longDay(subscription.withdrawUntil)} you can withdraw{' '}
            {subscription.withdrawKeeps && 'from what you ordered last, '}without a reason. You get back {back}.
            {subscription.withdrawKeeps && ' Your subscription stays as it is.'}
          </p>
          {failure && <Failed failure={failure} />}
          <AskFirst
            button="Withdraw from contract"
            look="quiet"
            label="Withdraw?"
            words={
              subscription.withdrawKeeps
                ? `What you ordered last closes. ${back} goes back the way you paid; your subscription stays as it is.`
                : `The contract ends, and so does your access; ${back} goes back the way you paid.`
            }
            yes="Confirm withdrawal"
            onYes={withdraw}
          />
        </section>
      )}
    </div>
  )
}
