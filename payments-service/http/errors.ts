import { type ErrorCode, errorOf, waitWords } from '../../contract/errors.ts'
import type { ShownTerms } from '../../contract/terms.ts'

export interface AppErrorOptions {
  /** The part of the body or path that was wrong. */
  field?: string
  /** Replaces the code's words, for messages with a placeholder ({reason}, {status}). Never internals. */
  message?: string
  cause?: unknown
  /** Seconds after which trying again makes sense (429, 503). */
  retryAfter?: number
  /** What would be charged now (terms_changed). */
  terms?: ShownTerms
}

/** The message of too_many_requests, with the wait. */
function wordsWithWait(code: ErrorCode, seconds: number | undefined): string | undefined {
  if (code !== 'too_many_requests' || seconds === undefined) return undefined
  return `That was a lot at once. Please try again ${waitWords(seconds)}. Nothing was charged.`
}

/** A business error: a stable code of the contract. Status and words follow from the code. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly field: string | undefined
  readonly retryAfter: number | undefined
  readonly terms: ShownTerms | undefined

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    const { status, words } = errorOf(code)
    super(
      options.message ?? wordsWithWait(code, options.retryAfter) ?? words,
      options.cause === undefined ? undefined : { cause: options.cause },
    )
    this.name = 'AppError'
    this.code = code
    this.status = status
    this.field = options.field
    this.retryAfter = options.retryAfter
    this.terms = options.terms
  }
}
