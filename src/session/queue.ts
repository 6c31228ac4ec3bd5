/**
 * answers are kept in the browser at once (`outbox-store.ts`) and sent to the service when it can be reached:
 * batched, retried with growing waits, handed to a beacon when the page is left, kept across reloads, closed tabs and
 * offline hours.
 */
import { pathOf, api, type AnswerInput, type RequestOf } from '../../contract/api.ts'
import { forgetSession, storedSessionId } from './id.ts'
import { call } from './client.ts'
import { healthGate, learnHealthGate } from './consent.ts'
import { readAnswers } from './answers.ts'
import { healthEvidenceWaits, sendEvidence } from './evidence.ts'
import { isDecided, isSessionLost, isTemporary, type Outcome } from './http.ts'
import { isEmpty, withWrite, WRITE_NAMES, type WriteName } from './outbox.ts'
import { nextBatch, retryWait, withoutAnswers, withoutWrite } from './sending.ts'
import { changeOutbox as change, onQueued, queueAllAnswers, queueWrite, readOutbox as read } from './outbox-store.ts'
import { KEYS, local } from './storage.ts'
import { currentSession } from './visit.ts'

const GATHER_MS = 800

let timer: ReturnType<typeof setTimeout> | undefined
let running: Promise<void> | undefined
let failures = 0
let renewed = false

function schedule(ms: number): void {
  if (typeof window === 'undefined') return
  clearTimeout(timer)
  timer = setTimeout(() => void flushOutbox(), ms)
}

// something was queued on this page; if a retry is already scheduled, it is sent with that
onQueued(() => {
  if (failures === 0) schedule(GATHER_MS)
})

/**
 * S-23: tries a write now and returns the outcome; one that may still succeed stays queued and is tried again later.
 * Null when there is no session yet (the write stays queued).
 */
export async function writeNow<N extends WriteName>(name: N, body: RequestOf<N>): Promise<Outcome<unknown> | null> {
  const at = new Date().toISOString()
  change((outbox) => withWrite(outbox, name, body, at))
  const sessionId = await currentSession()
  if (!sessionId) {
    failed()
    return null
  }
  const outcome = (await untold()) ?? (await call(name, { path: { sessionId }, body }))
  if (isDecided(outcome)) change((outbox) => withoutWrite(outbox, name, at))
  else failed()
  return outcome
}

/** T-02, D-13: the outcome of telling the service what was chosen, where it does not know it before what follows. */
async function untold(): Promise<Outcome<unknown> | null> {
  const outcome = await sendEvidence()
  return outcome && !isDecided(outcome) ? outcome : null
}

function failed(): void {
  failures += 1
  schedule(retryWait(failures, Math.random))
}

/** Sends everything that may be sent. Resolves when nothing is left to do for now; never throws. */
export function flushOutbox(): Promise<void> {
  running ??= drain()
    .catch(failed)
    .finally(() => {
      running = undefined
    })
  return running
}

type Step = 'done' | 'again' | 'later'

async function drain(): Promise<void> {
  for (;;) {
    const outbox = read()
    const batch = healthGate() === 'open' ? nextBatch(outbox) : []
    const names = WRITE_NAMES.filter((name) => outbox.writes[name])
    if (isEmpty(outbox) || (batch.length === 0 && names.length === 0)) break
    const sessionId = await currentSession()
    if (!sessionId) return failed()
    const held = await untold()
    const steps = held
      ? [later(sessionId, held)]
      : [
          ...(batch.length > 0 ? [await sendCovered(sessionId, batch)] : []),
          ...(await Promise.all(names.map((name) => sendWrite(sessionId, name)))),
        ]
    if (steps.includes('later')) return failed()
    failures = 0
    if (!steps.includes('again') && batch.length === 0) break
  }
}

/**
 * D-13: the grant is sent before the answers it covers, because the service drops answers that arrive while the last
 * choice it knows of is a withdrawal. One that was chosen a moment ago may be on its way.
 */
async function sendCovered(sessionId: string, batch: AnswerInput[]): Promise<Step> {
  return healthEvidenceWaits() ? 'later' : sendAnswers(sessionId, batch)
}

/** What follows an outcome that decides nothing. */
const later = (sessionId: string, outcome: Outcome<unknown>): Step =>
  !outcome.ok && isSessionLost(outcome) ? renew(sessionId) : 'later'

async function sendAnswers(sessionId: string, batch: AnswerInput[]): Promise<Step> {
  const outcome = await call('saveAnswers', { path: { sessionId }, body: { answers: batch } })
  if (outcome.ok) {
    change((outbox) => withoutAnswers(outbox, batch))
    return 'done'
  }
  if (isSessionLost(outcome)) return renew(sessionId)
  if (isTemporary(outcome)) return 'later'
  if (batch.length > 1) {
    // one answer that the service refuses must not hold up the others
    const steps = []
    for (const one of batch) steps.push(await sendAnswers(sessionId, [one]))
    return steps.includes('later') ? 'later' : 'done'
  }
  change((outbox) => withoutAnswers(outbox, batch))
  return 'done'
}

async function sendWrite(sessionId: string, name: WriteName): Promise<Step> {
  const entry = read().writes[name]
  if (!entry) return 'done'
  const outcome = await call(name, { path: { sessionId }, body: entry.body as RequestOf<typeof name> })
  if (!isDecided(outcome)) return later(sessionId, outcome)
  change((outbox) => withoutWrite(outbox, name, entry.at))
  return 'done'
}

/**
 * C-01, C-02: sends what this browser has said to the session that it was given just now. Where that one is refused,
 * as without cookies, another one would be, too.
 */
export async function tellNewSession(): Promise<void> {
  renewed = true
  queueVisit()
  await flushOutbox()
}

/** Queues what this visit has said, for a session that has nothing of it yet. */
function queueVisit(): void {
  queueAllAnswers()
  const { email, selectedPrice } = readAnswers()
  if (email) queueWrite('setSessionEmail', { email })
  if (selectedPrice) queueWrite('setPrice', { selectedPrice })
  if (local.get(KEYS.quizCompleted)) queueWrite('completeQuiz', { seconds: Number(local.get(KEYS.quizCompletionTime)) })
}

/** The service does not accept this browser's session: once per page, a new session takes over what is here. */
function renew(lost: string): Step {
  if (storedSessionId(local) !== lost) return 'again'
  if (renewed) return 'later'
  renewed = true
  forgetSession(local)
  queueVisit()
  return 'again'
}

/**
 * Hands what is left to the browser as the page is left or hidden. The next visit sends it again, which changes
 * nothing.
 */
function beacon(): void {
  const sessionId = storedSessionId(local)
  const batch = healthGate() === 'open' && !healthEvidenceWaits() ? nextBatch(read()) : []
  if (!sessionId || batch.length === 0) return
  const body = new Blob([JSON.stringify({ answers: batch })], { type: 'application/json' })
  navigator.sendBeacon?.(pathOf(api.saveAnswers.path, { sessionId }), body)
}

let started = false

/**
 * Starts the outbox on a page: sends what an earlier page left, and listens for the network and the page's end.
 * `healthConsentRegions` comes from the settings (D-13); without it an earlier page's decision holds.
 */
export function startOutbox(healthConsentRegions?: readonly string[]): void {
  const learned = healthConsentRegions ? learnHealthGate(healthConsentRegions) : Promise.resolve()
  void learned.catch(() => undefined).then(() => flushOutbox())
  if (started) return
  started = true
  addEventListener('online', () => {
    failures = 0
    void flushOutbox()
  })
  addEventListener('pagehide', beacon)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') beacon()
    else if (failures === 0) schedule(GATHER_MS)
  })
}
