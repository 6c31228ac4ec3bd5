import { lazy, memo, useEffect, useMemo } from 'react'
import type { TrialId } from '../../contract/catalogue.ts'
import type { CheckoutContent } from '../../contract/content.ts'
import { pagePath, sendLeftBehind } from '../session/page-session.ts'
import { filled } from '../../contract/filled.ts'
import { Button } from '../ui/Button.tsx'
import { Late } from '../ui/Late.tsx'
import { Notice } from '../ui/Notice.tsx'
import { CheckField } from '../ui/CheckField.tsx'
import { tierOf, trialOfStoredPrice, visitorValues } from '../funnel/visitor.ts'
import { Countdown } from './Countdown.tsx'
import type { FunnelSettings } from '../funnel/page-settings.ts'
import { intent, PayDialog } from '../payment/PayDialog.tsx'
import { PriceCard } from './PriceCard.tsx'
import { AudioPreview } from './sections/Audio.tsx'
import { Features, Timeline } from './sections/Plan.tsx'
import { Guarantee, Questions, Testimonials } from './sections/Trust.tsx'
import { track } from './track.ts'
import { Unreachable } from '../ui/Unreachable.tsx'
import { useArrival } from './useArrival.ts'
import { useHere } from '../funnel/useHere.ts'
import { useMarketingConsent } from './useMarketingConsent.ts'
import { useOrderDialog } from './useOrderDialog.ts'
import { usePageSession } from '../funnel/usePageSession.ts'

// rarely needed, so loaded on demand
const LostSession = lazy(() => import('../funnel/LostSession.tsx').then((file) => ({ default: file.LostSession })))

interface Props {
  content: CheckoutContent
  settings: FunnelSettings
}

/** C-01…C-16: the checkout page. */
export function Checkout({ content: built, settings }: Props) {
  const [page, reload] = usePageSession()
  const here = useHere()
  const [box, choose] = useMarketingConsent(settings)

  useEffect(() => {
    sendLeftBehind(settings.healthConsentRegions)
    void track(({ trackPageView }) => trackPageView('checkout'))
  }, [settings.healthConsentRegions])

  const noSession = useArrival(page)

  // one that is over gives way to a new one (useArrival)
  const session = page.state === 'ready' && !page.session.over ? page.session : null
  // this browser's own choice is the newest one (C-02), so its terms need not wait for the service
  const tier: TrialId | null =
    here &&
    (trialOfStoredPrice(here.answers.selectedPrice) ??
      (page.state === 'loading' ? null : tierOf(here.answers, session)))
  const content = useMemo(() => filled(built, visitorValues(tier, here?.answers)), [built, tier, here])

  const dialog = useOrderDialog(session, tier)
  function order(): void {
    if (page.state === 'unreachable') reload()
    dialog.order()
  }

  if (page.state === 'lost') {
    return (
      <Late>
        <LostSession
          sessionId={page.sessionId}
          message={page.sessionId ? 'session_information_missing' : 'session_not_found'}
        />
      </Late>
    )
  }
  if (noSession) return <Unreachable onRetry={() => location.reload()} />
  if (session?.paymentStatus === 'paid') {
    return (
      <Notice tone="good" title="This is paid already. Thank you!" live="polite">
        <p>
          <a href={pagePath(session.nextPage, session.sessionId)}>Go on to the next step</a>
        </p>
      </Notice>
    )
  }

  const orderButton = (
    <>
      <span className="order" {...intent}>
        <Button onClick={order} busy={dialog.pressed && !session && page.state !== 'unreachable'}>
          {content.orderButton}
        </Button>
      </span>
      <p className="order-sure">{content.guaranteeTitle}</p>
    </>
  )
  const title = content.cardTitle

  return (
    <div className="checkout">
      <Countdown text={content.countdownText} sessionId={session?.sessionId ?? null} />
      <div className="checkout-order">
        <h1>{content.heading}</h1>
        {page.state === 'unreachable' && <Unreachable onRetry={reload} />}
        <PriceCard title={title} productId={tier}>
          {orderButton}
          <CheckField name="marketingConsent" checked={box.granted} onChange={choose}>
            <span className="small">{settings.marketingConsentText}</span>
          </CheckField>
        </PriceCard>
        <div className="checkout-contents">
          <Contents content={content} />
          <PriceCard title={title} productId={tier}>
            {orderButton}
          </PriceCard>
        </div>
      </div>
      {session && tier && dialog.pressed && (
        <PayDialog
          session={session}
          productId={tier}
          settings={settings}
          marketing={{ ...box, wording: settings.marketingConsentText, version: settings.consentVersion }}
          page="/checkout"
          onClose={dialog.close}
        />
      )}
    </div>
  )
}

/** C-05…C-10: what the programme is, from its features to the questions. Not drawn anew by a press on the order. */
const Contents = memo(function Contents({ content }: { content: CheckoutContent }) {
  return (
    <>
      <div className="art" aria-hidden="true" />
      <Features title={content.featuresTitle} features={content.features} />
      <Timeline content={content} />
      <AudioPreview content={content} />
      <Testimonials content={content} />
      <Guarantee content={content} />
      <Questions content={content} />
    </>
  )
})
