// Holds state, ledger and webhooks together: every change goes through here, and time passes here.
import { type Ledger } from './ledger.ts'
import { type State, Tx } from './state.ts'
import { type Cause, type KeyRecord, type LedgerEntry } from './types.ts'
import { Webhooks, type Endpoint } from './webhooks.ts'
import { dueNow } from './objects/renewals.ts'

const TICK_MS = 1000

export class Engine {
  readonly state: State
  readonly ledger: Ledger
  readonly webhooks: Webhooks
  /** Own address, for links that jobs put into objects. */
  origin = ''
  private timer: NodeJS.Timeout | undefined

  /** `state`: what the ledger already adds up to. */
  constructor(state: State, ledger: Ledger, endpoint: Endpoint | undefined) {
    this.state = state
    this.ledger = ledger
    this.webhooks = new Webhooks(this.state, endpoint, (event, id) => {
      this.write({ clock: this.state.now(), cause: { job: 'webhook.delivered' }, delivered: { event, endpoint: id } })
    })
  }

  /** Starts the clock and resumes unsent deliveries. */
  start(origin: string): void {
    this.origin = origin
    this.webhooks.resume()
    this.tick()
    this.timer = setInterval(() => this.tick(), TICK_MS)
    this.timer.unref()
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    this.webhooks.close()
    await this.ledger.close()
  }

  /** A transaction at the sandbox's present time. */
  begin(cause: Cause): Tx {
    return new Tx(this.state, cause, this.state.now())
  }

  private write(entry: Omit<LedgerEntry, 'seq' | 'at'>): void {
    this.state.apply(entry)
    this.ledger.append(entry)
  }

  /**
   * Makes a transaction's changes permanent: one line of the ledger, then the events are sent (once it is on disk).
   * `finish` sees the changed state and returns what else belongs in the same line, so that a crash never separates a
   * change from the idempotency key that guards it.
   */
  commit(tx: Tx, finish: () => { key?: KeyRecord; status?: number } = () => ({})): void {
    const result = tx.result()
    const base = { clock: tx.now(), cause: tx.cause, ...result }
    if (result) this.state.apply(base)
    const more = finish()
    if (!result && !more.key) return
    if (more.key) this.state.apply({ clock: base.clock, cause: tx.cause, key: more.key })
    this.ledger.append({ ...base, ...more })
    const events = result?.events
    if (events) void this.ledger.settled().then(() => this.webhooks.enqueue(events))
    for (const one of result?.objects ?? []) {
      if (one.object === 'test_helpers.test_clock' && one.status === 'advancing')
        setImmediate(() => this.advanceTestClock(one.id))
    }
  }

  /** Runs a change that the sandbox makes itself (by an operator or the clock). */
  job<T>(name: string, run: (tx: Tx) => T, at = this.state.now()): T {
    const tx = new Tx(this.state, { job: name }, at)
    const result = run(tx)
    this.commit(tx)
    return result
  }

  /** Moves the sandbox's clock ahead and does everything that falls due on the way. Seconds. Returns the new time. */
  advance(seconds: number): number {
    this.write({ clock: this.state.now(), cause: { job: 'clock.advance' }, offset: this.state.offset + seconds })
    this.tick()
    return this.state.now()
  }

  /** Runs what is due. */
  tick(): void {
    const now = this.state.now()
    this.runDue(null, now)
    for (const clock of this.state.table('test_helpers.test_clock').values()) {
      if (clock.status === 'advancing') this.advanceTestClock(clock.id)
    }
  }

  /** Everything due on a clock up to a moment; nothing happens before `from`. */
  private runDue(clock: string | null, until: number, from = 0): void {
    for (let due = dueNow(this.state, clock, until); due.length > 0; due = dueNow(this.state, clock, until)) {
      for (const { at, name, run } of due) this.job(name, (tx) => run(tx, this.origin), Math.max(at, from))
    }
  }

  private advanceTestClock(id: string): void {
    const clock = this.state.table('test_helpers.test_clock').get(id)
    const target = this.state.hidden.get(id)?.target
    if (!clock || clock.status !== 'advancing' || target === undefined || this.state.hidden.get(id)?.deleted) return
    this.runDue(id, target, clock.frozen_time)
    this.job(
      'test_clock.ready',
      (tx) => {
        const ready = tx.change(tx.need('test_helpers.test_clock', id), {
          frozen_time: target,
          status: 'ready',
          status_details: {},
        })
        tx.emit('test_helpers.test_clock.ready', ready)
      },
      target,
    )
  }
}
