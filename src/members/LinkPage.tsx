import { useState, type ReactNode } from 'react'
import type { LinkName, LinkView } from '../../contract/members.ts'
import { formatMoney } from '../../contract/money.ts'
import { methodWords } from '../../contract/paid-with.ts'
import type { Failure, Outcome } from '../session/http.ts'
import { linkToken } from '../session/link-token.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Title } from '../ui/Title.tsx'
import { ask, type MembersSettings, useRemote } from './client.ts'
import { Outcome as MoneyBackOutcome } from './MoneyBack.tsx'
import { InvoicePage } from './Invoices.tsx'
import { LinkTrouble } from './LinkTrouble.tsx'
import { NewPassword } from './NewPassword.tsx'
import { Failed, Loading, Waiting } from './parts.tsx'
import { usePath } from './usePath.ts'
import { useTitle } from './useTitle.ts'
import {
  cancelledTitle,
  cancelWords,
  confirmationWords,
  howOften,
  keptTitle,
  longDay,
  standingOf,
  withdrawalOf,
} from './words.ts'

const NAMES: readonly LinkName[] = ['cancel', 'undo-cancel', 'withdraw', 'invoice', 'create-account']

/** H-04: what a link in a mail is about, and one button that does it. Opening the page changes nothing. */
export function LinkPage({ settings }: { settings: MembersSettings }) {
  const path = usePath()
  if (!path) return <Loading />
  const [, first = ''] = path.split('/')
  return <Link name={NAMES.find((name) => name === first) ?? 'cancel'} token={linkToken()} settings={settings} />
}

interface Props {
  name: LinkName
  token: string
  settings: MembersSettings
}

function Link({ name, token, settings }: Props) {
  const [link, { reload, set }] = useRemote('link', { link: name }, { token })
  if (link.state !== 'ready') return <Waiting remote={link} onRetry={reload} />
  const view = link.data
  if (view.state === 'invalid' || view.state === 'expired') {
    return <LinkTrouble name={name} token={token} view={view} settings={settings} />
  }
  switch (name) {
    case 'undo-cancel':
      return <Keep view={view} act={() => ask('keepByLink', { body: { token } })} onDone={set} />
    case 'withdraw':
      return <Withdraw view={view} act={() => ask('withdrawByLink', { body: { token } })} onDone={set} />
    case 'invoice':
      return view.invoice ? <InvoicePage invoice={view.invoice} settings={settings} /> : <Loading />
    case 'create-account':
      return <CreateAccount view={view} token={token} />
    default:
      return <Cancel view={view} act={() => ask('cancelByLink', { body: { token } })} onDone={set} />
  }
}

interface ActProps {
  view: LinkView
  act: () => Promise<Outcome<LinkView>>
  onDone: (view: LinkView) => void
}

/** The one button of a confirmation page. */
function Confirm({ act, onDone, children }: Omit<ActProps, 'view'> & { children: ReactNode }) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  async function confirm(): Promise<void> {
    setBusy(true)
    setFailure(null)
    const outcome = await act()
    setBusy(false)
    if (outcome.ok) onDone(outcome.data)
    else setFailure(outcome)
  }
  return (
    <>
      {failure && <Failed failure={failure} />}
      <Button onClick={() => void confirm()} busy={busy}>
        {children}
      </Button>
    </>
  )
}

function Cancel({ view: { state, subscription, email }, act, onDone }: ActProps) {
  const [before] = useState(state)
  if (state === 'valid' && subscription) {
    return (
      <div className="step">
        <Title>Cancel your subscription?</Title>
        <p className="quiet">For {email}</p>
        <p>
          <strong>{cancelWords(subscription)}</strong>
        </p>
        <p className="quiet">{standingOf(subscription).next}</p>
        <Confirm act={act} onDone={onDone}>
          Yes, cancel
        </Confirm>
        <p className="quiet small">Would you rather stay? Then just close this page.</p>
      </div>
    )
  }
  return (
    <div className="step" role="status">
      <Title focus={before === 'valid'}>
        {subscription ? cancelledTitle(subscription).replace(/\.$/, '') : 'There is nothing to cancel'}
      </Title>
      <p>{subscription ? standingOf(subscription).next : 'Nothing more is charged.'}</p>
      {before === 'valid' && subscription && (
        <p className="quiet">
          {confirmationWords(subscription).replace('your mailbox', email ?? 'your mailbox')}
          {subscription.state === 'ending' && ' It also lets you take this back.'}
        </p>
      )}
    </div>
  )
}

function Keep({ view: { state, subscription, email }, act, onDone }: ActProps) {
  const [before] = useState(state)
  if (state === 'valid' && subscription) {
    return (
      <div className="step">
        <Title>Keep your subscription?</Title>
        <p className="quiet">For {email}</p>
        <p>
          It was to end on {subscription.accessUntil ? longDay(subscription.accessUntil) : 'the last paid day'}. If you
          keep it, its price is charged to {methodWords(subscription.paidWith)} when that period is over, then{' '}
          {howOften(subscription)} until you cancel.
        </p>
        <Confirm act={act} onDone={onDone}>
          Keep my subscription
        </Confirm>
      </div>
    )
  }
  return (
    <div className="step" role="status">
      <Title focus={before === 'valid'}>{subscription ? keptTitle(subscription) : 'There is nothing to keep'}</Title>
      {subscription && <p>{standingOf(subscription).next}</p>}
    </div>
  )
}

function Withdraw({ view, act, onDone }: ActProps) {
  const { state, subscription, amount, keepsSubscription, email } = view
  const request = withdrawalOf(view.withdrawal, subscription)
  const [before] = useState(state)
  if (state === 'valid') {
    return (
      <div className="step">
        <Title>Withdraw from the contract?</Title>
        <p className="quiet">For {email}</p>
        <p>
          You get back <strong>{formatMoney(amount ?? 0)}</strong>, the way you paid.{' '}
          {subscription && !keepsSubscription ? 'The subscription and your access end.' : 'What it paid for closes.'}
          {subscription && keepsSubscription && ' Your subscription stays as it is.'}
        </p>
        <Confirm act={act} onDone={onDone}>
          Confirm withdrawal
        </Confirm>
      </div>
    )
  }
  return (
    <div className="step" role="status">
      <Title focus={before === 'valid'}>
        {request ? 'Your withdrawal has arrived' : 'There is nothing to withdraw from'}
      </Title>
      {request ? (
        <MoneyBackOutcome request={request} />
      ) : (
        <p>The time for it is over, or everything was given back already.</p>
      )}
    </div>
  )
}

/** creates the account, in any browser, by the link in the confirmation mail. */
function CreateAccount({ view, token }: { view: LinkView; token: string }) {
  useTitle('Your account')
  if (view.state === 'done') {
    return (
      <div className="step">
        <Title>Your account is ready</Title>
        <p>There is an account for {view.email}. Sign in with the password you chose.</p>
        <ButtonLink href="/app/">Sign in</ButtonLink>
      </div>
    )
  }
  return (
    <div className="step">
      <Title>Create your account</Title>
      <p className="quiet">One password, and what you bought is open on every device.</p>
      <NewPassword
        email={view.email}
        button="Create my account"
        send={(body) => ask('createAccountByLink', { body: { ...body, token } })}
        onDone={() => location.assign('/app/')}
      />
    </div>
  )
}
