import { useEffect, useState, type ReactNode } from 'react'
import type { SessionView } from '../../contract/api.ts'
import { DEFAULT_SPECIAL_OFFER_TRIAL, product, type TrialId } from '../../contract/catalogue.ts'
import type { OfferContent } from '../../contract/content.ts'
import { formatMoney } from '../../contract/money.ts'
import { tierOf, visitorValues } from '../funnel/visitor.ts'
import { LostSession } from '../funnel/LostSession.tsx'
import type { FunnelSettings } from '../funnel/page-settings.ts'
import { intent, PayDialog } from '../payment/PayDialog.tsx'
import { useShown } from '../payment/shown.ts'
import { Terms } from '../payment/Terms.tsx'
import { termsText } from '../payment/terms-text.ts'
import { Unreachable } from '../ui/Unreachable.tsx'
import { useHere } from '../funnel/useHere.ts'
import { usePageSession } from '../funnel/usePageSession.ts'
import { sessionIdInPath } from '../session/id.ts'
import { goOnAfresh, pagePath } from '../session/page-session.ts'
import { filled } from '../../contract/filled.ts'
import { trackPageView } from '../tracking/tracking.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import './offer.css'

/** The regular price is that of the tier, which the service may know better than this browser. */
type Wanted = 'offer' | 'regular'

interface Props {
  content: OfferContent
  settings: FunnelSettings
}
interface FrameProps extends Props {
  page: 'special-offer-intro' | 'special-offer-details'
  children: (world: {
    session: SessionView | null
    tier: TrialId
    /** With all that depends on the visitor. */
    content: OfferContent
    pay: (what: Wanted) => void
    /** What was pressed before the visit is known: it opens as soon as that is. */
    waiting: Wanted | null
  }) => ReactNode
}

/** O-01, O-02: what both offer pages share: the session (with or without its id in the path) and the payment dialog. */
function OfferFrame({ content: built, settings, page: name, children }: FrameProps) {
  const [page, reload] = usePageSession()
  const here = useHere()
  const offer = useShown('special_offer')
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const [noSession, setNoSession] = useState(false)
  const session = page.state === 'ready' ? page.session : null

  useEffect(() => trackPageView(name), [name])
  useEffect(() => {
    if (page.state === 'none') {
      void goOnAfresh().then((id) => (id ? location.replace(`/${name}/${id}`) : setNoSession(true)))
    }
    if (page.state !== 'ready') return
    const { sessionId, paymentStatus, nextPage, over } = page.session
    if (paymentStatus === 'paid') location.replace(pagePath(over ? 'checkout' : nextPage, sessionId))
    else if (!sessionIdInPath(location.pathname)) history.replaceState(null, '', `/${name}/${sessionId}`)
  }, [page, name])

  if (page.state === 'lost') return <LostSession sessionId={page.sessionId} />
  if (page.state === 'unreachable' || noSession) {
    return <Unreachable onRetry={noSession ? () => location.reload() : reload} />
  }
  const tier = tierOf(here?.answers ?? {}, session, DEFAULT_SPECIAL_OFFER_TRIAL)
  const firstDate = offer ? termsText('special_offer', offer)?.firstDate : undefined
  const content = filled(built, { ...visitorValues(tier, here?.answers), firstChargeDate: firstDate ?? '…' })
  return (
    <div className="step offer">
      <div className="art" data-small="" aria-hidden="true" />
      {children({ session, tier, content, pay: setWanted, waiting: session ? null : wanted })}
      {session && wanted && (
        <PayDialog
          session={session}
          productId={wanted === 'offer' ? 'special_offer' : tier}
          settings={settings}
          marketing={null}
          page={`/${name}`}
          onClose={() => setWanted(null)}
        />
      )}
    </div>
  )
}

/** The two prices: the regular price of a month, and the offer's. */
function OfferPrice() {
  const { price, listPrice } = product('special_offer')
  const shown = useShown('special_offer')
  return (
    <p className="offer-price tabular">
      {listPrice !== undefined && (
        <s>
          <span className="visually-hidden">Instead of </span>
          {formatMoney(listPrice)}
        </s>
      )}
      <strong>{formatMoney(shown?.now ?? price)}</strong>
    </p>
  )
}

/** O-01: 'Special offer just for you'. */
export function OfferIntro(props: Props) {
  return (
    <OfferFrame {...props} page="special-offer-intro">
      {({ session, tier, content, pay, waiting }) => (
        <>
          <h1>{content.introTitle}</h1>
          <OfferPrice />
          <p className="centered">{content.introText}</p>
          <ButtonLink href={session ? `/special-offer-details/${session.sessionId}` : '/special-offer-details'}>
            {content.introButton}
          </ButtonLink>
          <section className="offer-regular" aria-label="Regular price">
            <span className="order" {...intent}>
              <Button look="text" onClick={() => pay('regular')} busy={waiting === 'regular'}>
                {content.introDecline}
              </Button>
            </span>
            <Terms productId={session ? tier : null} />
          </section>
        </>
      )}
    </OfferFrame>
  )
}

/** O-02: 'You get a secret discount'. */
export function OfferDetails(props: Props) {
  return (
    <OfferFrame {...props} page="special-offer-details">
      {({ session, content, pay, waiting }) => (
        <>
          <h1>{content.detailsTitle}</h1>
          <OfferPrice />
          <p className="centered">{content.detailsText}</p>
          <Terms productId="special_offer" />
          <span className="order" {...intent}>
            <Button onClick={() => pay('offer')} busy={waiting === 'offer'}>
              {content.detailsButton}
            </Button>
          </span>
          <ul className="checks">
            {content.detailsPoints.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
          <ButtonLink look="text" href={session ? `/checkout/${session.sessionId}` : '/checkout'}>
            Back to the regular checkout
          </ButtonLink>
        </>
      )}
    </OfferFrame>
  )
}
