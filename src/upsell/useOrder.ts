import { useRef, useState } from 'react'
import type { AddOnEvidence, SessionView } from '../../contract/api.ts'
import type { AddOnId, ProductId } from '../../contract/catalogue.ts'
import { trouble, type Trouble } from '../payment/failures.ts'
import { call } from '../session/client.ts'
import { sleep } from '../session/id.ts'
import { pagePath } from '../session/page-session.ts'
import { visit } from '../session/storage.ts'
import { trackPurchase } from '../tracking/tracking.ts'
import { chargeWorld } from './charge-world.ts'
import { chargeAll, chargeOne, NOTHING_YET, orderTrouble, withOwned, type OrderOutcome } from './charge.ts'
import type { Opening } from './opening.ts'
import { forgetPicks, ordering, savePicks } from './picks.ts'
import { savedMethod } from './saved-method.ts'
import { afterPurchase, charges, kept, toggleBundle, toggleGuide, type Selection } from './selection.ts'
import { progressText, type Saved } from './upsell-text.ts'

/** U-07: the next page follows a second after a purchase. */
const AFTER_PURCHASE_MS = 1_000

/** An order that continues after the card form. */
type Stopped = OrderOutcome & { stopped: { kind: 'needs_form' } }

interface Ordered {
  session: SessionView
  selection: Selection
  setSelection: (next: Selection | ((now: Selection) => Selection)) => void
  /** With an order that an earlier visit of the page left half done. */
  opening: Pick<Opening, 'cutShort' | 'saved'>
  evidenceOf: EvidenceOf
}

/** What the page shows of an add-on at this moment, ordered with the rest of `queue`: figures and words. */
export type EvidenceOf = (id: AddOnId, queue: readonly AddOnId[], saved: Saved) => AddOnEvidence

/** U-03…U-08: the order of what is picked, how far it has come, and what became of it. */
export function useOrder({ session, selection, setSelection, opening, evidenceOf }: Ordered) {
  const { sessionId } = session
  const [interrupted, setInterrupted] = useState(opening.cutShort)
  const [saved, setSaved] = useState(opening.saved)
  const [progress, setProgress] = useState<string | null>(null)
  const [news, setNews] = useState<string | null>(null)
  const [form, setForm] = useState<{ end: Stopped; of: number } | null>(null)
  const [done, setDone] = useState(false)
  const running = useRef(false)
  const purchases = usePurchases(sessionId)
  const { problem, failed, tell, tellOf, forget } = useProblem()
  const keepPicks = ({ picked }: Selection) => savePicks(visit, sessionId, { picked: [...picked], ordering: null })

  async function leave(reason: 'skipped' | 'completed'): Promise<void> {
    running.current = true
    setProgress(reason === 'skipped' ? 'One moment' : 'Thank you! Taking you to the next step')
    await goFromHere(sessionId, reason)
  }

  function order(): void {
    const ids = charges(selection)
    if (running.current) return
    if (ids.length === 0) return tell(trouble('no_product_selected'))
    if (!session.email) return tell(trouble('customer_email_missing'))
    savePicks(visit, sessionId, ordering(selection))
    void run(ids, NOTHING_YET, ids.length, saved)
  }

  /** Charges what is left of an order, one after the other. `of` counts the whole order. */
  async function run(queue: readonly AddOnId[], before: OrderOutcome, of: number, by: Saved): Promise<void> {
    running.current = true
    forget()
    setInterrupted(null)
    setForm(null)
    const world = chargeWorld(session, setNews)
    let at = of - queue.length
    const first = await chargeAll(
      queue,
      (id) => {
        setProgress(progressText(++at, of))
        return chargeOne(world, sessionId, id, evidenceOf(id, queue, by))
      },
      before,
    )
    setNews(null)
    const items = await bought(sessionId, first)
    const end = withOwned(first, items)
    purchases.track(end.bought.filter((id) => !before.bought.includes(id)))
    const next = afterPurchase(selection, [...end.bought, ...items])
    setSelection(next)
    running.current = false
    setProgress(null)
    if (end.stopped?.kind === 'needs_form') return setForm({ end: end as Stopped, of })
    // still here, or again, after it was left for PayPal: the order stays remembered as begun
    if (end.stopped) return void tellOf(end)
    keepPicks(next)
    if (!tellOf(end)) await goOn()
  }

  async function goOn(): Promise<void> {
    running.current = true
    setDone(true)
    setProgress('Added. Taking you to the next step')
    await Promise.all([sleep(AFTER_PURCHASE_MS), purchases.pushed()])
    await leave('completed')
  }

  function toggle(id: AddOnId): void {
    forget()
    setInterrupted(null)
    const next = id === 'bundle' ? toggleBundle(selection) : toggleGuide(selection, id)
    setSelection(next)
    keepPicks(next)
  }

  return { saved, interrupted, progress, problem, failed, news, done, leave, order, toggle, form: form && formOf(form) }

  /** The card form that the order waits for, and what follows it. */
  function formOf({ end, of }: NonNullable<typeof form>) {
    const { productId } = end.stopped
    return {
      end,
      /** Back to the offers: the next press opens a new form, or charges what has replaced the method named so far. */
      cancel(problem?: Trouble): void {
        setForm(null)
        keepPicks(selection)
        void savedMethod(sessionId).then((now) => now && setSaved(now))
        tellOf(problem ? { ...end, failures: [...end.failures, { productId, trouble: problem }] } : end)
      },
      async paid(): Promise<void> {
        purchases.track([productId])
        // the rest is charged to what was used here, and the page names it from now on
        const now = await savedMethod(sessionId)
        setSaved(now)
        setSelection((selected) => afterPurchase(selected, [productId]))
        void run(end.rest, { ...end, stopped: null, bought: [...end.bought, productId] }, of, now)
      },
    }
  }
}

async function goFromHere(sessionId: string, reason: 'skipped' | 'completed'): Promise<void> {
  forgetPicks(visit)
  const outcome = await call('finishUpsell', { path: { sessionId }, body: { reason }, timeoutMs: 8_000 })
  // the service may be slow; the next page finds out itself where the session belongs
  location.assign(pagePath(outcome.ok ? outcome.data.nextPage : 'user-creation', sessionId))
}

/** T-03: the purchases of an order, which have to be pushed before the page is left. */
function usePurchases(sessionId: string) {
  const pushing = useRef<Promise<void>[]>([])
  return {
    track: (ids: readonly AddOnId[]): void => {
      pushing.current.push(...ids.map((id) => trackPurchase(sessionId, id)))
    },
    pushed: (): Promise<unknown> => Promise.all(pushing.current),
  }
}

/** What went wrong, and with which add-ons. */
function useProblem() {
  const [problem, setProblem] = useState<Trouble | null>(null)
  const [failed, setFailed] = useState<readonly AddOnId[]>([])
  return {
    problem,
    failed,
    tell: (words: Trouble): void => setProblem(words),
    /** What an order came to; undefined: all went well. */
    tellOf(end: OrderOutcome): Trouble | undefined {
      const words = orderTrouble(end)
      setProblem(words ?? null)
      setFailed(end.failures.map(({ productId }) => productId))
      return words
    },
    forget(): void {
      setProblem(null)
      setFailed([])
    },
  }
}

/**
 * What the service lists as bought, where the order cannot tell: a charge whose answer was lost may have succeeded, and
 * what is owned already may be a part of what was ordered (U-08).
 */
async function bought(sessionId: string, end: OrderOutcome): Promise<ProductId[]> {
  const open = end.failures.some(({ trouble: { code, money } }) => money === 'unknown' || code === 'already_owned')
  const found = open && (await call('purchases', { path: { sessionId }, timeoutMs: 8_000 }))
  return found && found.ok ? kept(found.data.items) : []
}
