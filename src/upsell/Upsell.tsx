import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { SessionView } from '../../contract/api.ts'
import { GUIDE_IDS, type AddOnId, type GuideId, type ProductId } from '../../contract/catalogue.ts'
import type { UpsellContent } from '../../contract/content.ts'
import { formatMoney } from '../../contract/money.ts'
import { fill } from '../../contract/placeholders.ts'
import { copyValues, isStrict } from '../checkout/checkout.ts'
import { LostSession } from '../checkout/LostSession.tsx'
import type { FunnelSettings } from '../checkout/page-settings.ts'
import { trouble, type Trouble } from '../checkout/payment/failures.ts'
import { TroubleNotice } from '../checkout/payment/TroubleNotice.tsx'
import { Unreachable } from '../checkout/Unreachable.tsx'
import { usePageSession } from '../checkout/usePageSession.ts'
import { sleep } from '../session/id.ts'
import { browserConfig, call } from '../session/client.ts'
import { pagePath } from '../session/page-session.ts'
import { trackPageView, trackPurchase } from '../tracking/tracking.ts'
import { Button } from '../ui/Button.tsx'
import { RotatingQuotes } from '../ui/RotatingQuotes.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { AddOnCard } from './AddOnCard.tsx'
import { Breadcrumb } from './Breadcrumb.tsx'
import { chargeAll, chargeOne, orderTrouble } from './charge.ts'
import { chargeWorld } from './charge-world.ts'
import {
  afterPurchase,
  bundleSaving,
  charges,
  firstSelection,
  isBundleOffered,
  isBundlePicked,
  ownedGuides,
  toggleBundle,
  toggleGuide,
  totalOf,
  type Selection,
} from './selection.ts'
import './upsell.css'

const CompletePurchase = lazy(() => import('./CompletePurchase.tsx'))

/** U-07: the next page follows a second after a single purchase. */
export const AFTER_PURCHASE_MS = 1_000

interface Props {
  content: UpsellContent
  settings: FunnelSettings
}

/** U-01…U-08: the add-ons page: opens once the session is known to be paid. */
export function Upsell(props: Props) {
  const [page, reload] = usePageSession()
  const [start, setStart] = useState<Selection | null>(null)
  const session = page.state === 'ready' ? page.session : null
  const elsewhere = session !== null && session.paymentStatus !== 'paid'

  useEffect(() => {
    trackPageView('multi-upsell')
    if (page.state === 'none') location.replace('/quiz')
    if (page.state !== 'ready') return
    const { session: found } = page
    if (found.paymentStatus !== 'paid') {
      location.replace(pagePath(found.nextPage, found.sessionId))
      return
    }
    const config = browserConfig()
    void call('purchases', { path: { sessionId: found.sessionId } }).then(async (bought) => {
      const ids: ProductId[] = bought.ok ? bought.data.items.map((item) => item.productId) : []
      const known = await config
      const strict = isStrict(props.settings.strictBuyingCountries, known.ok ? known.data.country : null)
      setStart(firstSelection(ownedGuides(ids), strict, new URLSearchParams(location.search).get('upsell')))
    })
  }, [page, props.settings.strictBuyingCountries])

  if (page.state === 'lost') return <LostSession sessionId={page.sessionId} />
  if (page.state === 'unreachable') return <Unreachable onRetry={reload} />
  if (!session || !start || elsewhere) {
    return (
      <p className="pay-loading">
        <Spinner label="Loading your offers" /> Your payment was received. Loading…
      </p>
    )
  }
  return <Offers {...props} session={session} start={start} />
}

function Offers({ content, settings, session, start }: Props & { session: SessionView; start: Selection }) {
  const { sessionId } = session
  const [selection, setSelection] = useState(start)
  const [progress, setProgress] = useState<string | null>(null)
  const [problem, setProblem] = useState<Trouble | null>(null)
  const [form, setForm] = useState<{ productId: AddOnId; clientSecret: string | null } | null>(null)
  const [done, setDone] = useState(false)
  const running = useRef(false)
  const values = copyValues(settings, undefined)
  const busy = progress !== null
  const ids = charges(selection)
  const total = totalOf(selection)
  const saving = bundleSaving(selection)
  const bundle = content.addOns.find((addOn) => addOn.id === 'bundle')
  const guides = GUIDE_IDS.flatMap((id) => content.addOns.filter((addOn) => addOn.id === id))

  async function leave(reason: 'skipped' | 'completed'): Promise<void> {
    setProgress(reason === 'skipped' ? 'One moment' : 'Thank you! Taking you to the next step')
    const outcome = await call('finishUpsell', { path: { sessionId }, body: { reason }, timeoutMs: 8_000 })
    // the service may be slow; the next page finds out by itself where the session stands
    location.assign(pagePath(outcome.ok ? outcome.data.nextPage : 'user-creation', sessionId))
  }

  async function order(): Promise<void> {
    if (running.current) return
    if (ids.length === 0) return setProblem(trouble('no_product_selected'))
    if (!session.email) return setProblem(trouble('customer_email_missing'))
    running.current = true
    setProblem(null)
    const world = chargeWorld(session, setProblem)
    const end = await chargeAll(ids, (id) => {
      setProgress(ids.length > 1 ? `Adding ${ids.indexOf(id) + 1} of ${ids.length}` : 'Adding to your order')
      return chargeOne(world, sessionId, id, {
        words: `${nameOf(content, id)}: ${oneTime(total)}`,
        version: settings.consentVersion,
        page: '/multi-upsell',
      })
    })
    end.bought.forEach((id) => trackPurchase(sessionId, id))
    setSelection((now) => afterPurchase(now, end.bought))
    if (end.stopped?.kind === 'left') return
    running.current = false
    setProgress(null)
    if (end.stopped) return setForm(end.stopped)
    const failed = orderTrouble(end)
    setProblem(failed ?? null)
    if (!failed) await goOn()
  }

  async function goOn(): Promise<void> {
    running.current = true
    setForm(null)
    setDone(true)
    setProgress('Added. Taking you to the next step')
    await sleep(AFTER_PURCHASE_MS)
    await leave('completed')
  }

  if (form) {
    return (
      <Suspense fallback={<Spinner label="Loading the payment form" />}>
        <CompletePurchase
          session={session}
          productId={form.productId}
          clientSecret={form.clientSecret}
          onCancel={() => setForm(null)}
          onPaid={() => {
            trackPurchase(sessionId, form.productId)
            setSelection((now) => afterPurchase(now, [form.productId]))
            void goOn()
          }}
        />
      </Suspense>
    )
  }

  const toggle = (id: AddOnId): void => {
    setProblem(null)
    setSelection((now) => (id === 'bundle' ? toggleBundle(now) : toggleGuide(now, id as GuideId)))
  }
  return (
    <div className="step upsell">
      <Breadcrumb at="Special offer" />
      <div className="upsell-head">
        <h1>{fill(content.title, values)}</h1>
        <button type="button" className="skip" onClick={() => void (busy || leave('skipped'))}>
          {content.skipButton}
        </button>
      </div>
      <p className="quiet">{fill(content.intro, values)}</p>
      <ul className="checks upsell-benefits">
        {content.benefits.map((benefit) => (
          <li key={benefit}>{fill(benefit, values)}</li>
        ))}
      </ul>
      <ul className="addons" aria-label="Add-ons">
        {bundle && isBundleOffered(selection) && (
          <AddOnCard
            copy={bundle}
            values={values}
            main
            picked={isBundlePicked(selection)}
            owned={false}
            locked={busy}
            onToggle={toggle}
            note={saving > 0 ? `All five together cost ${formatMoney(saving)} less than what you have picked.` : null}
          />
        )}
        {guides.map((copy) => (
          <AddOnCard
            key={copy.id}
            copy={copy}
            values={values}
            picked={selection.picked.includes(copy.id as GuideId)}
            owned={selection.owned.includes(copy.id as GuideId)}
            locked={busy}
            onToggle={toggle}
          />
        ))}
      </ul>
      {content.testimonials.length > 0 && (
        <RotatingQuotes quotes={content.testimonials} label="What people say about the guides" />
      )}
      <div className="button-bar total-bar">
        {problem && <TroubleNotice trouble={problem} />}
        {done ? (
          <p className="total" role="status">
            Added to your order. Thank you!
          </p>
        ) : (
          <p className="total" aria-live="polite">
            <span>
              Total <span className="quiet small">{ids.length === 0 ? 'nothing picked' : 'one-time payment'}</span>
            </span>
            <strong className="tabular">{formatMoney(total)}</strong>
          </p>
        )}
        {ids.length > 0 && <p className="total-terms">{oneTime(total)} No subscription.</p>}
        {selection.owned.length === GUIDE_IDS.length || (done && ids.length === 0) ? (
          <Button busy={busy} busyLabel={progress ?? ''} onClick={() => void leave('completed')}>
            Continue
          </Button>
        ) : (
          <Button busy={busy} busyLabel={progress ?? ''} onClick={() => void order()}>
            {fill(content.addButton, values)}
          </Button>
        )}
        {busy && <p className="pay-phase">{progress}…</p>}
      </div>
    </div>
  )
}

function nameOf(content: UpsellContent, id: AddOnId): string {
  return content.addOns.find((addOn) => addOn.id === id)?.name ?? id
}

/** H-01: what pressing the button does. */
function oneTime(total: number): string {
  return `${formatMoney(total)} is charged now, once, to the card or PayPal of your order.`
}
