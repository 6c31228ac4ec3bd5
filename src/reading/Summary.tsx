import { useEffect } from 'react'
import type { ReadingView } from '../../contract/api.ts'
import { product } from '../../contract/catalogue.ts'
import type { ReadingContent } from '../../contract/content.ts'
import { formatMoney } from '../../contract/money.ts'
import type { FunnelSettings } from '../funnel/page-settings.ts'
import { LostSession } from '../funnel/LostSession.tsx'
import { Unreachable } from '../ui/Unreachable.tsx'
import { call } from '../session/client.ts'
import { sendLeftBehind } from '../session/page-session.ts'
import { trackPageView } from '../tracking/tracking.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { birthDateText, resultOf } from './reading.ts'
import { useReading } from './useReading.ts'

interface Props {
  content: ReadingContent
  settings: FunnelSettings
}

/** the answers of a session and the way to the payment; X-02 where they include a personalInsight. */
export function Summary({ content, settings }: Props) {
  const [page, reload] = useReading()
  const ready = page.state === 'ready' ? page : null
  const empty = page.state === 'none' || (ready !== null && ready.reading.answers === 0 && !ready.reading.bought)

  useEffect(() => {
    sendLeftBehind(settings.healthConsentRegions)
    trackPageView('summary')
  }, [settings.healthConsentRegions])
  useEffect(() => {
    // nothing to sum up
    if (empty) location.replace('/')
  }, [empty])

  if (page.state === 'lost') return <LostSession sessionId={page.sessionId} />
  if (page.state === 'unreachable') return <Unreachable onRetry={reload} />
  if (!ready || empty) {
    return (
      <p className="reading-wait">
        <Spinner label="Loading your answers" /> Loading your answers…
      </p>
    )
  }
  const { session, reading } = ready
  const { sessionId } = session
  if (reading.bought) return <Bought content={content} reading={reading} sessionId={sessionId} />
  return reading.insight === null ? (
    <div className="stack">
      <h1>Your answers are saved</h1>
      <p>
        {reading.answers === 1 ? 'One answer is' : `${reading.answers} answers are`} kept for this visit.{' '}
        {content.defaultText}
      </p>
      <ButtonLink href={`/payment/${sessionId}`}>Continue</ButtonLink>
    </div>
  ) : (
    <Results content={content} reading={reading} sessionId={sessionId} />
  )
}

interface ResultProps {
  content: ReadingContent
  reading: ReadingView
  sessionId: string
}

/** the results screen. What it shows is kept with the session (starseed_*). */
function Results({ content, reading, sessionId }: ResultProps) {
  const { title, text } = resultOf(content, reading.insight)
  const kept = reading.starseed?.name === title && reading.starseed.description === text
  useEffect(() => {
    // a failed write does no harm: the page writes it again the next time it opens
    if (!kept) void call('saveReading', { path: { sessionId }, body: { name: title, description: text } })
  }, [kept, sessionId, title, text])

  return (
    <div className="reading-results">
      <Result title={title} text={text} birthDate={reading.birthDate} />
      <section className="card reading-package" aria-labelledby="package">
        <h2 id="package">{content.packageTitle}</h2>
        <p className="reading-price tabular">{formatMoney(product('reading_premium').price)}</p>
        <p>{content.packageText}</p>
        <ButtonLink href={`/payment/${sessionId}`}>{content.button}</ButtonLink>
      </section>
      <Foot content={content} />
    </div>
  )
}

/** What was paid for opens here, as often as its buyer likes. */
function Bought({ content, reading, sessionId }: ResultProps) {
  const shown = reading.starseed
    ? { title: reading.starseed.name, text: reading.starseed.description }
    : resultOf(content, reading.insight)
  return (
    <div className="reading-results">
      <Result title={shown.title} text={shown.text} birthDate={reading.birthDate} />
      <Notice tone="good" title="This reading is yours.">
        <p>You can open this page again at any time.</p>
      </Notice>
      <ButtonLink href={`/multi-upsell/${sessionId}`}>Continue</ButtonLink>
      <Foot content={content} />
    </div>
  )
}

function Result({ title, text, birthDate }: { title: string; text: string; birthDate: string | null }) {
  const born = birthDateText(birthDate)
  return (
    <>
      <h1>{title}</h1>
      {born && <p className="quiet">Birth date: {born}</p>}
      <p className="reading-text">{text}</p>
    </>
  )
}

function Foot({ content }: { content: ReadingContent }) {
  return (
    <div className="small quiet reading-foot">
      <p>{content.moneyBackLine}</p>
      <p>{content.companyLine}</p>
      <p>
        <a href="/privacy">Privacy</a> · <a href="/terms">Terms</a>
      </p>
    </div>
  )
}
