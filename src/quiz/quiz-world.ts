import type { Known } from '../../contract/condition.ts'
import type { QuizAnswers, Random } from '../../contract/quiz.ts'

/** What the quiz needs from the browser: world.ts provides the real one, tests bring their own. */
export interface QuizWorld {
  /** The query of the address. */
  query(): URLSearchParams
  /** Adds or replaces a history entry. */
  go(address: string, replace: boolean): void
  /** Whether the entry before this one is the quiz's own. */
  canGoBack(): boolean
  goBack(): void
  /**
   * Leaves the quiz for another page, after giving writes in progress a moment to finish. False without a network: it
   * stays until there is one, and may be asked again.
   */
  leave(path: string): boolean
  readAnswers(): QuizAnswers
  /** L-06: the parameters of the advertisement that brought the visitor, as far as this browser knows them. */
  campaign(): Known
  /** Browser at once, service later. Returns all answers. */
  saveAnswer(key: string, value: unknown): QuizAnswers
  /** Browser only. */
  keepAnswers(answers: QuizAnswers): void
  /** The keys that editors' steps have, in their order. */
  stepKeys(): readonly string[]
  /** the step a visitor was on, as stored: its place and its key. */
  readPlace(): string | null
  keepPlace(place: string): void
  /** Also forgets when the quiz was started. */
  forgetPlace(): void
  /** Milliseconds; remembers the first start of the quiz. */
  startedAt(now: number): number
  /** */
  keepCompletion(seconds: number): void
  /** S-23: keeps the address and starts its three writes; never waits. */
  sendEmail(email: string): void
  sendPrice(dollars: number): void
  sessionId(): string | null
  setConsent(given: boolean): void
  random: Random
  now(): number
  /** Runs work later; returns how to call it off. */
  after(ms: number, work: () => void): () => void
}
