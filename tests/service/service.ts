/** The real service over HTTP on its own database, and a browser that keeps its cookies. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KEEP_ALIVE } from '../../contract/listener.ts'
import type { Database } from '../../db/connect.ts'
import { type Config, readConfig } from '../../payments-service/config.ts'
import { traceKeys } from '../../payments-service/keys/keys.ts'
import { createService, type Service } from '../../payments-service/service.ts'
import { createLog, type Log } from '../../payments-service/http/logging.ts'
import { createTestDatabase } from '../support/database.ts'
import { pooledUrl } from '../support/pooler.ts'
import { checkAnswer } from '../support/answers.ts'

export const WEBHOOK_SECRET = 'whsec_testsecretofthetests'

/** An environment that starts the service; `change` overrides or removes (undefined). */
export function environment(change: Record<string, string | undefined> = {}): Record<string, string | undefined> {
  return {
    NODE_ENV: 'test',
    PORT: '0',
    DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none',
    SITE_URL: 'http://127.0.0.1:4321',
    EMBEDDED: '1',
    TOKEN_SECRET: 'a-secret-of-at-least-32-characters-for-tests',
    STRIPE_SECRET_KEY: 'sk_test_funnel0123456789',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_funnel0123456789',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_BASE: 'http://127.0.0.1:9',
    PAYPAL_TRIAL: 'free',
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
    ...change,
  }
}

export interface RunningService {
  url: string
  db: Database
  databaseUrl: string
  config: Config
  service: Service
  stop(): Promise<void>
}

/** Starts the service on a clone of the migrated template. `background` runs its workers too. */
export async function startService(
  options: {
    env?: Record<string, string | undefined>
    background?: boolean
    databaseUrl?: string
    /** A server that listens already (its port had to be known earlier). */
    server?: Server
    /** Receives the service's log lines. */
    log?: Log
  } = {},
): Promise<RunningService> {
  const database = await createTestDatabase()
  const databaseUrl = options.databaseUrl ?? database.url
  const config = readConfig(environment({ ...options.env, ...addresses(databaseUrl) }))
  const traces = config.traces
  const tracing = traces
    ? (await import('../../payments-service/tracing/otlp.ts')).createTracing(traces, traceKeys(config), () => undefined)
    : undefined
  const service = createService(config, options.log ?? createLog(config.logLevel), tracing)
  const server = options.server ?? createServer()
  server.on('request', service.app)
  // a connection that is closed while the next request is on its way fails that request
  server.keepAliveTimeout = KEEP_ALIVE
  if (!server.listening) await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  if (options.background) service.startWorkers()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    db: database.db,
    databaseUrl,
    config,
    service,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      await service.stop()
      await tracing?.stop()
      await database.drop()
    },
  }
}

/** How a service reaches a database: through the pooler of this run where there is one (tests/support/postgres.ts). */
export function addresses(databaseUrl: string): Record<string, string> {
  const pooled = pooledUrl(databaseUrl)
  return pooled ? { DATABASE_URL: pooled, DATABASE_URL_DIRECT: databaseUrl } : { DATABASE_URL: databaseUrl }
}

export interface Reply {
  status: number
  headers: Headers
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- an answer is whatever the test asserts it to be
  body: any
}

/** One browser: keeps the cookies it is given, sends JSON. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly base: string
  headers: Record<string, string> = {
    'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Safari/604.1',
  }

  constructor(base: string) {
    this.base = base
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(this.base + path, {
      method,
      redirect: 'manual',
      headers: {
        ...this.headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookie ? { cookie } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      if (/; Max-Age=0(;|$)/.test(line)) this.cookies.delete(pair.slice(0, at))
      else this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const text = await response.text()
    const json = response.headers.get('content-type')?.includes('json')
    const answer: unknown = json ? JSON.parse(text) : text
    checkAnswer(method, path, response.status, answer)
    return { status: response.status, headers: response.headers, body: answer }
  }

  get = (path: string, headers?: Record<string, string>) => this.send('GET', path, undefined, headers)
  post = (path: string, body: unknown = {}, headers?: Record<string, string>) => this.send('POST', path, body, headers)
  put = (path: string, body: unknown, headers?: Record<string, string>) => this.send('PUT', path, body, headers)

  /** Submits a form of one of the service's pages, as from the same origin; redirects are not followed. */
  async form(path: string, fields: Record<string, string>): Promise<Reply> {
    return this.send('POST', path, new URLSearchParams(fields).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    })
  }

  /** Starts a new visit in this browser; returns its session id. */
  async visit(clientKey: string = crypto.randomUUID()): Promise<string> {
    const { status, body } = await this.post('/api/sessions', { clientKey })
    if (status !== 200) throw new Error(`no session: ${status} ${JSON.stringify(body)}`)
    return body.sessionId as string
  }
}

/** Retries until the answer is good (background work), for at most `within` milliseconds. */
export async function eventually<T>(ask: () => Promise<T>, good: (found: T) => boolean, within = 150_000): Promise<T> {
  const end = Date.now() + within
  for (;;) {
    const found = await ask()
    if (good(found)) return found
    if (Date.now() > end) throw new Error(`not in ${within} ms: ${JSON.stringify(found)}`)
    await new Promise((resume) => setTimeout(resume, 50))
  }
}
