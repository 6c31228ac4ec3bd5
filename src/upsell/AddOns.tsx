import { lazy, useState } from 'react'
import type { SessionView } from '../../contract/api.ts'
import { GUIDE_IDS, type AddOnId } from '../../contract/catalogue.ts'
import type { UpsellContent } from '../../contract/content.ts'
import type { FunnelSettings } from '../funnel/page-settings.ts'
import { shownNow, useShownPrices } from '../payment/shown.ts'
import { Late } from '../ui/Late.tsx'
import { RotatingQuotes } from '../ui/RotatingQuotes.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { AddOnList } from './AddOnList.tsx'
import { Breadcrumb } from '../funnel/Breadcrumb.tsx'
import { CutShortNotice } from './CutShortNotice.tsx'
import { OrderBar } from './OrderBar.tsx'
import { FormUnavailable } from './FormUnavailable.tsx'
import type { Opening } from './opening.ts'
import { bundleSaving, charges, totalOf } from './selection.ts'
import { orderButton, orderTerms } from './upsell-text.ts'
import { type EvidenceOf, useOrder } from './useOrder.ts'

const CompletePurchase = lazy(() => import('./CompletePurchase.tsx'))

interface Props {
  content: UpsellContent
  settings: FunnelSettings
  session: SessionView
  opening: Opening
}

/** U-01…U-08: picking, ordering, and the result of the order. */
export function AddOns({ content, settings, session, opening }: Props) {
  const { strict } = opening
  const [selection, setSelection] = useState(opening.selection)
  const ids = charges(selection)
  const priceOf = useShownPrices()
  const total = totalOf(selection, priceOf)
  const saving = bundleSaving(selection, priceOf)
  const label = orderButton(content.addButton, total, strict)
  const evidenceOf: EvidenceOf = (id, queue, saved) => ({
    shown: shownNow(id),
    agreement: {
      words: `${content.addOns.find((addOn) => addOn.id === id)?.name ?? id}. ${orderTerms(queue, saved)} [${label}]`,
      version: settings.consentVersion,
      page: '/multi-upsell',
      ...(saved?.paidWith ? { paidWith: saved.paidWith } : {}),
    },
  })
  const order = useOrder({ session, selection, setSelection, opening, evidenceOf })

  if (order.form) {
    const { end, cancel, paid } = order.form
    return (
      <Late waiting={<Spinner label="Loading the payment form" />} gone={<FormUnavailable onCancel={() => cancel()} />}>
        <CompletePurchase
          session={session}
          stopped={end.stopped}
          rest={end.rest}
          strict={strict}
          paypal={opening.paypal}
          tax={opening.tax}
          evidence={evidenceOf(end.stopped.productId, ids, order.saved)}
          onCancel={() => cancel()}
          onPaid={paid}
          onExpired={cancel}
        />
      </Late>
    )
  }

  const { progress, problem, failed } = order
  const busy = progress !== null
  const notAdded = (id: AddOnId): string | null =>
    failed.includes(id) ? `Not added${problem?.money === 'unknown' ? '' : ', not charged'}.` : null
  const ownsAll = selection.owned.length === GUIDE_IDS.length

  return (
    <div className="step upsell">
      <div className="upsell-contents">
        <Breadcrumb at="Special offer" />
        <div className="upsell-head">
          <h1>{content.title}</h1>
          <button type="button" className="skip" onClick={() => void (busy || order.leave('skipped'))}>
            {content.skipButton}
          </button>
        </div>
        <p className="quiet">{content.intro}</p>
        {order.interrupted && <CutShortNotice cut={order.interrupted} undecided={opening.undecided} />}
        <ul className="checks upsell-benefits">
          {content.benefits.map((benefit) => (
            <li key={benefit}>{benefit}</li>
          ))}
        </ul>
        <AddOnList
          copy={content.addOns}
          selection={selection}
          saving={saving}
          locked={busy}
          onToggle={order.toggle}
          failureOf={notAdded}
        />
        {content.testimonials.length > 0 && (
          <RotatingQuotes quotes={content.testimonials} label="What people say about the guides" />
        )}
      </div>
      <OrderBar
        problem={problem}
        news={order.news}
        over={order.done ? 'added' : ownsAll ? 'owned' : null}
        count={ids.length}
        total={total}
        tax={opening.tax}
        terms={orderTerms(ids, order.saved)}
        label={label}
        progress={progress}
        onOrder={order.order}
        onLeave={() => void order.leave('completed')}
      />
    </div>
  )
}
