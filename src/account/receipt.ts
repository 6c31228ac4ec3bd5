import type { PurchasedItem } from '../../contract/api.ts'
import { isAddOnId, product, type AddOnId, type ProductKind } from '../../contract/catalogue.ts'
import type { AddOnCopy } from '../../contract/content.ts'
import { formatMoney } from '../../contract/money.ts'
import { productWords } from '../../contract/product-words.ts'

/** One line of the thank-you page. */
export interface ReceiptItem {
  key: string
  name: string
  emoji: string
  description: string
  /** As it is read: "$14.90", or "Priceless" where nothing was found. */
  price: string
  /** H-05: the add-on while it can be taken back, or is being taken back. */
  undo?: PurchasedItem & { productId: AddOnId }
}

/** The parts of the programme: its name is what was bought, and which part is said below it. */
const PERIODS: readonly string[] = ['trial', 'special_offer', 'monthly'] satisfies ProductKind[]

/** what was bought, in the order of purchase; the programme without a price when nothing is found. */
export function receiptOf(
  items: readonly PurchasedItem[],
  copy: { programme: string; addOns: readonly AddOnCopy[] },
): ReceiptItem[] {
  const lines = [...items]
    .sort((a, b) => a.purchasedAt.localeCompare(b.purchasedAt))
    .map((item): ReceiptItem => {
      const { productId, amount } = item
      const addOn = copy.addOns.find(({ id }) => id === productId)
      const { kind, name } = product(productId)
      const period = PERIODS.includes(kind) ? productWords(productId) : undefined
      return {
        key: productId,
        name: addOn?.name ?? (period ? copy.programme : name),
        emoji: addOn?.emoji ?? '👁️',
        description: addOn?.description ?? period ?? '',
        price: formatMoney(amount),
        ...(isAddOnId(productId) && (item.undoSeconds || item.undoing) ? { undo: { ...item, productId } } : {}),
      }
    })
  if (lines.length > 0) return lines
  return [{ key: 'programme', name: copy.programme, emoji: '👁️', description: '', price: 'Priceless' }]
}
