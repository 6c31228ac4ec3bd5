import { useEffect, useState } from 'react'
import type { BrowserConfig, PurchasesView } from '../../contract/api.ts'
import { isReadingId } from '../../contract/catalogue.ts'
import type { AccountContent, AddOnCopy } from '../../contract/content.ts'
import { LostSession } from '../funnel/LostSession.tsx'
import type { FunnelSettings } from '../funnel/page-settings.ts'
import { Unreachable } from '../ui/Unreachable.tsx'
import { usePageSession } from '../funnel/usePageSession.ts'
import { browserConfig, call } from '../session/client.ts'
import { pagePath } from '../session/page-session.ts'
import { trackPageView } from '../tracking/tracking.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { Breadcrumb } from '../funnel/Breadcrumb.tsx'
import { EmailCorrection } from './EmailCorrection.tsx'
import { Receipt } from './Receipt.tsx'
import { receiptOf } from './receipt.ts'
import './thank-you.css'

interface Props {
  content: AccountContent
  addOns: AddOnCopy[]
  settings: FunnelSettings
}

/** what I bought, when I am charged next and how much, how to start, how to cancel. */
export function ThankYou({ content, addOns, settings }: Props) {
  const [page, reload] = usePageSession()
  const [purchases, setPurchases] = useState<PurchasesView | null | 'unreachable'>(null)
  const [config, setConfig] = useState<BrowserConfig | null>(null)

  useEffect(() => {
    trackPageView('thank-you')
    void browserConfig().then((outcome) => outcome.ok && setConfig(outcome.data))
  }, [])
  useEffect(() => {
    if (page.state !== 'ready') return
    const { sessionId, paymentStatus, nextPage } = page.session
    if (paymentStatus !== 'paid') {
      location.replace(pagePath(nextPage, sessionId))
      return
    }
    void call('purchases', { path: { sessionId } }).then((outcome) =>
      setPurchases(outcome.ok ? outcome.data : 'unreachable'),
    )
  }, [page])

  if (page.state === 'unreachable' || purchases === 'unreachable') {
    return (
      <Unreachable
        onRetry={() => {
          setPurchases(null)
          reload()
        }}
      />
    )
  }
  if (page.state === 'none' || page.state === 'lost') {
    const sessionId = page.state === 'lost' ? page.sessionId : null
    return <LostSession sessionId={sessionId} title="We could not find this order" />
  }
  if (!purchases) {
    return (
      <p className="pay-loading">
        <Spinner label="Loading your order" /> Loading your order…
      </p>
    )
  }
  // the words of an editor are about the programme
  const readingOnly = purchases.items.length > 0 && purchases.items.every(({ productId }) => isReadingId(productId))
  return (
    <div className="step thanks">
      <Breadcrumb at="Order receipt" />
      <div className="art" data-small="" aria-hidden="true" />
      <h1>{content.thankYouTitle}</h1>
      {purchases.email && (
        <p>
          Confirmation sent to <strong>{purchases.email}</strong>
        </p>
      )}
      {/* back here at once, unless the order has left a stranger's account and needs its own */}
      {purchases.email && page.state === 'ready' && (
        <EmailCorrection
          sessionId={page.session.sessionId}
          onCorrected={() => location.replace(`/user-creation/${page.session.sessionId}`)}
        />
      )}
      {readingOnly ? (
        <ButtonLink href="/summary">Open my reading</ButtonLink>
      ) : (
        <>
          <p className="quiet">{content.thankYouText}</p>
          <a className="button" href={config?.appUrl ?? '/app/'} target="_blank" rel="noopener noreferrer">
            {content.startButton}
            <span className="visually-hidden"> (opens in a new tab)</span>
          </a>
        </>
      )}
      <Receipt
        nextCharge={purchases.nextCharge}
        items={receiptOf(purchases.items, { programme: content.defaultProgrammeTitle, addOns })}
        sessionId={page.state === 'ready' ? page.session.sessionId : null}
      />
      {!readingOnly && (
        <section aria-labelledby="features-title" className="checkout-section">
          <h2 id="features-title">{content.featuresTitle}</h2>
          <ul className="checks">
            {content.features.map((feature) => (
              <li key={feature}>{feature}</li>
            ))}
          </ul>
        </section>
      )}
      <p className="quiet small">
        Questions? Write to <a href={`mailto:${settings.contactEmail}`}>{settings.contactEmail}</a>.
      </p>
    </div>
  )
}
