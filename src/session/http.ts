import type { ErrorCode } from '../../contract/errors.ts'
import type { ShownTerms } from '../../contract/terms.ts'

/**
 * One request to the service, with every outcome as a value: nothing here throws, so each page has to handle a lost
 * network.
 */
export type Outcome<T> = Success<T> | Failure

export interface Success<T> {
  ok: true
  /** 202 = not decided yet, ask again. */
  status: number
  data: T
}

export interface Failure {
  ok: false
  /**
   * refused: the service answered with a stable code; network: no answer; timeout: none in time; unreadable: an answer
   * that is not ours (a proxy's page).
   */
  kind: 'refused' | 'network' | 'timeout' | 'unreadable'
  /** HTTP status, 0 without an answer. */
  status: number
  code: ErrorCode | null
  /** The service's message for a person (an error code's message, or the payment provider's for a buyer). */
  words: string | null
  /** The part of the body or path that was wrong (422). */
  field: string | null
  requestId: string | null
  /** With terms_changed: what would be charged now. */
  terms?: ShownTerms
}

export interface RequestOptions {
  timeoutMs?: number
  signal?: AbortSignal
  /** Lets the request outlive the page. */
  keepalive?: boolean
}

/** The service answers within 30 s even when Stripe is slow (then 202). */
const TIMEOUT_MS = 35_000

/** The trace that the service began with this page's first request; none unless it makes traces. */
let trace: string | undefined

const failure = (kind: Failure['kind'], status = 0): Failure => ({
  ok: false,
  kind,
  status,
  code: null,
  words: null,
  field: null,
  requestId: null,
})

/**
 * Sends JSON to the service on the same origin. Never throws; the body of the answer is
 * parsed as JSON, 204 as undefined.
 */
export async function request<T>(
  method: string,
  path: string,
  body?: unknown,
  options: RequestOptions = {},
): Promise<Outcome<T>> {
  const timer = new AbortController()
  const late = setTimeout(() => timer.abort(), options.timeoutMs ?? TIMEOUT_MS)
  const stop = (): void => timer.abort()
  options.signal?.addEventListener('abort', stop)
  try {
    const response = await fetch(path, {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      signal: timer.signal,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(trace ? { traceparent: trace } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(options.keepalive ? { keepalive: true } : {}),
    })
    trace ??= /traceparent;desc="(.+?)"/.exec(response.headers.get('server-timing') ?? '')?.[1]
    const text = await response.text()
    let json: unknown
    try {
      json = text ? JSON.parse(text) : undefined
    } catch {
      return failure('unreadable', response.status)
    }
    if (response.ok) return { ok: true, status: response.status, data: json as T }
    const error = (json as { error?: Record<string, unknown> } | undefined)?.error
    if (typeof error?.code !== 'string') return failure('unreadable', response.status)
    const string = (value: unknown): string | null => (typeof value === 'string' ? value : null)
    return {
      ...failure('refused', response.status),
      code: error.code as ErrorCode,
      words: string(error.message),
      field: string(error.field),
      requestId: string(error.requestId),
      ...(error.terms ? { terms: error.terms as ShownTerms } : {}),
    }
  } catch {
    return failure(timer.signal.aborted && !options.signal?.aborted ? 'timeout' : 'network')
  } finally {
    clearTimeout(late)
    options.signal?.removeEventListener('abort', stop)
  }
}

/**
 * Whether what was asked for may have happened all the same: no answer, a proxy's page, or a service that broke on the
 * way or lost the payment provider's answer. No page may say then that nothing was changed or charged.
 */
export function mayHaveHappened(failed: Failure): boolean {
  return failed.kind !== 'refused' || failed.status >= 500
}

/** Whether the same request may well succeed a little later: no answer, a proxy's page, too many requests, a 5xx. */
export function isTemporary(failed: Failure): boolean {
  return mayHaveHappened(failed) || failed.status === 429
}

/** Whether the service says that this browser does not hold the session (cookies cleared, unknown id). */
export function isSessionLost(failed: Failure): boolean {
  return (
    failed.code === 'session_unknown' || failed.code === 'session_forbidden' || failed.code === 'session_token_missing'
  )
}

/** Whether the service has answered for good: done, or refused in a way that sending the same again cannot change. */
export function isDecided(outcome: Outcome<unknown>): boolean {
  return outcome.ok || !(isTemporary(outcome) || isSessionLost(outcome))
}
