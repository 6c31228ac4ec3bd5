import { type ProductId, resolveProductId } from '../../contract/catalogue.ts'
import type { Intent } from '../stripe/objects.ts'
import type { IntentRow } from './intents.queries.ts'

/** The product that an intent names, else the one of its row; null where the catalogue has neither. */
export function paidProduct(row: Pick<IntentRow, 'product_id'>, intent: Pick<Intent, 'metadata'>): ProductId | null {
  return resolveProductId(intent.metadata['product_id'] ?? '') ?? resolveProductId(row.product_id) ?? null
}
