import { CONSENT_VERSION, consentAsked, PRIVACY_SIGNAL } from '../../contract/consent.ts'
import { browserConfig } from '../session/client.ts'
import { isKeptAs, keepEvidence, opposes } from '../session/evidence.ts'
import * as KEYS from '../session/keys.ts'
import { local } from '../session/storage.ts'

/**
 * What this browser chose about measuring and advertising. Where the visitor's region requires consent, nothing happens
 * before an answer; elsewhere a refusal holds just the same. Stored with the version of the wording: new wording asks
 * again.
 */
export type Choice = 'granted' | 'refused'
const KEY = { advertising: KEYS.advertisingConsent, analytics: KEYS.analyticsConsent } as const
export type Purpose = keyof typeof KEY

export function choiceOf(purpose: Purpose): Choice | null {
  const stored = local.get(KEY[purpose])
  return stored === 'granted' || stored === 'refused' ? stored : null
}

let asked: boolean | undefined
const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone ?? ''

/**
 * Whether the visitor's region requires consent: by the CDN's country, or by the time zone while the service is out of
 * reach.
 */
export async function learnRegion(): Promise<boolean> {
  const config = await browserConfig()
  asked = config.ok
    ? consentAsked(config.data.country, timeZone(), config.data.consentRegions)
    : consentAsked(null, timeZone(), null)
  return asked
}

function allowed(purpose: Purpose): boolean {
  const choice = choiceOf(purpose)
  if (choice) return choice === 'granted'
  if (purpose === 'advertising' && opposes()) return false
  return asked === false
}
export const mayMeasure = (): boolean => allowed('analytics')
export const mayAdvertise = (): boolean => allowed('advertising')

/** Not every browser that signals it to pages sends the header by which the service would hear of it (T-02). */
export function tellSignal(): void {
  if (!opposes() || choiceOf('advertising') || isKeptAs(PRIVACY_SIGNAL)) return
  void keepEvidence([{ kind: 'advertising', granted: false }], PRIVACY_SIGNAL)
}

/** Whether the banner has to ask. */
export function hasToAsk(): boolean {
  const answered = choiceOf('analytics') !== null && choiceOf('advertising') !== null
  return asked === true && !(answered && local.get(KEYS.consentVersion) === CONSENT_VERSION)
}

/** Stores a choice here at once, and as evidence with the service as soon as there is a session. */
export function choose(choices: Record<Purpose, boolean>, wording: string): void {
  for (const purpose of Object.keys(KEY) as Purpose[]) local.set(KEY[purpose], choices[purpose] ? 'granted' : 'refused')
  local.set(KEYS.consentVersion, CONSENT_VERSION)
  void keepEvidence(
    (Object.keys(KEY) as Purpose[]).map((kind) => ({ kind, granted: choices[kind] })),
    wording,
  )
}
