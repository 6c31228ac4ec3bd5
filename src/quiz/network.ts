import { queueAllAnswers } from '../session/answers.ts'
import { learnHealthGate, setHealthConsent } from '../session/consent.ts'
import { keepEvidence } from '../session/evidence.ts'
import { storedSessionId } from '../session/id.ts'
import { flushOutbox, startOutbox, writeNow } from '../session/queue.ts'
import { KEYS, local, visit, VISIT_KEYS } from '../session/storage.ts'
import { startVisit } from '../session/visit.ts'
import { trackLead } from '../tracking/tracking.ts'
import type { Consent } from './quiz.store.ts'

export { flushOutbox }

/** S-23: the words of the specification for each of the three writes. */
const EMAIL_WRITES = [
  ['setSessionEmail', 'Error updating sessions table'],
  ['setPaymentsEmail', 'Error updating payments table'],
  ['setUsersEmail', 'Error updating users table'],
] as const

/** S-23: the three writes at once; a failed one logs its error here and is tried again from the outbox. */
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

/**
 * D-13: after a grant, what waited may leave (the outbox sends the grant first); a withdrawal erases what has left.
 */
export async function writeConsent(given: boolean): Promise<void> {
  setHealthConsent(given)
  // evidence: the very words beside the tick
  const words = document.querySelector('.welcome-consent label')?.textContent?.trim()
  await keepEvidence([{ kind: 'health', granted: given }], words || 'health answers')
  if (!given) return
  // an earlier withdrawal erased what had been sent
  queueAllAnswers()
  void flushOutbox()
}

/** D-01, D-13: session and outbox for this page; says whether this visitor's region asks for a tick. */
export async function beginVisit(healthConsentRegions: readonly string[]): Promise<Consent> {
  // the second text's flag of the tab; it stands here, because the landing page's script is counted in bytes
  void startVisit().then((id) => id && visit.set(VISIT_KEYS.sessionInitialized, '1'))
  startOutbox(healthConsentRegions)
  const gate = await learnHealthGate(healthConsentRegions).catch(() => 'unknown' as const)
  if (gate === 'ask' || gate === 'refused') return 'asked'
  return gate === 'open' && local.get(KEYS.healthConsent) === 'granted' ? 'given' : 'not_asked'
}
