import { useEffect, useState } from 'react'
import type { SessionView } from '../../contract/api.ts'
import type { ReadingContent } from '../../contract/content.ts'
import { formatMoney } from '../../contract/money.ts'
import type { FunnelSettings } from '../funnel/page-settings.ts'
import { LostSession } from '../funnel/LostSession.tsx'
import PaymentModal from '../payment/PaymentModal.tsx'
import { useShownPrices } from '../payment/shown.ts'
import { Unreachable } from '../ui/Unreachable.tsx'
import { sessionIdInPath } from '../session/id.ts'
import { goOnAfresh, hasLocalAnswers, sendLeftBehind } from '../session/page-session.ts'
import { trackPageView } from '../tracking/tracking.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { amountIn, cardsFor, resultOf, type Package } from './reading.ts'
import { useReading } from './useReading.ts'

interface Props {
  content: ReadingContent
  settings: FunnelSettings
}

/**
 * packages, order summary, payment details, notes, session id. Uses the same payment form and service as a trial.
 */
export function Payment({ content, settings }: Props) {
  const [page, reload] = useReading()
  const [failed, setFailed] = useState(false)

  useEffect(() => {
    sendLeftBehind(settings.healthConsentRegions)
    trackPageView('payment')
  }, [settings.healthConsentRegions])
  const returned = page.state === 'ready' && page.reading.returned && page.session.sessionId
  useEffect(() => {
    if (page.state === 'none' || returned) void withoutSession(returned || undefined).then((gone) => setFailed(!gone))
    // /payment shows the current session's payment under its own address
    else if (page.state === 'ready' && !sessionIdInPath(location.pathname)) {
      history.replaceState(null, '', `/payment/${page.session.sessionId}${location.search}`)
    }
  }, [page, returned])

  if (page.state === 'lost') return <LostSession sessionId={page.sessionId} />
  if (page.state === 'unreachable') return <Unreachable onRetry={reload} />
  if (failed) return <Unreachable onRetry={() => location.reload()} />
  if (page.state !== 'ready' || returned) {
    return (
      <p className="reading-wait">
        <Spinner label="Loading the packages" /> Loading the packages…
      </p>
    )
  }
  const { session, reading } = page
  if (reading.bought) {
    return (
      <div className="stack">
        <Notice tone="good" title="This reading is paid already. Thank you!">
          <p>You were not charged again.</p>
        </Notice>
        <ButtonLink href={`/multi-upsell/${session.sessionId}`}>Continue</ButtonLink>
        <ButtonLink look="quiet" href={`/summary/${session.sessionId}`}>
          Open my reading
        </ButtonLink>
      </div>
    )
  }
  const title = reading.starseed?.name ?? resultOf(content, reading.insight).title
  const offer = cardsFor(amountIn(location.search), reading.insight !== null)
  return <Packages {...offer} title={title} content={content} settings={settings} session={session} />
}

function Packages(props: Props & { cards: readonly Package[]; chosen: number; title: string; session: SessionView }) {
  const { cards, title, content, settings, session } = props
  const [chosen, setChosen] = useState(props.chosen)
  const [busy, setBusy] = useState(false)
  const priceOf = useShownPrices()
  const card = cards[chosen] ?? cards[0]
  if (!card) return null
  const price = formatMoney(priceOf(card.id))

  return (
    <div className="reading-payment">
      <h1>{content.payTitle}</h1>
      <fieldset className="packages" disabled={busy}>
        <legend className="visually-hidden">{content.payTitle}</legend>
        {cards.map(({ id, label }, index) => (
          <label className="package" key={id}>
            <input type="radio" name="package" checked={index === chosen} onChange={() => setChosen(index)} />
            <span className="package-label">
              {label}
              {id === 'reading_premium' && <span className="small quiet">{content.packageTitle}</span>}
            </span>
            <span className="package-price tabular">{formatMoney(priceOf(id))}</span>
          </label>
        ))}
      </fieldset>
      <section className="card" aria-labelledby="summary">
        <h2 id="summary">Order summary</h2>
        <dl className="reading-order" aria-live="polite">
          <div>
            <dt>{title}</dt>
            <dd>{card.label}</dd>
          </div>
          <div className="reading-total">
            <dt>Total today</dt>
            <dd className="tabular">{price}</dd>
          </div>
        </dl>
      </section>
      <section className="card" aria-labelledby="details">
        <h2 id="details">Payment details</h2>
        <PaymentModal
          session={session}
          productId={card.id}
          settings={settings}
          marketing={null}
          page="/payment"
          onBusy={setBusy}
          onStarted={() => undefined}
        />
      </section>
      <ul className="checks small">
        {content.secureNotes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      <p className="small quiet">
        {content.moneyBackLine}
        <br />
        {content.companyLine}
      </p>
      <p className="reading-session">Session ID: {session.sessionId}</p>
    </div>
  )
}

/**
 * Without a session, or with one whose reading was given back, local answers get a new one; without answers there is
 * nothing to pay for. False when the service cannot be reached.
 */
async function withoutSession(given?: string): Promise<boolean> {
  if (!hasLocalAnswers()) {
    location.replace('/')
    return true
  }
  const sessionId = await goOnAfresh(given)
  if (sessionId) location.replace(`/payment/${sessionId}${location.search}`)
  return sessionId !== null
}
