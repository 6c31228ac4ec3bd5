import { DEFAULT_TRIAL } from './catalogue.ts'
import type { Settings } from './content.ts'
import { catalogueValues, fill, type PlaceholderValues } from './placeholders.ts'

type Named = Pick<Settings, 'productName' | 'company' | 'contactEmail'>

const known = new WeakMap<Named, PlaceholderValues>()

/**
 * The values that are known when a page is built: settings and prices, without the trial
 * price that the visitor chooses.
 */
export function builtValues(settings: Named): PlaceholderValues {
  const before = known.get(settings)
  if (before) return before
  const { trialPrice: _price, trialSaving: _saving, ...values } = catalogueValues(DEFAULT_TRIAL)
  const built = {
    ...values,
    product: settings.productName,
    company: settings.company.name,
    contactEmail: settings.contactEmail,
  }
  known.set(settings, built)
  return built
}

/**
 * Content with every text filled (K-02). Placeholders that only the browser knows ({ageGroup}, {trialPrice} …) are left
 * for it.
 */
export function filled<T>(content: T, values: PlaceholderValues): T {
  // most texts have no placeholder, and there may be thousands of pages of them
  if (typeof content === 'string') return (content.includes('{') ? fill(content, values) : content) as T
  if (Array.isArray(content)) return content.map((item: unknown) => filled(item, values)) as T
  if (content === null || typeof content !== 'object') return content
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(content)) copy[key] = filled(value as unknown, values)
  return copy as T
}
