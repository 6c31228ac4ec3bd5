import { lazy, Suspense, useRef, useState } from 'react'
import type { SessionView } from '../../contract/api.ts'
import { GUIDE_IDS, type AddOnId, type GuideId } from '../../contract/catalogue.ts'
import type { UpsellContent } from '../../contract/content.ts'
import { fill } from '../../contract/placeholders.ts'
import { copyValues } from '../checkout/checkout.ts'
import type { FunnelSettings } from '../checkout/page-settings.ts'
import { shownNow, useShownPrices } from '../checkout/shown.ts'
import { trouble, type Trouble } from '../checkout/payment/failures.ts'
import { sleep } from '../session/id.ts'
import { call } from '../session/client.ts'
import { pagePath } from '../session/page-session.ts'
import { visit } from '../session/storage.ts'
import { trackPurchase } from '../tracking/tracking.ts'
import { RotatingQuotes } from '../ui/RotatingQuotes.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { AddOnList } from './AddOnList.tsx'
import { Breadcrumb } from './Breadcrumb.tsx'
import { CutShortNotice } from './CutShortNotice.tsx'
import { OrderBar } from './OrderBar.tsx'
import { chargeAll, chargeOne, NOTHING_YET, orderTrouble, withOwned, type OrderOutcome } from './charge.ts'
import { chargeWorld } from './charge-world.ts'
import { FormUnavailable } from './FormUnavailable.tsx'
import { forgetPicks, ordering, savePicks, type cutShort } from './picks.ts'
import {
  afterPurchase,
  bundleSaving,
  charges,
  ownedGuides,
  toggleBundle,
  toggleGuide,
  totalOf,
  type Selection,
} from './selection.ts'
import { orderButton, orderTerms, progressText } from './upsell-text.ts'

const CompletePurchase = lazy(() => import('./CompletePurchase.tsx').catch(() => ({ default: FormUnavailable })))

/** U-07: the next page follows a second after a purchase. */
const AFTER_PURCHASE_MS = 1_000

/** How the page opens: what is picked, and what the country and the payment provider allow. */
export interface Opening {
  selection: Selection
  /** H-02: the country of the buyer forbids pre-selection and wants the duty to pay on the button. */
  strict: boolean
  paypal: boolean
  cutShort: ReturnType<typeof cutShort>
}

interface Props {
  content: UpsellContent
  settings: FunnelSettings
  session: SessionView
  opening: Opening
}

type Stopped = OrderOutcome & { stopped: { kind: 'needs_form' } }

/** U-01…U-08: pick, order, and what became of it. */
export function Offers({ content, settings, session, opening }: Props) {
  const { sessionId } = session
  const { strict } = opening
  const [selection, setSelection] = useState(opening.selection)
  const [interrupted, setInterrupted] = useState(opening.cutShort)
  const [progress, setProgress] = useState<string | null>(null)
  const [problem, setProblem] = useState<Trouble | null>(null)
  const [failed, setFailed] = useState<readonly AddOnId[]>([])
  const [news, setNews] = useState<string | null>(null)
  const [form, setForm] = useState<{ end: Stopped; of: number } | null>(null)
  const [done, setDone] = useState(false)
  const running = useRef(false)
  const values = copyValues(settings, undefined)
  const busy = progress !== null
  const ids = charges(selection)
  const priceOf = useShownPrices()
  const total = totalOf(selection, priceOf)
  const saving = bundleSaving(selection, priceOf)
  const terms = orderTerms(ids, session)
  const label = orderButton(fill(content.addButton, values), total, strict)

  async function leave(reason: 'skipped' | 'completed'): Promise<void> {
    running.current = true
    setProgress(reason === 'skipped' ? 'One moment' : 'Thank you! Taking you to the next step')
    forgetPicks(visit)
    const outcome = await call('finishUpsell', { path: { sessionId }, body: { reason }, timeoutMs: 8_000 })
    // the service may be slow; the next page finds out by itself where the session stands
    location.assign(pagePath(outcome.ok ? outcome.data.nextPage : 'user-creation', sessionId))
  }

  function order(): void {
    if (running.current) return
    if (ids.length === 0) return setProblem(trouble('no_product_selected'))
    if (!session.email) return setProblem(trouble('customer_email_missing'))
    savePicks(visit, sessionId, ordering(selection))
    void run(ids, NOTHING_YET, ids.length)
  }

  /** Charges what is left of an order, one after the other. `of` counts the whole order. */
  async function run(queue: readonly AddOnId[], before: OrderOutcome, of: number): Promise<void> {
    running.current = true
    setProblem(null)
    setFailed([])
    setInterrupted(null)
    setForm(null)
    const world = chargeWorld(session, setNews)
    let at = of - queue.length
    const first = await chargeAll(
      queue,
      (id) => {
        setProgress(progressText(++at, of))
        return chargeOne(world, sessionId, id, evidenceOf(id))
      },
      before,
    )
    setNews(null)
    // the page is about to go to PayPal; what is left of the order is remembered
    if (first.stopped?.kind === 'left') return
    const end = await checked(first)
    end.bought.filter((id) => !before.bought.includes(id)).forEach((id) => trackPurchase(sessionId, id))
    const next = afterPurchase(selection, end.bought)
    setSelection(next)
    running.current = false
    setProgress(null)
    if (end.stopped?.kind === 'needs_form') return setForm({ end: end as Stopped, of })
    savePicks(visit, sessionId, { picked: [...next.picked], ordering: null })
    const words = orderTrouble(end)
    setFailed(end.failures.map(({ productId }) => productId))
    setProblem(words ?? null)
    if (!words) await goOn()
  }

  /** An answer that got lost may have been a purchase: what is owned is asked, before anything is said (U-08). */
  async function checked(end: OrderOutcome): Promise<OrderOutcome> {
    if (!end.failures.some(({ trouble: { money } }) => money === 'unknown')) return end
    const bought = await call('purchases', { path: { sessionId }, timeoutMs: 8_000 })
    if (!bought.ok) return end
    const items = bought.data.items.map(({ productId }) => productId)
    return withOwned(end, [...ownedGuides(items), ...(items.includes('bundle') ? (['bundle'] as const) : [])])
  }

  const evidenceOf = (id: AddOnId) => ({
    shown: shownNow(id),
    agreement: {
      words: `${content.addOns.find((addOn) => addOn.id === id)?.name ?? id}. ${terms} [${label}]`,
      version: settings.consentVersion,
      page: '/multi-upsell',
    },
  })

  async function goOn(): Promise<void> {
    running.current = true
    setDone(true)
    setProgress('Added. Taking you to the next step')
    await sleep(AFTER_PURCHASE_MS)
    await leave('completed')
  }

  if (form) {
    const { end, of } = form
    return (
      <Suspense fallback={<Spinner label="Loading the payment form" />}>
        <CompletePurchase
          session={session}
          stopped={end.stopped}
          rest={end.rest}
          strict={strict}
          paypal={opening.paypal}
          evidence={evidenceOf(end.stopped.productId)}
          onCancel={() => {
            setForm(null)
            savePicks(visit, sessionId, { picked: [...selection.picked], ordering: null })
            setFailed(end.failures.map(({ productId }) => productId))
            setProblem(orderTrouble(end) ?? null)
          }}
          onPaid={() => {
            const { productId } = end.stopped
            trackPurchase(sessionId, productId)
            setSelection((now) => afterPurchase(now, [productId]))
            void run(end.rest, { ...end, stopped: null, bought: [...end.bought, productId] }, of)
          }}
        />
      </Suspense>
    )
  }

  const toggle = (id: AddOnId): void => {
    setProblem(null)
    setFailed([])
    setInterrupted(null)
    const next = id === 'bundle' ? toggleBundle(selection) : toggleGuide(selection, id as GuideId)
    setSelection(next)
    savePicks(visit, sessionId, { picked: [...next.picked], ordering: null })
  }
  const notAdded = (id: AddOnId): string | null =>
    failed.includes(id) ? `Not added${problem?.money === 'unknown' ? '' : ', not charged'}.` : null
  const ownsAll = selection.owned.length === GUIDE_IDS.length

  return (
    <div className="step upsell">
      <div className="upsell-contents">
        <Breadcrumb at="Special offer" />
        <div className="upsell-head">
          <h1>{fill(content.title, values)}</h1>
          <button type="button" className="skip" onClick={() => void (busy || leave('skipped'))}>
            {content.skipButton}
          </button>
        </div>
        <p className="quiet">{fill(content.intro, values)}</p>
        {interrupted && <CutShortNotice cut={interrupted} />}
        <ul className="checks upsell-benefits">
          {content.benefits.map((benefit) => (
            <li key={benefit}>{fill(benefit, values)}</li>
          ))}
        </ul>
        <AddOnList
          copy={content.addOns}
          values={values}
          selection={selection}
          saving={saving}
          locked={busy}
          onToggle={toggle}
          failureOf={notAdded}
        />
        {content.testimonials.length > 0 && (
          <RotatingQuotes quotes={content.testimonials} label="What people say about the guides" />
        )}
      </div>
      <OrderBar
        problem={problem}
        news={news}
        over={done ? 'added' : ownsAll ? 'owned' : null}
        count={ids.length}
        total={total}
        terms={terms}
        label={label}
        progress={progress}
        onOrder={order}
        onLeave={() => void leave('completed')}
      />
    </div>
  )
}
