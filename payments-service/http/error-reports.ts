/**
 * The service's own errors, reported to Sentry or whatever speaks its protocol (GlitchTip, Bugsink): one POST of an
 * envelope (https://develop.sentry.dev/sdk/data-model/envelopes/). Scrubbed like the log, not waited for, not
 * repeated.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { describeError } from './logging.ts'

/** Milliseconds that one report may take. */
const PATIENCE = 5_000
/** Reports under way at most; more are dropped. */
const MOST = 10
/** Milliseconds in which the same error is reported once. */
const ONCE_IN = 60_000
/** Kinds of errors that are remembered. */
const KINDS = 200

/** What a line of the log may say beside its error: words and templates, no data. */
const FIELDS = ['code', 'loop', 'table', 'requestId'] as const

/** Takes an error of the log with its line. Never throws and never waits. */
export type ErrorReporter = (error: unknown, words: string, line: Readonly<Record<string, unknown>>) => void

export interface ReportTarget {
  url: string
  key: string
}

/** `https://key@host/path/project`; undefined where it is none. */
export function parseDsn(dsn: string): ReportTarget | undefined {
  if (!URL.canParse(dsn)) return undefined
  const { protocol, username, host, pathname } = new URL(dsn)
  const [, path, project] = /^(.*)\/(\d+)$/.exec(pathname) ?? []
  if (!/^https?:$/.test(protocol) || !/^\w{8,64}$/.test(username) || path === undefined) return undefined
  return { url: `${protocol}//${host}${path}/api/${project}/envelope/`, key: username }
}

interface Frame {
  function: string
  filename: string
  lineno: number
  in_app: boolean
}

/** The frames of a stack of V8, the innermost last, as the protocol wants them. */
function framesOf(stack: string): Frame[] {
  return stack
    .split('\n')
    .flatMap((line) => {
      const [, name, filename = '', number] = /^ {4}at (?:(.{1,200}?) \()?([^()]{1,300}):(\d+):\d+\)?$/.exec(line) ?? []
      if (!number) return []
      const inApp = !/node_modules|^node:/.test(filename)
      return [{ function: name ?? '?', filename, lineno: Number(number), in_app: inApp }]
    })
    .reverse()
}

interface Described {
  name?: string
  message: string
  stack?: string
  cause?: Described
}

/** An error and its causes, the innermost first. */
function exceptionsOf({ name, message, stack, cause }: Described): object[] {
  const own = { type: name ?? 'Error', value: message, stacktrace: { frames: framesOf(stack ?? '') } }
  return [...(cause ? exceptionsOf(cause) : []), own]
}

export function createErrorReporter({ url, key }: ReportTarget, environment: string): ErrorReporter {
  const told = new Map<string, number>()
  let underWay = 0

  /** Whether this kind of error was reported within the last minute. */
  const isRepeated = (kind: string): boolean => {
    const now = Date.now()
    if (now - (told.get(kind) ?? 0) < ONCE_IN) return true
    if (told.size >= KINDS) told.clear()
    told.set(kind, now)
    return false
  }

  return (error, words, line) => {
    const described = describeError(error) as unknown as Described
    if (underWay >= MOST || isRepeated(`${words} ${described.name} ${described.message}`)) return
    const id = randomUUID().replaceAll('-', '')
    const event = {
      event_id: id,
      timestamp: Date.now() / 1_000,
      platform: 'node',
      level: 'error',
      logger: 'payments',
      environment,
      server_name: hostname(),
      transaction: words,
      exception: { values: exceptionsOf(described) },
      tags: Object.fromEntries(
        FIELDS.flatMap((name) => (line[name] === undefined ? [] : [[name, String(line[name])]])),
      ),
    }
    const body = [{ event_id: id, sent_at: new Date().toISOString() }, { type: 'event' }, event]
    underWay++
    void fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-sentry-envelope',
        'x-sentry-auth': `Sentry sentry_version=7, sentry_client=eye-funnel/1, sentry_key=${key}`,
      },
      body: body.map((part) => JSON.stringify(part)).join('\n'),
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE),
    })
      .then((reply) => reply.body?.cancel())
      // the log has the error; a failed report is not another one
      .catch(() => undefined)
      .finally(() => underWay--)
  }
}
