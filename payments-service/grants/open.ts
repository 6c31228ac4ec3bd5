import { GUIDE_IDS, isAddOnId, product, PRODUCT_IDS, type ProductId } from '../../contract/catalogue.ts'
import type { Database } from '../../db/connect.ts'

/** What the live grants of some visits open (P-12). */
export interface Opened {
  programme: boolean
  /** Guides that may be read, in the order of the catalogue; the bundle opens all of them and its own page. */
  guides: ProductId[]
}

const PROGRAMME = new Set(['trial', 'special_offer', 'monthly'])

/** Asked on every request for content: without a live grant nothing is served. */
export async function openedBy(db: Database, sessionIds: readonly string[]): Promise<Opened> {
  if (sessionIds.length === 0) return { programme: false, guides: [] }
  const rows = await db
    .selectFrom('product_access_grants')
    .select('product_id')
    .where('session_id', 'in', sessionIds)
    .where('revoked_at', 'is', null)
    .execute()
  return openedFrom(rows.map(({ product_id }) => product_id))
}

/** The same from product ids; unknown ids open nothing. */
export function openedFrom(ids: readonly string[]): Opened {
  const owned = PRODUCT_IDS.filter((id) => ids.includes(id))
  const bundle = owned.includes('bundle')
  return {
    programme: owned.some((id) => PROGRAMME.has(product(id).kind)),
    guides: bundle ? ['bundle', ...GUIDE_IDS] : owned.filter(isAddOnId),
  }
}
