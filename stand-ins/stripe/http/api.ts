// One API call: authentication, faults, routing, idempotency, execution, reply.
import { createHash } from 'node:crypto'
import { type Engine } from '../engine.ts'
import { expanded } from '../expand.ts'
import { type FaultRule, type Faults } from '../faults.ts'
import { letters } from '../ids.ts'
import { readParams } from '../schemas.ts'
import { API_VERSION, idOf } from '../types.ts'
import { type ApiReply, type ApiRequest, type Keys } from './api-call.ts'
import { browserForm, browserView, checkSecret } from './browser-calls.ts'
import { caller, credential } from './credentials.ts'
import { StripeFail, type ErrorBody } from './errors.ts'
import { decodeForm, type Form, type FormObject } from './form.ts'
import { match } from './router.ts'

const DAY = 86_400

const reply = (status: number, body: unknown, headers: Record<string, string> = {}): ApiReply => ({
  status,
  body,
  headers,
})
const problem = (fail: StripeFail, request: string): { error: ErrorBody } => ({
  error: { ...fail.body, request_log_url: `https://dashboard.stripe.com/test/logs/${request}` },
})

function canonical(form: Form): string {
  if (typeof form === 'string') return JSON.stringify(form)
  if (Array.isArray(form)) return `[${form.map(canonical).join(',')}]`
  return `{${Object.keys(form)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(form[name] ?? '')}`)
    .join(',')}}`
}

function fingerprint(form: FormObject): string {
  return createHash('sha256').update(canonical(form)).digest('hex')
}

/** The errors of fault modes. */
const FAULT_REPLY: Record<string, StripeFail> = {
  '400': new StripeFail(400, { type: 'invalid_request_error', message: 'This request was refused on demand.' }),
  '500': new StripeFail(500, { type: 'api_error', message: 'An unknown error occurred' }),
  '409': new StripeFail(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message:
      'There is currently another in-progress request using this Idempotent Key (that probably means you ' +
      'submitted twice, and the other request is still going through). Please try again later.',
  }),
  '429': new StripeFail(429, {
    type: 'invalid_request_error',
    code: 'rate_limit',
    message: 'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.',
  }),
}

export class Api {
  private readonly engine: Engine
  private readonly faults: Faults
  private readonly keys: Keys
  private readonly inUse = new Set<string>()

  constructor(engine: Engine, faults: Faults, keys: Keys) {
    this.engine = engine
    this.faults = faults
    this.keys = keys
  }

  /** The customer of the object that a path names. */
  private ownerOf(path: string): string {
    const object = this.engine.state.find(path.split('/')[3] ?? '')
    return object && 'customer' in object ? (idOf(object.customer) ?? '') : ''
  }

  /** Answers a call. 'cut' means that the connection is closed without an answer. */
  async handle(request: ApiRequest): Promise<ApiReply | 'cut'> {
    const id = `req_${letters(14)}`
    const headers: Record<string, string> = { 'request-id': id, 'stripe-version': API_VERSION }
    const key = request.method === 'POST' && request.key ? request.key : undefined
    if (key !== undefined) headers['idempotency-key'] = key
    let fault: FaultRule | undefined
    try {
      const sent = request.method === 'POST' ? request.body : request.query
      const form = decodeForm(sent)
      const who = caller(credential(request, form), this.keys)
      fault = this.faults.take(request.method, request.path, who === 'browser', `${sent} ${this.ownerOf(request.path)}`)
      if (fault?.mode === 'drop_before') return 'cut'
      if (fault?.mode === '400' || fault?.mode === '409' || fault?.mode === '429') throw FAULT_REPLY[fault.mode]
      if (key !== undefined) {
        if (key.length > 255)
          throw new StripeFail(400, {
            type: 'idempotency_error',
            message: 'Idempotency keys must be at most 255 characters.',
          })
        if (this.inUse.has(key)) throw FAULT_REPLY['409']
        this.inUse.add(key)
      }
      try {
        if (fault?.mode === 'stall') await sleep(fault.ms)
        const answer = this.answer(id, request, form, who === 'browser', key, fault)
        if (fault?.mode === 'hang' || fault?.mode === 'slow') await sleep(fault.ms)
        await this.engine.ledger.settled()
        if (fault?.mode === 'drop') return 'cut'
        return { ...answer, headers: { ...headers, ...answer.headers } }
      } finally {
        if (key !== undefined) this.inUse.delete(key)
      }
    } catch (thrown) {
      await this.engine.ledger.settled()
      if (thrown instanceof StripeFail) {
        if (thrown.status === 409) headers['stripe-should-retry'] = 'true'
        return reply(thrown.status, problem(thrown, id), headers)
      }
      console.error(thrown)
      return reply(
        500,
        {
          error: {
            type: 'api_error',
            message: `The sandbox failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
          },
        },
        headers,
      )
    }
  }

  private replay(key: string, request: ApiRequest, print: string): ApiReply | undefined {
    const past = this.engine.state.keys.get(key)
    if (!past || this.engine.state.now() - past.at >= DAY) return undefined
    if (past.path !== request.path || past.method !== request.method) {
      throw new StripeFail(400, {
        type: 'idempotency_error',
        message:
          `Keys for idempotent requests can only be used for the same endpoint they were first used for ` +
          `('${past.path}' instead of '${request.path}'). Try using a key other than '${key}' if you meant to ` +
          `execute a different request.`,
      })
    }
    if (past.fingerprint !== print) {
      throw new StripeFail(400, {
        type: 'idempotency_error',
        message:
          `Keys for idempotent requests can only be used with the same parameters they were first used with. ` +
          `Try using a key other than '${key}' if you meant to execute a different request.`,
      })
    }
    return reply(past.status, past.body, { 'idempotent-replayed': 'true', 'original-request': past.request })
  }

  /** From the form to the reply without an await in between: no call ever sees another half done. */
  private answer(
    id: string,
    request: ApiRequest,
    form: FormObject,
    browser: boolean,
    key: string | undefined,
    fault: FaultRule | undefined,
  ): ApiReply {
    const { method, path } = request
    const found = match(method, path)
    if (!found || found === 'method') {
      throw new StripeFail(404, {
        type: 'invalid_request_error',
        message:
          `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at ` +
          `https://support.stripe.com/.`,
      })
    }
    if (browser && !found.route.browser) {
      throw new StripeFail(403, {
        type: 'invalid_request_error',
        code: 'secret_key_required',
        message:
          `This API call cannot be made with a publishable API key. Please use a secret API key. You can find ` +
          `a list of your API keys at https://dashboard.stripe.com/account/apikeys.`,
      })
    }
    const print = fingerprint(form)
    const again = key === undefined ? undefined : this.replay(key, request, print)
    if (again) return again
    const { rest, card, secret } = browser ? browserForm(form) : { rest: form, card: undefined, secret: undefined }
    const params = readParams(rest, found.route.params)
    if (card && typeof params['payment_method_data'] === 'object')
      Object.assign(params['payment_method_data'] as object, { card, type: 'card' })
    else if (card) params['card'] = card

    const tx = this.engine.begin({ request: { id, method, path, idempotency_key: key ?? null } })
    let status = 200
    let body: unknown
    let keep = true
    let remember = true
    try {
      if (fault?.mode === '500') throw FAULT_REPLY['500']
      if (browser) checkSecret(tx, found.path['id'], secret)
      body = found.route.run({ tx, path: found.path, browser, origin: request.origin }, params as never)
    } catch (thrown) {
      if (!(thrown instanceof StripeFail)) throw thrown
      status = thrown.status
      body = problem(thrown, id)
      keep = thrown.keep
      remember = thrown.validated
    }
    if (fault?.mode === 'execute_then_500') {
      status = 500
      body = problem(FAULT_REPLY['500'] as StripeFail, id)
    }
    const record = key !== undefined && remember && method === 'POST'
    let shownBody = body
    this.engine.commit(keep ? tx : this.engine.begin(tx.cause), () => {
      try {
        if (status === 200)
          shownBody = expanded(this.engine.state, this.withPending(body), params['expand'] as string[] | undefined)
      } catch (thrown) {
        if (!(thrown instanceof StripeFail)) throw thrown
        status = thrown.status
        shownBody = problem(thrown, id)
      }
      if (browser) shownBody = browserView(shownBody)
      const saved = {
        key: key ?? '',
        fingerprint: print,
        method,
        path,
        request: id,
        at: tx.now(),
        status,
        body: shownBody,
      }
      return { ...(status === 200 ? {} : { status }), ...(record ? { key: saved } : {}) }
    })
    return reply(status, shownBody)
  }

  /** Events report how many endpoints have yet to receive them. */
  private withPending(body: unknown): unknown {
    const object = body as { object?: string; id?: string; data?: unknown[]; url?: string }
    if (object.object === 'event' && object.id)
      return { ...object, pending_webhooks: this.engine.webhooks.pendingFor(object.id) }
    if (object.object === 'list' && object.url === '/v1/events' && Array.isArray(object.data)) {
      return { ...object, data: object.data.map((one) => this.withPending(one)) }
    }
    return body
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
