import type { ConsentKind, ConsentRequest } from '../../contract/api.ts'
import { CONSENT_VERSION, PRIVACY_SIGNAL } from '../../contract/consent.ts'
import { UUIDS } from '../../contract/uuid.ts'
import { call } from './client.ts'
import { isDecided, type Outcome } from './http.ts'
import { storedSessionId } from './id.ts'
import * as KEYS from './keys.ts'
import { asRecord, local, readJson, writeJson } from './storage.ts'

/**
 * Evidence of consents: the last request about health answers and the last of the banner, each with its own words and
 * page. Kept in this browser after the service has it, because the choices hold for the next session too.
 */
interface Evidence extends ConsentRequest {
  chosenAt: string
  /** The session for which it was chosen; empty before there is one. */
  of?: string
  /** The session that was told; empty once a sign-out has ended it. */
  told?: string
}

// health first: answers wait for it
const KEPT = [KEYS.healthEvidence, KEYS.consentPending] as const

const asEvidence = (value: unknown): Evidence | undefined =>
  Array.isArray(asRecord(value)?.choices) ? (value as Evidence) : undefined

const keptAs = (key: string): Evidence | undefined => readJson(local, key, asEvidence)

/** The browser signals that its user wants no advertising (Global Privacy Control). */
export const opposes = (): boolean => (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true

/** What the session of this browser has not been told; a signal that it no longer gives is no choice of its user. */
function waitingAs(key: string): Evidence | undefined {
  const kept = keptAs(key)
  if (kept?.wording === PRIVACY_SIGNAL && !opposes()) return undefined
  return kept?.told === (storedSessionId(local) ?? '') ? undefined : kept
}

/**
 * Queues evidence of choices, with the wording shown on the page and its version; either about health answers or those
 * of the banner. The latest wins. Resolves once sending has been attempted.
 */
export async function keepEvidence(
  choices: { kind: ConsentKind; granted: boolean }[],
  wording: string,
  version: string = CONSENT_VERSION,
): Promise<void> {
  const request: Evidence = {
    choices,
    wording: wording.slice(0, 4_000),
    version,
    page: location.pathname.replace(UUIDS, ':id'),
    chosenAt: new Date().toISOString(),
    of: storedSessionId(local) ?? '',
  }
  writeJson(local, choices[0]?.kind === 'health' ? KEYS.healthEvidence : KEYS.consentPending, request)
  await sendEvidence()
}

/** Whether the banner's last evidence has these words. */
export const isKeptAs = (wording: string): boolean => keptAs(KEYS.consentPending)?.wording === wording

/**
 * D-13: whether the last choice about health answers was of words of this version, a date. One without evidence counts,
 * as does the month that all evidence named until 2026-11.
 */
export const isOfVersion = (version: string): boolean => version.startsWith(keptAs(KEYS.healthEvidence)?.version ?? '')

/** D-13: while a choice about health answers waits here, the service may still act on the previous one. */
export const healthEvidenceWaits = (): boolean =>
  KEPT.some((key) => waitingAs(key)?.choices.some(({ kind }) => kind === 'health'))

let last: Promise<Outcome<unknown> | null> = Promise.resolve(null)

/**
 * Sends what waits, one call after the other; null when there was nothing to send or no session. If the service is out
 * of reach it stays for the next try, as does a choice made while an earlier one was being sent.
 */
export function sendEvidence(): Promise<Outcome<unknown> | null> {
  return (last = last.then(sendWaiting))
}

async function sendWaiting(): Promise<Outcome<unknown> | null> {
  const sessionId = storedSessionId(local)
  let outcome: Outcome<unknown> | null = null
  for (const key of KEPT) {
    const kept = waitingAs(key)
    if (!sessionId || !kept) continue
    const { told, of, chosenAt, ...request } = kept
    // chosen for another session, or before one was known: what this one has chosen since, in another browser, stays
    const body = told === undefined && of === sessionId ? request : { ...request, chosenAt }
    outcome = await call('recordConsent', { path: { sessionId }, body, keepalive: true })
    if (!isDecided(outcome)) break
    if (JSON.stringify(keptAs(key)) === JSON.stringify(kept)) writeJson(local, key, { ...kept, told: sessionId })
  }
  return outcome
}
