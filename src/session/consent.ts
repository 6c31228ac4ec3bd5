import { browserConfig } from './client.ts'
import { isOfVersion } from './evidence.ts'
import { KEYS, local } from './storage.ts'

/**
 * D-13: answers about health leave the browser only with the consent that the visitor's region asks for. Until then
 * they stay local and the quiz works.
 *
 * unknown: the region is not known yet (held back); ask: the visitor's region asks, and there is no answer yet (held
 * back); refused: held back; open: granted, or not asked for here.
 */
export type HealthGate = 'unknown' | 'ask' | 'refused' | 'open'

/**
 * Whether a list of countries and states ('DE', 'US-WA') covers a visitor. Only the country is known, so a state counts
 * for its whole country; an unknown country counts as covered, because asking once too often does no harm.
 */
export function isCovered(regions: readonly string[], visitor: { country: string | null }): boolean {
  if (regions.length === 0) return false
  const country = visitor.country?.toUpperCase()
  return !country || regions.some((region) => region === country || region.startsWith(`${country}-`))
}

/** What the stored value and the region together allow. */
export function healthGateOf(stored: string | null, required: boolean | undefined): HealthGate {
  if (stored === 'granted') return 'open'
  if (stored === 'refused') return 'refused'
  if (required === undefined) return stored === 'not_required' ? 'open' : 'unknown'
  return required ? 'ask' : 'open'
}

let required: boolean | undefined

export function healthGate(): HealthGate {
  return healthGateOf(local.get(KEYS.healthConsent), required)
}

/**
 * Finds out whether this visitor has to be asked (settings.healthConsentRegions against the CDN's country). Welcome
 * shows the checkbox when the answer is 'ask'. If the service does not answer, the gate stays 'unknown'.
 */
export async function learnHealthGate(regions: readonly string[]): Promise<HealthGate> {
  if (regions.length === 0) required = false
  else {
    const config = await browserConfig()
    if (config.ok) required = isCovered(regions, config.data)
  }
  const stored = local.get(KEYS.healthConsent)
  if (required === false && stored === null) local.set(KEYS.healthConsent, 'not_required')
  if (required && stored === 'not_required') local.remove(KEYS.healthConsent)
  return healthGate()
}

/** A grant of other words is none: the gate asks again. `version`: of the words on the page. */
export function forgetOtherWords(version: string): void {
  if (local.get(KEYS.healthConsent) === 'granted' && !isOfVersion(version)) local.remove(KEYS.healthConsent)
}

/** Remembers the visitor's choice. Call flushOutbox() (queue.ts) after a grant. */
export function setHealthConsent(granted: boolean): void {
  local.set(KEYS.healthConsent, granted ? 'granted' : 'refused')
}
