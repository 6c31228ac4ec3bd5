import { parseAttribution } from '../../contract/attribution.ts'
import { CAMPAIGN_KEYS, type Known } from '../../contract/condition.ts'
import type { QuizAnswers } from '../../contract/quiz.ts'
import { readAnswers } from '../session/answers.ts'
import { queueWrite, saveAnswer } from '../session/outbox-store.ts'
import { arrivedWith, asRecord, KEYS, local, readJson, visit, VISIT_KEYS, writeJson } from '../session/storage.ts'
import type { Consent } from './quiz-state.ts'
import type { QuizWorld } from './quiz-world.ts'

/** The code that talks to the service loads after the first screen is alive; answers wait in the outbox until then. */
const network = () => import('./network.ts')

/** How long leaving for the checkout waits for writes in progress; the checkout sends what is left. */
const LAST_WRITES_MS = 600

function entriesBehind(): number {
  const depth = (history.state as { quiz?: unknown } | null)?.quiz
  return typeof depth === 'number' ? depth : 0
}

/**
 * D-08: marks which step is on the screen, and since when. The page's tracking arrives later and takes what it missed
 * from these marks.
 */
export function markStep(): void {
  performance.mark('step', { detail: new URLSearchParams(location.search).get('step') })
}

/** Remembered until the page is loaded anew, whatever is withdrawn meanwhile: no step goes while the quiz is on. */
let campaign: Known | undefined

/** Of one touch: this page's address, else the last one kept. A mixture would change what is shown after a reload. */
function readCampaign(): Known {
  const here = parseAttribution(new URLSearchParams(arrivedWith))
  if (Object.keys(here).length > 0) return here
  return (
    asRecord(readJson(local, KEYS.lastTouch, asRecord)?.parameters) ??
    Object.fromEntries(CAMPAIGN_KEYS.map((key) => [key, local.get(key) ?? undefined]))
  )
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
    // a navigation without a network ends on the browser's own error page; the visitor waits here instead
    if (!navigator.onLine) {
      const here = location.href
      // a property, not a listener: however often it is pressed, one leaves
      ononline = () => {
        ononline = null
        if (location.href === here) browserWorld.leave(path)
      }
      return false
    }
    ononline = null
    const late = new Promise((done) => setTimeout(done, LAST_WRITES_MS))
    const sent = network().then((network) => network.flushOutbox())
    // what was not sent stays in the outbox of the next page
    void Promise.race([sent.catch(() => undefined), late]).then(() => location.assign(path))
    return true
  },
  readAnswers: () => readAnswers(),
  campaign: () => (campaign ??= readCampaign()),
  saveAnswer,
  keepAnswers: (answers: QuizAnswers) => writeJson(local, KEYS.answers, answers),
  stepKeys: () => document.getElementById('main')?.dataset.steps?.split(' ') ?? [],
  readPlace: () => local.get(KEYS.quizPlace),
  keepPlace: (place) => local.set(KEYS.quizPlace, place),
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
    network().then(
      ({ writeEmail }) => writeEmail(email),
      // no network: the three writes are queued, as answers are
      () => {
        queueWrite('setSessionEmail', { email })
        queueWrite('setPaymentsEmail', { email })
        queueWrite('setUsersEmail', { email })
      },
    )
  },
  sendPrice: (selectedPrice) => queueWrite('setPrice', { selectedPrice }),
  sessionId: () => local.get(KEYS.sessionId),
  setConsent(given) {
    // D-13: set at once, or leaving right after a withdrawal would lose it
    local.set(KEYS.healthConsent, given ? 'granted' : 'refused')
    void network().then(
      ({ writeConsent }) => writeConsent(given),
      // that file is here: without it nobody would have been asked
      () => undefined,
    )
  },
  random: Math.random,
  now: Date.now,
  after(ms, work) {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
}

/** D-01, D-13: the session, the outbox, and whether this visitor's region requires the checkbox. Never throws. */
export async function beginVisit(healthConsentRegions: readonly string[]): Promise<Consent> {
  try {
    return await (await network()).beginVisit(healthConsentRegions)
  } catch {
    return 'not_asked'
  }
}
