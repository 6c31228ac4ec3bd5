import { useState } from 'react'
import type { AccountView, ProgrammeView } from '../../contract/members.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { CodeForm } from '../ui/CodeForm.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { GuideCover } from '../ui/GuideCover.tsx'
import { Notice } from '../ui/Notice.tsx'
import type { Refusal } from '../ui/OneFieldForm.tsx'
import { Title } from '../ui/Title.tsx'
import { ask, type MembersSettings, type Remote, useRemote, wordsOf } from './client.ts'
import { Nav } from './Nav.tsx'
import { NewPassword } from './NewPassword.tsx'
import { Loading, Waiting } from './parts.tsx'
import { Weeks } from './Weeks.tsx'
import { isDone, standingOf } from './words.ts'

/** today's session first, then the six weeks, the guides, and anything that needs attention. */
export function Home({ settings }: { settings: MembersSettings }) {
  const [account, { reload, set }] = useRemote('account')
  const [programme, again] = useRemote('programme')
  if (account.state !== 'ready') {
    const both = (): void => {
      reload()
      again.reload()
    }
    return <Waiting remote={account} onRetry={both} />
  }
  function joined(next: AccountView): void {
    set(next)
    // what was bought with those orders is open now
    again.reload()
  }
  // all at once, so that what is below the programme is not pushed down by it
  if (programme.state === 'loading') return <Loading />
  return (
    <div className="step home">
      <Nav at="today" />
      <Attention account={account.data} />
      <Programme account={account.data} programme={programme} onRetry={again.reload} />
      {account.data.readings?.map(({ title, url }) => (
        <ButtonLink key={url} look="quiet" href={url}>
          Open: {title}
        </ButtonLink>
      ))}
      {!account.data.hasPassword && <ChoosePassword email={account.data.email} onDone={reload} />}
      {account.data.ordersToJoin > 0 && <JoinOrders account={account.data} onJoined={joined} />}
      <p className="quiet small">
        Signed in as {account.data.email}. Questions? Write to{' '}
        <a href={`mailto:${settings.contactEmail}`}>{settings.contactEmail}</a>.
      </p>
    </div>
  )
}

/** What a member should know at once: a failed charge, an approaching end. */
function Attention({ account }: { account: AccountView }) {
  const [subscription] = account.subscriptions
  if (!subscription || !['late', 'unpaid', 'ending'].includes(subscription.state)) return null
  const { label, tone, next } = standingOf(subscription)
  return (
    <Notice tone={tone} title={label}>
      <p>{next}</p>
      {subscription.state === 'ending' ? (
        <a href="/app/subscription">See my subscription</a>
      ) : (
        <a href={`/app/card?subscription=${subscription.id}`}>Update how you pay</a>
      )}
    </Notice>
  )
}

function Programme(props: { account: AccountView; programme: Remote<ProgrammeView>; onRetry: () => void }) {
  const { account, programme } = props
  if (programme.state === 'refused' && programme.failure.code === 'no_access') {
    if (!account.subscriptions[0] && account.readings?.[0]) return <Title>Your order</Title>
    return (
      <>
        <Title>Your programme is closed</Title>
        <p>
          {account.subscriptions[0]
            ? standingOf(account.subscriptions[0]).next
            : 'There is no order on this account yet. If you paid with another address, sign in with that one.'}
        </p>
        <ButtonLink href={account.subscriptions[0] ? '/app/subscription' : '/quiz'}>
          {account.subscriptions[0] ? 'See my subscription' : 'Take the quiz'}
        </ButtonLink>
      </>
    )
  }
  if (programme.state !== 'ready') return <Waiting remote={programme} onRetry={props.onRetry} />
  return (
    <div className="home-programme">
      <Today programme={programme.data} name={account.name} />
      {programme.data.weeks.length > 0 && <Weeks programme={programme.data} />}
      <Guides programme={programme.data} />
    </div>
  )
}

function Today({ programme, name }: { programme: ProgrammeView; name: string | null }) {
  const days = programme.weeks.flatMap((week) => week.days)
  const today = days.find(({ day }) => day === programme.today)
  const first = name?.split(' ')[0]
  if (days.length === 0) return <Title>Your guides</Title>
  if (!today) {
    // days without a recording cannot be heard
    const heard = days.filter(({ state }) => state === 'listened')
    return (
      <div className="stack">
        <Title>You have listened to all {heard.length} sessions</Title>
        <p className="quiet">
          Well done{first ? `, ${first}` : ''}. Every session stays open: go back to the ones you like.
        </p>
      </div>
    )
  }
  const share = Math.round(today.heard * 100)
  const done = isDone(programme)
  return (
    <section className="today" aria-labelledby="today-title">
      <p className="quiet">
        {done ? 'Done for today. The next one may wait until tomorrow.' : first ? `Hello, ${first}` : 'Today'}
      </p>
      <h1 id="today-title">
        <span className="today-day">Day {today.day}</span> {today.title}
      </h1>
      <p className="quiet">
        {today.minutes} minutes · Week {today.week} of {programme.weeks.length}
        {share > 0 && ` · ${share}% heard`}
      </p>
      <ButtonLink href={`/app/day/${today.day}`} look={done ? 'quiet' : 'primary'}>
        {share > 0 ? 'Go on' : 'Start the session'}
      </ButtonLink>
    </section>
  )
}

function Guides({ programme }: { programme: ProgrammeView }) {
  if (programme.guides.length === 0) return null
  return (
    <section className="members-section" aria-labelledby="guides-title">
      <h2 id="guides-title">Your guides</h2>
      <ul className="guides">
        {programme.guides.map(({ productId, title, emoji, intro }) => (
          <li key={productId}>
            <a href={`/app/guide/${productId}`} className="guide-link">
              <GuideCover emoji={emoji} of={productId} />
              <span>
                <strong>{title}</strong>
                <span className="quiet small">{intro}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** After the first sign-in by mail: the earlier password no longer works. */
function ChoosePassword({ email, onDone }: { email: string; onDone: () => void }) {
  return (
    <section className="card stack" aria-labelledby="choose-title">
      <h2 id="choose-title">Choose a password</h2>
      <p className="quiet small">
        You signed in by mail, so your address is proved. Choose a password, and you can use it from now on. A password
        that was set before no longer works.
      </p>
      <NewPassword
        email={email}
        button="Save the password"
        send={(body) => ask('choosePassword', { body })}
        onDone={onDone}
      />
    </section>
  )
}

/** orders from other visits with this e-mail address are added once the address is proved. */
function JoinOrders({ account, onJoined }: { account: AccountView; onJoined: (account: AccountView) => void }) {
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const count = account.ordersToJoin

  async function send(): Promise<void> {
    setBusy(true)
    setTrouble(null)
    const outcome = await ask('sendJoinCode')
    setBusy(false)
    if (outcome.ok) setAsked(true)
    else setTrouble(wordsOf(outcome))
  }
  async function join(code: string): Promise<Refusal | null> {
    const outcome = await ask('joinPurchases', { body: { code } })
    if (!outcome.ok) return { words: wordsOf(outcome), typed: outcome.status === 422 }
    onJoined(outcome.data)
    return null
  }
  return (
    <section className="card stack" aria-labelledby="join-title">
      <h2 id="join-title">{count === 1 ? 'One more order' : `${count} more orders`} with your address</h2>
      {asked ? (
        <CodeForm button="Add to my account" hint={`We sent six digits to ${account.email}.`} send={join} />
      ) : (
        <>
          <p className="quiet small">To add it here, prove once that {account.email} is yours.</p>
          {trouble && <FailureNotice title={trouble} />}
          <Button look="quiet" onClick={() => void send()} busy={busy}>
            Send me a code
          </Button>
        </>
      )}
    </section>
  )
}
