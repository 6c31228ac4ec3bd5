import { forgetOtherWords, learnHealthGate, setHealthConsent } from '../session/consent.ts'
import { keepEvidence } from '../session/evidence.ts'
import { storedSessionId } from '../session/id.ts'
import { queueAllAnswers } from '../session/outbox-store.ts'
import { flushOutbox, startOutbox, writeNow } from '../session/queue.ts'
import { KEYS, local, visit, VISIT_KEYS } from '../session/storage.ts'
import { startVisit } from '../session/visit.ts'
import { trackLead } from '../tracking/tracking.ts'
import type { Consent } from './quiz-state.ts'

export { flushOutbox }

/** S-23: the error text in the specification for each of the three writes. */
const EMAIL_WRITES = [
  ['setSessionEmail', 'Error updating sessions table'],
  ['setPaymentsEmail', 'Error updating payments table'],
  ['setUsersEmail', 'Error updating users table'],
] as const

/** S-23: the three writes in parallel; a failed one logs its error here and is retried from the outbox. */
export function writeEmail(email: string): void {
  const sessionId = storedSessionId(local)
  if (sessionId) trackLead(sessionId)
  for (const [name, complaint] of EMAIL_WRITES) {
    void writeNow(name, { email }).then((outcome) => {
      // without a session there was no call; the write waits for one
      if (outcome && !outcome.ok) console.error(complaint)
    })
  }
}

/** The version of the words beside the checkbox (settings.consentVersion). */
const version = () => document.querySelector<HTMLElement>('main')?.dataset.consent

/**
 * D-13: after a grant, waiting answers may be sent (the outbox sends the grant first); a withdrawal erases what was
 * sent.
 */
export async function writeConsent(given: boolean): Promise<void> {
  setHealthConsent(given)
  // evidence: the exact words beside the checkbox
  const words = document.querySelector('.welcome-consent label')?.textContent?.trim()
  await keepEvidence([{ kind: 'health', granted: given }], words || 'health answers', version())
  if (!given) return
  // an earlier withdrawal erased what had been sent
  queueAllAnswers()
  void flushOutbox()
}

/** D-01, D-13: session and outbox for this page; returns whether this visitor's region requires the checkbox. */
export async function beginVisit(healthConsentRegions: readonly string[]): Promise<Consent> {
  // the tab's flag from the second specification; set here because the landing page's script has a byte budget
  void startVisit().then((id) => id && visit.set(VISIT_KEYS.sessionInitialized, '1'))
  forgetOtherWords(version() ?? '')
  startOutbox(healthConsentRegions)
  const gate = await learnHealthGate(healthConsentRegions).catch(() => 'unknown' as const)
  if (gate === 'ask' || gate === 'refused') return 'asked'
  return gate === 'open' && local.get(KEYS.healthConsent) === 'granted' ? 'given' : 'not_asked'
}
