import { lazy, Suspense, useEffect, useState } from 'react'
import type { SessionView } from '../../contract/api.ts'
import type { TrialId } from '../../contract/catalogue.ts'
import type { CheckoutContent } from '../../contract/content.ts'
import { fill } from '../../contract/placeholders.ts'
import { sessionIdInPath } from '../session/id.ts'
import { browserConfig } from '../session/client.ts'
import { goOnAfresh, hasLocalAnswers, pagePath } from '../session/page-session.ts'
import { isEmpty } from '../session/outbox.ts'
import { readOutbox } from '../session/outbox-store.ts'
import type * as Tracking from '../tracking/tracking.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { CheckField } from '../ui/CheckField.tsx'
import { copyValues, isPreticked, tierOf, trialOfStoredPrice } from './checkout.ts'
import { Countdown } from './Countdown.tsx'
import { exitIntentTarget } from './exit-intent.ts'
import type { FunnelSettings } from './page-settings.ts'
import { intent, PayDialog } from './PayDialog.tsx'
import { PriceCard } from './PriceCard.tsx'
import { AudioPreview } from './sections/Audio.tsx'
import { Features, Timeline } from './sections/Plan.tsx'
import { Guarantee, Questions, Testimonials } from './sections/Trust.tsx'
import { Unreachable } from './Unreachable.tsx'
import { useHere } from './useHere.ts'
import { usePageSession } from './usePageSession.ts'

/** T-04: tracking loads after the page; if it fails to load, nothing waits for it. */
const track = (tell: (tracking: typeof Tracking) => Promise<void> | void): Promise<void> =>
  import('../tracking/tracking.ts').then(tell).catch(() => undefined)

// rarely needed, so loaded on demand
const LostSession = lazy(async () => ({ default: (await import('./LostSession.tsx')).LostSession }))

interface Props {
  content: CheckoutContent
  settings: FunnelSettings
}

/** C-01…C-16: the checkout page. */
export function Checkout({ content, settings }: Props) {
  const [page, reload] = usePageSession()
  const here = useHere()
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState(false)
  const marketing = useMarketingConsent(settings)
  const [noSession, setNoSession] = useState(false)

  useEffect(() => {
    // sends what the quiz left unsent; nothing here waits for it, and an empty outbox loads no code
    if (!isEmpty(readOutbox())) {
      void import('../session/queue.ts').then(
        ({ startOutbox }) => startOutbox(settings.healthConsentRegions),
        () => undefined,
      )
    }
    void track(({ trackPageView }) => trackPageView('checkout'))
  }, [settings.healthConsentRegions])

  useEffect(() => {
    if (page.state === 'none') void withoutSession().then((gone) => setNoSession(!gone))
    if (page.state === 'ready') arrive(page.session)
  }, [page])

  const session = page.state === 'ready' ? page.session : null
  // this browser's own choice is the newest one (C-02), so its terms need not wait for the service
  const chosen = here ? (trialOfStoredPrice(here.answers.selectedPrice) ?? null) : null
  const tier: TrialId | null =
    chosen ?? (here && page.state !== 'loading' ? tierOf(here.answers, session ?? undefined) : null)
  const values = copyValues(settings, tier ?? undefined, here?.answers)

  useEffect(() => {
    if (open && session && tier) {
      void track(({ trackInitiateCheckout }) => trackInitiateCheckout(session.sessionId, tier))
    }
  }, [open, session, tier])

  if (page.state === 'lost') {
    return (
      <Suspense>
        <LostSession
          sessionId={page.sessionId}
          message={page.sessionId ? 'session_information_missing' : 'session_not_found'}
        />
      </Suspense>
    )
  }
  if (noSession) return <Unreachable onRetry={() => location.reload()} />
  const leaving = session !== null && session.paymentStatus === 'paid'
  if (leaving) {
    return (
      <Notice tone="good" title="This is paid already. Thank you!" live="polite">
        <p>
          <a href={pagePath(session.nextPage, session.sessionId)}>Go on to the next step</a>
        </p>
      </Notice>
    )
  }

  const order = (): void => {
    // pressed before the session had loaded: opens as soon as it has
    if (session) setOpen(true)
    else setWanted(true)
  }
  const showDialog = open || (wanted && session !== null)
  const waiting = wanted && session === null && page.state !== 'unreachable'
  const orderButton = (
    <span className="order" {...intent}>
      <Button onClick={order} busy={waiting}>
        {fill(content.orderButton, values)}
      </Button>
    </span>
  )
  const title = fill(content.cardTitle, values)

  return (
    <div className="checkout">
      <Countdown text={fill(content.countdownText, values)} sessionId={session?.sessionId ?? null} />
      <div className="checkout-order">
        <h1>{fill(content.heading, values)}</h1>
        {page.state === 'unreachable' && <Unreachable onRetry={reload} />}
        <PriceCard title={title} productId={tier}>
          {orderButton}
          <CheckField name="marketingConsent" checked={marketing.granted} onChange={marketing.choose}>
            <span className="small">{fill(settings.marketingConsentText, values)}</span>
          </CheckField>
        </PriceCard>
        <div className="checkout-contents">
          <div className="art" aria-hidden="true" />
          <Features title={content.featuresTitle} features={content.features} values={values} />
          <Timeline content={content} values={values} />
          <AudioPreview content={content} values={values} />
          <Testimonials content={content} values={values} />
          <Guarantee content={content} values={values} />
          <Questions content={content} values={values} />
          <PriceCard title={title} productId={tier}>
            {orderButton}
          </PriceCard>
        </div>
      </div>
      {session && tier && (
        <PayDialog
          open={showDialog}
          session={session}
          productId={tier}
          settings={settings}
          marketing={{
            granted: marketing.granted,
            preticked: marketing.preticked,
            wording: fill(settings.marketingConsentText, values),
            version: settings.consentVersion,
          }}
          page="/checkout"
          onClose={(started) => {
            setOpen(false)
            setWanted(false)
            const target = exitIntentTarget(session.sessionId, started)
            if (target) {
              void track(({ trackExitIntent }) => trackExitIntent()).then(() => location.assign(target))
            }
          }}
        />
      )}
    </div>
  )
}

/** C-11: the checkbox, pre-ticked by region until the visitor touches it. */
function useMarketingConsent(settings: FunnelSettings) {
  const [preticked, setPreticked] = useState(false)
  const [chosen, choose] = useState<boolean | null>(null)
  useEffect(() => {
    void browserConfig().then((outcome) => {
      if (outcome.ok) setPreticked(isPreticked(settings.marketingPretickedCountries, outcome.data.country))
    })
  }, [settings.marketingPretickedCountries])
  return { granted: chosen ?? preticked, preticked, choose }
}

/**
 * C-01: without a session, local answers get a new one, otherwise to the quiz. False when the service cannot be
 * reached.
 */
async function withoutSession(): Promise<boolean> {
  if (!hasLocalAnswers()) {
    location.replace('/quiz')
    return true
  }
  const sessionId = await goOnAfresh()
  if (sessionId) location.replace(`/checkout/${sessionId}${location.search}`)
  return sessionId !== null
}

/** C-01, C-02, C-16: sends an opened session to the page it belongs on. */
function arrive(session: SessionView): void {
  const { sessionId } = session
  if (session.paymentStatus === 'paid') {
    const query = new URLSearchParams(location.search)
    // C-16: the flag alone proves nothing; the service has just confirmed the payment
    if (query.get('payment_success') === 'true') {
      void track(({ trackFirstPurchase }) => trackFirstPurchase(sessionId)).then(() =>
        location.replace(`/multi-upsell/${sessionId}`),
      )
    } else location.replace(pagePath(session.nextPage, sessionId))
    return
  }
  // /checkout and /checkout-summary show the current session's checkout under its own address
  if (!sessionIdInPath(location.pathname)) history.replaceState(null, '', `/checkout/${sessionId}${location.search}`)
}
