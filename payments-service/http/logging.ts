import { pino, type DestinationStream, type LogFn, type Logger } from 'pino'
import { UUIDS } from '../../contract/uuid.ts'
import { logDestination } from './log-destination.ts'

export type Log = Logger

const WORD = /[^\s"'<>()=,;]+/g
const SECRET = /\b(?:sk|rk|whsec|pi|seti)_[A-Za-z0-9]+_[A-Za-z0-9_]{8,}/g

/**
 * Masks an e-mail address in a word. Searches from its "@" on, so that the time is linear in the length of the text.
 */
function withoutAddress(word: string): string {
  const at = word.indexOf('@')
  return at > 0 && word.indexOf('.', at + 2) > 0 ? '[email]' : word
}

/** Removes session ids, addresses and secrets from a text: error messages of libraries contain them (N-02). */
export function scrub(text: string): string {
  return text.replace(UUIDS, '[id]').replace(WORD, withoutAddress).replace(SECRET, '[secret]')
}

/** What is logged of an error: its kind, code and scrubbed message; never its data (a request, a row, a card). */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: scrub(String(error)) }
  const { code, type, statusCode, requestId } = error as Error & Record<string, unknown>
  return {
    name: error.name,
    message: scrub(error.message),
    ...(code === undefined ? {} : { code }),
    ...(type === undefined ? {} : { type }),
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(requestId === undefined ? {} : { stripeRequest: requestId }),
    stack: error.stack ? scrub(error.stack) : undefined,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}

/**
 * Structured logs, on stdout unless a destination is given. Routes are logged by template, never by
 * address, so no session id gets in. `report` gets every error too.
 */
export function createLog(
  level: string,
  destination: DestinationStream = logDestination(),
  report?: (error: unknown, words: string, line: Record<string, unknown>) => void,
): Log {
  return pino(
    {
      ...(report ? { hooks: { logMethod: reporting(report) } } : {}),
      level,
      base: { service: 'payments' },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
    },
    destination,
  )
}

const ERROR = 50

function reporting(report: (error: unknown, words: string, line: Record<string, unknown>) => void) {
  return function (this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
    const [line, words] = args as unknown[]
    if (level >= ERROR && typeof line === 'object' && line !== null && 'err' in line) {
      report(line.err, String(words ?? ''), { ...this.bindings(), ...line })
    }
    method.apply(this, args)
  }
}
