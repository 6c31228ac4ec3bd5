import { GUIDE_IDS, type AddOnId, type GuideId } from '../../contract/catalogue.ts'
import * as VISIT_KEYS from '../session/visit-keys.ts'
import { asRecord, readJson, writeJson, type Store } from '../session/storage.ts'
import { afterPurchase, charges, type Selection } from './selection.ts'

/**
 * What a tab remembers of the add-ons page: the buyer's picks survive a reload, and an interrupted order (a reload, a
 * bank's page, a lost network) is reported when the page opens again. Never a reason to charge anything.
 */
export interface Picks {
  picked: GuideId[]
  /** The order in progress: what it was going to charge, in order. */
  ordering: AddOnId[] | null
}

const guides = (value: unknown): GuideId[] =>
  GUIDE_IDS.filter((id) => Array.isArray(value) && (value as unknown[]).includes(id))

export function readPicks(store: Store, sessionId: string): Picks | undefined {
  return readJson(store, VISIT_KEYS.upsellPicks, (value) => {
    const found = asRecord(value)
    if (found?.['sessionId'] !== sessionId) return undefined
    const ordering = found['ordering']
    const bundle = Array.isArray(ordering) && ordering.includes('bundle')
    const ids: AddOnId[] = bundle ? ['bundle'] : guides(ordering)
    return { picked: guides(found['picked']), ordering: ids.length > 0 ? ids : null }
  })
}

export function savePicks(store: Store, sessionId: string, picks: Picks): void {
  writeJson(store, VISIT_KEYS.upsellPicks, { sessionId, ...picks })
}

export function forgetPicks(store: Store): void {
  store.remove(VISIT_KEYS.upsellPicks)
}

/** How far an interrupted order had come: null when there was none, or nothing is left of it. */
export function cutShort(
  picks: Picks | undefined,
  selection: Pick<Selection, 'owned'>,
): { done: number; of: number; left: AddOnId[] } | null {
  if (!picks?.ordering) return null
  const owned: readonly string[] = selection.owned
  const isOwned = (id: AddOnId): boolean => (id === 'bundle' ? owned.length === GUIDE_IDS.length : owned.includes(id))
  const left = picks.ordering.filter((id) => !isOwned(id))
  return left.length === 0 ? null : { done: picks.ordering.length - left.length, of: picks.ordering.length, left }
}

/** The selection that goes on: the remembered picks that are still for sale. */
export function resumed(owned: readonly GuideId[], picks: Picks): Selection {
  return afterPurchase({ owned: [], picked: picks.picked }, owned)
}

/** The picks of a selection that is about to be ordered. */
export function ordering(selection: Selection): Picks {
  return { picked: [...selection.picked], ordering: charges(selection) }
}
