import type { QuizAnswers } from '../../contract/quiz.ts'
import { readAnswers, saveAnswer } from '../session/answers.ts'
import { storedSessionId } from '../session/bootstrap.ts'
import { learnHealthGate, setHealthConsent } from '../session/consent.ts'
import { flushOutbox, queueWrite, startOutbox, writeNow } from '../session/queue.ts'
import { KEYS, local, visit, VISIT_KEYS, writeJson } from '../session/storage.ts'
import { startVisit } from '../session/visit.ts'
import type { Consent, QuizWorld } from './quiz.store.ts'

/** How long leaving for the checkout waits for writes that are under way; what is not sent by then is sent from there. */
const LAST_WRITES_MS = 600

/** S-23: the words of the specification for each of the three writes. */
const EMAIL_WRITES = [
  ['setSessionEmail', 'Error updating sessions table'],
  ['setPaymentsEmail', 'Error updating payments table'],
  ['setUsersEmail', 'Error updating users table'],
] as const

function entriesBehind(): number {
  const depth = (history.state as { quiz?: unknown } | null)?.quiz
  return typeof depth === 'number' ? depth : 0
}

/** The browser as the quiz sees it. */
export const browserWorld: QuizWorld = {
  query: () => new URLSearchParams(location.search),
  // the state counts how many entries of the quiz lie behind this one
  go(address, replace) {
    const depth = entriesBehind()
    if (replace) history.replaceState({ quiz: depth }, '', address)
    else history.pushState({ quiz: depth + 1 }, '', address)
  },
  canGoBack: () => entriesBehind() > 0,
  goBack: () => history.back(),
  leave: (path) => {
    const late = new Promise((done) => setTimeout(done, LAST_WRITES_MS))
    void Promise.race([flushOutbox(), late]).then(() => location.assign(path))
  },
  readAnswers: () => readAnswers(),
  saveAnswer,
  keepAnswers: (answers: QuizAnswers) => writeJson(local, KEYS.answers, answers),
  readPlace: () => local.get(KEYS.quizPlace),
  keepPlace: (place) => local.set(KEYS.quizPlace, String(place)),
  forgetPlace() {
    local.remove(KEYS.quizPlace)
    local.remove(KEYS.quizStartedAt)
  },
  startedAt(now) {
    const stored = Number(local.get(KEYS.quizStartedAt))
    if (stored > 0 && stored <= now) return stored
    local.set(KEYS.quizStartedAt, String(now))
    return now
  },
  keepCompletion(seconds) {
    // passed again after Back: the first time counts
    if (local.get(KEYS.quizCompleted) === 'true') return
    local.set(KEYS.quizCompleted, 'true')
    local.set(KEYS.quizCompletionTime, String(seconds))
    queueWrite('completeQuiz', { seconds })
  },
  sendEmail(email) {
    local.set(KEYS.quizEmail, email)
    local.set(KEYS.customerEmail, email)
    visit.set(VISIT_KEYS.customerEmail, email)
    for (const [name, complaint] of EMAIL_WRITES) {
      void writeNow(name, { email }).then((outcome) => {
        // without a session there was no call; the write waits for one
        if (outcome && !outcome.ok) console.error(complaint)
      })
    }
  },
  sendPrice: (selectedPrice) => queueWrite('setPrice', { selectedPrice }),
  sessionId: () => storedSessionId(local),
  setConsent(given) {
    setHealthConsent(given)
    if (given) void flushOutbox()
  },
  random: Math.random,
  now: Date.now,
  after(ms, work) {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
}

/** D-01, D-13: the session, the outbox, and whether this visitor's region asks for a tick. Never throws. */
export async function beginVisit(healthConsentRegions: readonly string[]): Promise<Consent> {
  void startVisit()
  startOutbox(healthConsentRegions)
  const gate = await learnHealthGate(healthConsentRegions).catch(() => 'unknown' as const)
  if (gate === 'ask' || gate === 'refused') return 'asked'
  return gate === 'open' && local.get(KEYS.healthConsent) === 'granted' ? 'given' : 'not_asked'
}
