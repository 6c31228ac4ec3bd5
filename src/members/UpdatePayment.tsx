import { Elements } from '@stripe/react-stripe-js'
import { useState } from 'react'
import type { OwedPayment, SavedCard } from '../../contract/api/subscription.ts'
import type { CardSaved, CardSetup, SubscriptionView } from '../../contract/members.ts'
import { formatMoney } from '../../contract/money.ts'
import { methodWords } from '../../contract/paid-with.ts'
import { usePaymentProvider } from '../payment/usePaymentProvider.ts'
import '../funnel/funnel.css'
import type { Outcome } from '../session/http.ts'
import { linkToken } from '../session/link-token.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Title } from '../ui/Title.tsx'
import { ask, type MembersSettings, useRemote } from './client.ts'
import { LinkTrouble } from './LinkTrouble.tsx'
import { NewCardForm } from './NewCardForm.tsx'
import { Loading, Waiting } from './parts.tsx'
import { PayOnFile } from './PayOnFile.tsx'
import { usePath } from './usePath.ts'
import { afterOwedWords, longDay, standingOf } from './words.ts'

/**
 * paying what is owed, or entering another card, from the account (/app/card) or by the link in a mail
 * (/update-payment#…), without signing in.
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
      pay={(payment) => ask('payOwed', { path, body: payment })}
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
      pay={(payment) => ask('payOwedByLink', { body: { token, ...payment } })}
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
  back: { href: string; words: string }
  setUp: () => Promise<Outcome<CardSetup>>
  save: (card: SavedCard) => Promise<Outcome<CardSaved>>
  pay: (payment: OwedPayment) => Promise<Outcome<CardSaved>>
}

function CardPage({ back, setUp, save, pay, ...props }: Props) {
  const { stripe, failed } = usePaymentProvider()
  const [done, setDone] = useState<{ by: 'card' | 'file'; saved: CardSaved } | null>(null)
  // what became due while the page was open is shown before it is paid
  const subscription = done?.saved.subscription ?? props.subscription
  if (done && ['paid', 'saved'].includes(done.saved.result)) {
    return (
      <div className="step">
        <Title focus>{doneTitle(done.saved, done.by)}</Title>
        <p>
          {done.by === 'card' && `From now on we charge ${methodWords(subscription.paidWith)}. `}
          {standingOf(subscription).next}
        </p>
        <ButtonLink href={back.href}>{back.words}</ButtonLink>
      </div>
    )
  }
  const { accessUntil, owed, paidWith } = subscription
  const due = owed !== null && paidWith ? { owed, paidWith } : null
  return (
    <div className="step">
      <Title>{owed ? `Pay ${formatMoney(owed)}` : 'Update how you pay'}</Title>
      {owed ? (
        <p>
          <strong>{formatMoney(owed)}</strong> could not be charged to {methodWords(paidWith)}. Once it is paid,
          everything is open {accessUntil ? `until ${longDay(accessUntil)}` : 'and stays open'}.{' '}
          {afterOwedWords(subscription)}
        </p>
      ) : (
        <p className="quiet">
          Now: {methodWords(paidWith)}. Saving a card charges nothing. {standingOf(subscription).next}
        </p>
      )}
      {failed && (
        <Notice tone="danger" title="Payment system not available. Please try again." live="assertive">
          <p>Nothing was charged. Please load the page again.</p>
        </Notice>
      )}
      <Elements stripe={stripe}>
        {due && <PayOnFile due={due} pay={pay} onDone={(saved) => setDone({ by: 'file', saved })} />}
        <NewCardForm
          subscription={subscription}
          setUp={setUp}
          save={save}
          onDone={(saved) => setDone({ by: 'card', saved })}
        />
      </Elements>
      <ButtonLink look="text" href={back.href}>
        {back.words}
      </ButtonLink>
    </div>
  )
}

function doneTitle({ result }: CardSaved, by: 'card' | 'file'): string {
  if (result === 'paid') return 'Paid. Everything is open.'
  return by === 'card' ? 'Your card is saved' : 'There is nothing left to pay'
}
