import type { ConsentKind, ConsentRequest } from '../../contract/api.ts'
import { CONSENT_VERSION } from '../../contract/consent.ts'
import { UUIDS } from '../../contract/uuid.ts'
import { call } from './client.ts'
import { isDecided, type Outcome } from './http.ts'
import { storedSessionId } from './id.ts'
import * as KEYS from './keys.ts'
import { asRecord, local, readJson, writeJson } from './storage.ts'

/** Evidence of consents: kept in this browser until the service has it, over pages and offline hours. */

const asRequest = (value: unknown): ConsentRequest | undefined =>
  Array.isArray(asRecord(value)?.choices) ? (value as ConsentRequest) : undefined

const waiting = (): ConsentRequest | undefined => readJson(local, KEYS.consentPending, asRequest)

/**
 * Queues evidence of choices, with the wording shown on the page. Until it is sent, the latest choice of a kind wins.
 * Resolves once sending has been attempted.
 */
export async function keepEvidence(choices: { kind: ConsentKind; granted: boolean }[], wording: string): Promise<void> {
  const kinds = new Set(choices.map(({ kind }) => kind))
  const request: ConsentRequest = {
    choices: [...(waiting()?.choices ?? []).filter(({ kind }) => !kinds.has(kind)), ...choices],
    wording: wording.slice(0, 4_000),
    version: CONSENT_VERSION,
    page: location.pathname.replace(UUIDS, ':id'),
  }
  writeJson(local, KEYS.consentPending, request)
  await sendEvidence()
}

/** D-13: while a choice about health answers waits here, the service may still act on the previous one. */
export const healthEvidenceWaits = (): boolean => waiting()?.choices.some(({ kind }) => kind === 'health') ?? false

/**
 * Sends what waits; null when there was nothing to send or no session. If the service is out of reach it stays for the
 * next try, as does a choice made while an earlier one was being sent.
 */
export async function sendEvidence(): Promise<Outcome<unknown> | null> {
  const request = waiting()
  const sessionId = storedSessionId(local)
  if (!request || !sessionId) return null
  const outcome = await call('recordConsent', { path: { sessionId }, body: request, keepalive: true })
  if (isDecided(outcome) && JSON.stringify(waiting()) === JSON.stringify(request)) local.remove(KEYS.consentPending)
  return outcome
}
