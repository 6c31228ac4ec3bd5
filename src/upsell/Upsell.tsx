import { useEffect, useState } from 'react'
import type { SessionView } from '../../contract/api.ts'
import type { UpsellContent } from '../../contract/content.ts'
import { isStrict } from '../funnel/visitor.ts'
import { LostSession } from '../funnel/LostSession.tsx'
import type { FunnelSettings } from '../funnel/page-settings.ts'
import { Unreachable } from '../ui/Unreachable.tsx'
import { usePageSession } from '../funnel/usePageSession.ts'
import { sleep } from '../session/id.ts'
import { browserConfig, call } from '../session/client.ts'
import { pagePath } from '../session/page-session.ts'
import { visit } from '../session/storage.ts'
import { trackPageView } from '../tracking/tracking.ts'
import { Spinner } from '../ui/Spinner.tsx'
import { AddOns } from './AddOns.tsx'
import type { Opening } from './opening.ts'
import { cutShort, readPicks, resumed } from './picks.ts'
import { savedMethod } from './saved-method.ts'
import { firstSelection, kept, ownedGuides } from './selection.ts'
import './upsell.css'

interface Props {
  content: UpsellContent
  settings: FunnelSettings
}

/** A charge is decided in seconds; a bank may take hours, and nobody waits for it here. */
const LOOK_AGAIN_MS = 1_000
const LOOK_MS = 15_000

/** U-01…U-08: the add-ons page. It opens once it is known that the session is paid and what it owns. */
export function Upsell(props: Props) {
  const [page, reload] = usePageSession()
  const [opening, setOpening] = useState<{ of: SessionView; as: Opening | 'unreachable' } | null>(null)
  const session = page.state === 'ready' ? page.session : null

  useEffect(() => {
    trackPageView('multi-upsell')
  }, [])
  useEffect(() => {
    if (page.state === 'none') location.replace('/quiz')
    if (page.state !== 'ready') return
    const { session: found } = page
    if (found.paymentStatus !== 'paid') {
      location.replace(pagePath(found.nextPage, found.sessionId))
      return
    }
    void openingOf(found, props.settings).then((as) => setOpening({ of: found, as }))
  }, [page, props.settings])

  if (page.state === 'lost') return <LostSession sessionId={page.sessionId} />
  if (page.state === 'unreachable' || opening?.as === 'unreachable') {
    return (
      <Unreachable
        onRetry={() => {
          setOpening(null)
          reload()
        }}
      />
    )
  }
  // when the page comes back from the browser's cache it is loaded again, to show what is owned now
  if (!session || opening?.of !== session || session.paymentStatus !== 'paid') {
    return (
      <p className="pay-loading">
        <Spinner label="Loading your offers" /> Your payment was received. Loading…
      </p>
    )
  }
  return <AddOns {...props} session={session} opening={opening.as as Opening} />
}

async function openingOf(session: SessionView, settings: FunnelSettings): Promise<Opening | 'unreachable'> {
  const path = { sessionId: session.sessionId }
  const [first, config] = await Promise.all([call('purchases', { path }), browserConfig()])
  let bought = first
  // an order that was left may still be charging: its result is known in a moment
  const until = performance.now() + LOOK_MS
  while (bought.ok && bought.data.upsellBusy && performance.now() < until) {
    await sleep(LOOK_AGAIN_MS)
    bought = await call('purchases', { path })
  }
  // nothing can be offered truthfully without knowing what is owned
  if (!bought.ok) return 'unreachable'
  // where nobody answers, what the session says of its own order; a card used since is not charged then (H-01)
  const paypal = session.paymentMethodType === 'paypal'
  const saved =
    (await savedMethod(session.sessionId)) ??
    (paypal ? { oneClick: false, paidWith: { type: 'paypal' as const }, methodName: 'PayPal' } : null)
  // H-02: while nobody knows where the buyer is, what the law asks for anywhere
  const strict = !config.ok || isStrict(settings.strictBuyingCountries, config.data.country)
  const owned = ownedGuides(kept(bought.data.items))
  const link = new URLSearchParams(location.search).get('upsell')
  const picks = readPicks(visit, session.sessionId)
  // an operator's link decides what is picked, otherwise this tab's own picks, otherwise the first selection
  const selection = picks && link === null ? resumed(owned, picks) : firstSelection(owned, strict, link)
  return {
    selection,
    saved,
    strict,
    paypal: config.ok && config.data.stripe.paypal,
    tax: config.ok ? config.data.taxIncluded : null,
    cutShort: cutShort(picks, selection),
    undecided: bought.data.upsellBusy,
  }
}
