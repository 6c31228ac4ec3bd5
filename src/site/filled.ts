import { DEFAULT_TRIAL } from '../../contract/catalogue.ts'
import type { Settings } from '../../contract/content.ts'
import { catalogueValues, fill, type PlaceholderValues } from '../../contract/placeholders.ts'

/** The values that are known when a page is built: settings and prices, without the trial price that the visitor chooses. */
export function builtValues(settings: Pick<Settings, 'productName' | 'company' | 'contactEmail'>): PlaceholderValues {
  const { trialPrice: _price, trialSaving: _saving, ...values } = catalogueValues(DEFAULT_TRIAL)
  return {
    ...values,
    product: settings.productName,
    company: settings.company.name,
    contactEmail: settings.contactEmail,
  }
}

/** Content with every text filled (K-02). What only the browser knows ({ageGroup}, {trialPrice} …) stays for it to fill. */
export function filled<T>(content: T, values: PlaceholderValues): T {
  if (typeof content === 'string') return fill(content, values) as T
  if (Array.isArray(content)) return content.map((item: unknown) => filled(item, values)) as T
  if (content === null || typeof content !== 'object') return content
  return Object.fromEntries(Object.entries(content).map(([key, value]) => [key, filled(value as unknown, values)])) as T
}
