// Delivery of events: signed as Stripe signs, retried until answered, and as unreliable as a test requires.
import { createHmac } from 'node:crypto'
import { type Stripe } from './stripe-types.ts'
import { type State } from './state.ts'

export interface Endpoint {
  id: string
  url: string
  secret: string
  events: readonly string[]
}

/** How events reach the endpoints. */
export interface WebhookSettings {
  /** `off`: kept back until switched on again (or 72 h of sandbox time); `lost`: never sent. */
  mode: 'normal' | 'off' | 'lost'
  /** Milliseconds by which every first delivery is delayed. */
  delay_ms: number
  /** How often each event is sent even when answered. */
  copies: number
  /** Window in milliseconds within which the order is random; 0 keeps it. */
  shuffle_ms: number
  /** First wait before another try; doubles up to a minute. */
  retry_ms: number
}

export interface DeliveryRecord {
  at: string
  event: string
  type: string
  endpoint: string
  attempt: number
  status: number | null
  error: string | null
  ms: number
}

interface Job {
  event: Stripe.Event
  endpoint: Endpoint
  since: number
  attempt: number
  timer: NodeJS.Timeout | undefined
  copy: boolean
}

const THREE_DAYS = 3 * 86_400
const TIMEOUT_MS = 10_000
const PARALLEL = 16

/** `Stripe-Signature` over a payload at a moment of the wall clock. */
export function signature(payload: string, secret: string, at = Math.floor(Date.now() / 1000)): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex')}`
}

export class Webhooks {
  readonly settings: WebhookSettings = { mode: 'normal', delay_ms: 0, copies: 1, shuffle_ms: 0, retry_ms: 1000 }
  /** The last attempts, oldest first. */
  readonly log: DeliveryRecord[] = []
  private readonly state: State
  private readonly own: Endpoint | undefined
  private readonly onDelivered: (event: string, endpoint: string) => void
  private readonly jobs = new Set<Job>()
  private readonly queue: Job[] = []
  private running = 0
  private closed = false

  constructor(state: State, own: Endpoint | undefined, onDelivered: (event: string, endpoint: string) => void) {
    this.state = state
    this.own = own
    this.onDelivered = onDelivered
  }

  endpoints(): Endpoint[] {
    const made = [...this.state.table('webhook_endpoint').values()].filter(
      (one) => one.status === 'enabled' && !this.state.hidden.get(one.id)?.deleted,
    )
    return [
      ...(this.own ? [this.own] : []),
      ...made.map((one) => ({ id: one.id, url: one.url, secret: one.secret ?? '', events: one.enabled_events })),
    ]
  }

  /** How many endpoints have not answered an event yet. */
  pendingFor(event: string): number {
    return [...this.jobs].filter((job) => job.event.id === event && !job.copy).length
  }

  pending(): number {
    return this.jobs.size
  }

  /** Resends events that were not acknowledged when the process ended. */
  resume(): void {
    const since = this.state.now() - THREE_DAYS
    for (const event of this.state.table('event').values()) {
      if (event.created >= since) this.enqueue([event])
    }
  }

  enqueue(events: readonly Stripe.Event[]): void {
    if (this.settings.mode === 'lost') return
    for (const event of events) {
      for (const endpoint of this.endpoints()) {
        const wanted = endpoint.events.includes('*') || endpoint.events.includes(event.type)
        if (wanted && !this.state.delivered.has(`${event.id} ${endpoint.id}`)) this.start(event, endpoint)
      }
    }
  }

  /** Sends an event once more to every endpoint, delivered or not, whatever the mode. */
  resend(event: Stripe.Event): void {
    for (const endpoint of this.endpoints())
      this.push({ event, endpoint, since: this.state.now(), attempt: 0, timer: undefined, copy: true })
  }

  /** Changes settings; switching on immediately sends what was held back. */
  configure(patch: Partial<WebhookSettings>): void {
    Object.assign(this.settings, patch)
    if (this.settings.mode !== 'normal') return
    for (const job of [...this.jobs]) {
      clearTimeout(job.timer)
      if (!this.queue.includes(job)) this.plan(job, this.firstDelay())
    }
  }

  close(): void {
    this.closed = true
    for (const job of this.jobs) clearTimeout(job.timer)
    this.jobs.clear()
    this.queue.length = 0
  }

  private firstDelay(): number {
    return this.settings.delay_ms + Math.floor(Math.random() * this.settings.shuffle_ms)
  }

  private start(event: Stripe.Event, endpoint: Endpoint): void {
    for (let copy = 0; copy < Math.max(1, this.settings.copies); copy += 1) {
      const job: Job = { event, endpoint, since: this.state.now(), attempt: 0, timer: undefined, copy: copy > 0 }
      this.jobs.add(job)
      if (this.settings.mode === 'normal') this.plan(job, this.firstDelay())
    }
  }

  private plan(job: Job, ms: number): void {
    if (this.closed) return
    if (ms <= 0) return this.push(job)
    job.timer = setTimeout(() => this.push(job), ms)
    job.timer.unref()
  }

  private push(job: Job): void {
    if (this.closed) return
    this.queue.push(job)
    while (this.running < PARALLEL && this.queue.length > 0) {
      const next = this.queue.shift()
      if (next) void this.send(next)
    }
  }

  private async send(job: Job): Promise<void> {
    if (this.settings.mode !== 'normal' && !job.copy) return
    if (this.state.now() - job.since > THREE_DAYS) {
      this.jobs.delete(job)
      return
    }
    this.running += 1
    job.attempt += 1
    const payload = JSON.stringify(
      { ...job.event, pending_webhooks: Math.max(1, this.pendingFor(job.event.id)) },
      null,
      2,
    )
    const begun = performance.now()
    let status: number | null = null
    let error: string | null = null
    try {
      const reply = await fetch(job.endpoint.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
          'stripe-signature': signature(payload, job.endpoint.secret),
        },
        body: payload,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        redirect: 'manual',
      })
      status = reply.status
      await reply.arrayBuffer()
    } catch (thrown) {
      error =
        thrown instanceof Error
          ? `${thrown.name}: ${String((thrown.cause as Error | undefined)?.message ?? thrown.message)}`
          : String(thrown)
    }
    this.running -= 1
    if (this.closed) return
    this.log.push({
      at: new Date().toISOString(),
      event: job.event.id,
      type: job.event.type,
      endpoint: job.endpoint.url,
      attempt: job.attempt,
      status,
      error,
      ms: Math.round(performance.now() - begun),
    })
    if (this.log.length > 1000) this.log.splice(0, 200)
    if (status !== null && status >= 200 && status < 300) {
      this.jobs.delete(job)
      this.onDelivered(job.event.id, job.endpoint.id)
    } else if (this.jobs.has(job)) {
      this.plan(job, Math.min(60_000, this.settings.retry_ms * 2 ** (job.attempt - 1)))
    }
    const next = this.queue.shift()
    if (next) void this.send(next)
  }
}
