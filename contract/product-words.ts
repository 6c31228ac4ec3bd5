import { product, TRIAL_DAYS, type ProductId } from './catalogue.ts'

/** The product as a buyer knows it, without its amount, which is shown beside it. */
export function productWords(id: ProductId): string {
  const { kind, name } = product(id)
  if (kind === 'trial') return `${TRIAL_DAYS}-day trial`
  return kind === 'special_offer' ? 'First month' : name
}
