import { useState } from 'react'
import { MONEY_BACK_DAYS } from '../../contract/catalogue.ts'
import type { MoneyBackRequestView, SubscriptionView } from '../../contract/members.ts'
import { formatMoney } from '../../contract/money.ts'
import { useHere } from '../funnel/useHere.ts'
import type { Failure } from '../session/http.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Progress } from '../ui/Progress.tsx'
import { Title } from '../ui/Title.tsx'
import { usePlace } from '../ui/usePlace.ts'
import { AskFirst } from './AskFirst.tsx'
import { ask, type MembersSettings, useRemote } from './client.ts'
import { Nav } from './Nav.tsx'
import { Failed, Waiting } from './parts.tsx'
import { longDay } from './words.ts'

/** the current rule, how far the member is, and what happens when. */
export function MoneyBack({ settings }: { settings: MembersSettings }) {
  const [account, { reload, set }] = useRemote('account')
  if (account.state !== 'ready') return <Waiting remote={account} onRetry={reload} />
  const { data } = account
  // the one that still can be given back comes first
  const subscription = data.subscriptions.find(({ moneyBack }) => moneyBack.eligible) ?? data.subscriptions[0]
  return (
    <div className="step">
      <Nav />
      <Title>Money-back guarantee</Title>
      {subscription ? (
        <Request
          subscription={subscription}
          contactEmail={settings.contactEmail}
          onChange={(one) =>
            set({ ...data, subscriptions: data.subscriptions.map((other) => (other.id === one.id ? one : other)) })
          }
        />
      ) : (
        <p>There is no subscription on this account.</p>
      )}
      <ButtonLink look="text" href="/app/subscription">
        Back to the subscription
      </ButtonLink>
    </div>
  )
}

interface Props {
  subscription: SubscriptionView
  contactEmail: string
  onChange: (subscription: SubscriptionView) => void
}

function Request({ subscription, contactEmail, onChange }: Props) {
  const { moneyBack } = subscription
  const { until, listened, needed, eligible, amount, request } = moneyBack
  const here = useHere()
  const [place, focusPlace] = usePlace<HTMLDivElement>()
  const over = until !== null && here !== null && Date.parse(until) < here.at.getTime()
  const missing = Math.max(0, needed - listened)
  return (
    <div className="step" ref={place} tabIndex={-1}>
      <p>
        Within {MONEY_BACK_DAYS} days of your first payment, after listening to at least {needed} sessions, you get back
        what you paid for your subscription.
      </p>
      {request && <Status request={request} contactEmail={contactEmail} />}
      {!(request && request.status !== 'declined') && (
        <section className="card stack" aria-labelledby="standing-title">
          <h2 id="standing-title">Where you stand</h2>
          <p>
            <strong>
              {Math.min(listened, needed)} of {needed} sessions listened
            </strong>
            {listened > needed && ` (${listened} in all)`}
          </p>
          <Progress
            value={Math.min(listened, needed)}
            max={needed}
            label="Sessions listened"
            valueText={`${listened} of ${needed}`}
          />
          {until && <p className="quiet small">You can ask until {longDay(until)}.</p>}
          {eligible ? (
            <Ask
              subscription={subscription}
              onChange={(one) => {
                onChange(one)
                focusPlace()
              }}
            />
          ) : (
            <p>
              {over
                ? 'The time for it is over.'
                : amount === 0
                  ? 'There is nothing left to give back.'
                  : `${missing} more ${missing === 1 ? 'session' : 'sessions'}, and you can ask here for ` +
                    `${formatMoney(amount)}.`}{' '}
              You can cancel at any time all the same.
            </p>
          )}
        </section>
      )}
    </div>
  )
}

function Ask({ subscription, onChange }: Omit<Props, 'contactEmail'>) {
  const [failure, setFailure] = useState<Failure | null>(null)
  const amount = formatMoney(subscription.moneyBack.amount)
  async function send(): Promise<boolean> {
    setFailure(null)
    const outcome = await ask('requestMoneyBack', { path: { subscriptionId: subscription.id } })
    if (outcome.ok) onChange(outcome.data)
    else setFailure(outcome)
    return outcome.ok
  }
  return (
    <>
      {failure && <Failed failure={failure} />}
      <AskFirst
        button="Ask for my money back"
        label="Ask for the money back?"
        words={
          `We look at it within 3 days and write to you. When it is granted, ${amount} goes back the way you paid` +
          (subscription.state === 'ended'
            ? '.'
            : ', your subscription ends and the programme closes. Until then everything stays open.')
        }
        yes={`Ask for ${amount} back`}
        onYes={send}
      />
    </>
  )
}

function Status({ request, contactEmail }: { request: MoneyBackRequestView; contactEmail: string }) {
  const amount = formatMoney(request.amount)
  if (request.status === 'open') {
    return (
      <Notice tone="info" title="We have your request." live="polite">
        <p>
          You asked for {amount} on {longDay(request.requestedAt)}. You will have an answer by{' '}
          {longDay(request.answerBy)}, by mail.
        </p>
      </Notice>
    )
  }
  if (request.status === 'declined') {
    return (
      <Notice tone="caution" title="We could not grant your request.">
        <p>
          {request.reason} If you see it differently, write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
        </p>
      </Notice>
    )
  }
  return (
    <Notice
      tone={request.withBank + request.open > 0 ? 'caution' : 'good'}
      title="Your request was granted."
      live="polite"
    >
      <Outcome request={request} contactEmail={contactEmail} />
    </Notice>
  )
}

/** What follows while nothing has gone back for a request: what it asks for may have gone back before. */
function promiseOf({ status, amount, answerBy }: MoneyBackRequestView): string {
  const done = amount === 0 || status === 'refunded' || status === 'incomplete'
  if (done) return 'There is nothing left to give back.'
  return status === 'open'
    ? `We give back ${formatMoney(amount)} and write to you by ${longDay(answerBy)}.`
    : `${formatMoney(amount)} goes back the way you paid.`
}

/** What becomes of a granted request or a withdrawal: only what the bank has agreed to is called refunded. */
export function Outcome({ request, contactEmail }: { request: MoneyBackRequestView; contactEmail?: string }) {
  const { refunded, pending, withBank, open } = request
  return (
    <>
      {refunded > 0 && <p>{formatMoney(refunded)} was refunded. Banks usually show it within 5 to 10 business days.</p>}
      {pending > 0 && <p>{formatMoney(pending)} is on its way. A mail tells you when the bank has taken it.</p>}
      {withBank > 0 && (
        <p>
          We could not refund {formatMoney(withBank)}: your bank holds this payment because it was disputed, and it
          decides about the money.
        </p>
      )}
      {open > 0 && (
        <p>
          The bank did not accept our refund of {formatMoney(open)}. We look for another way and write to you within 3
          days
          {contactEmail ? (
            <>
              . Questions? Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
            </>
          ) : null}
          .
        </p>
      )}
      {refunded + pending + withBank + open === 0 && <p>{promiseOf(request)}</p>}
    </>
  )
}
