// The in-memory state that the ledger adds up to, and the transaction that changes it.
import { type Stripe } from './stripe-types.ts'
import { defaultAccount } from './account.ts'
import { missing } from './http/errors.ts'
import { letters } from './ids.ts'
import { renderedIn } from './versions.ts'
import {
  API_VERSION,
  idOf,
  type AnyObject,
  type Cause,
  type Hidden,
  type KeyRecord,
  type Kind,
  type Kinds,
  type LedgerEntry,
} from './types.ts'

/** Everything the sandbox knows. Objects are never changed in place: a change replaces them. */
export class State {
  private readonly tables = new Map<string, Map<string, AnyObject>>()
  private readonly byId = new Map<string, AnyObject>()
  readonly hidden = new Map<string, Hidden>()
  readonly keys = new Map<string, KeyRecord>()
  readonly delivered = new Set<string>()
  /** The API version the account renders its events in; requests name their own. */
  accountVersion = API_VERSION
  readonly account = defaultAccount()
  /** Seconds by which the sandbox's clock is ahead of the wall clock. */
  offset = 0

  /** The sandbox's own time, unix seconds. */
  now(): number {
    return Math.floor(Date.now() / 1000) + this.offset
  }

  /** Takes one ledger line in; the only way state changes, at start and later. */
  apply(entry: Omit<LedgerEntry, 'seq' | 'at'>): void {
    for (const object of [...(entry.objects ?? []), ...(entry.events ?? [])]) {
      const table = this.tables.get(object.object) ?? new Map<string, AnyObject>()
      table.set(object.id, object)
      this.tables.set(object.object, table)
      this.byId.set(object.id, object)
    }
    for (const [id, hidden] of Object.entries(entry.hidden ?? {})) this.hidden.set(id, hidden)
    if (entry.key) this.keys.set(entry.key.key, entry.key)
    if (entry.delivered) this.delivered.add(`${entry.delivered.event} ${entry.delivered.endpoint}`)
    if (entry.offset !== undefined) this.offset = entry.offset
  }

  /** Any object by id, deleted ones too. */
  find(id: string): AnyObject | undefined {
    return this.byId.get(id)
  }

  table<K extends Kind>(kind: K): ReadonlyMap<string, Kinds[K]> {
    return (this.tables.get(kind) ?? new Map()) as ReadonlyMap<string, Kinds[K]>
  }
}

/** One request or one job: sees its own changes, leaves none unless committed. */
export class Tx {
  readonly state: State
  readonly cause: Cause
  private readonly clock: number
  private readonly objects = new Map<string, AnyObject>()
  private readonly hiddenHere = new Map<string, Hidden>()
  private readonly events: Stripe.Event[] = []

  constructor(state: State, cause: Cause, clock: number) {
    this.state = state
    this.cause = cause
    this.clock = clock
  }

  /** The time that applies to a customer: that of their test clock, else the sandbox's. Unix seconds. */
  now(customer?: string | null): number {
    if (this.cause.job !== undefined) return this.clock
    const owner = customer ? this.get('customer', customer) : undefined
    const clock = idOf(owner?.test_clock ?? null)
    return (clock ? this.get('test_helpers.test_clock', clock)?.frozen_time : undefined) ?? this.clock
  }

  get<K extends Kind>(kind: K, id: string): Kinds[K] | undefined {
    const found = this.objects.get(id) ?? this.state.table(kind).get(id)
    if (!found || found.object !== kind || this.hidden(id).deleted) return undefined
    return found as Kinds[K]
  }

  /** Like {@link Tx.get}, but throws Stripe's `resource_missing`. */
  need<K extends Kind>(kind: K, id: string, param?: string): Kinds[K] {
    const found = this.get(kind, id)
    if (!found) throw missing(kind, id, param)
    return found
  }

  /** All objects of a kind that are not deleted, oldest first. */
  all<K extends Kind>(kind: K): Kinds[K][] {
    const out: Kinds[K][] = []
    for (const [id, object] of this.state.table(kind)) {
      if (!this.hidden(id).deleted) out.push((this.objects.get(id) ?? object) as Kinds[K])
    }
    for (const [id, object] of this.objects) {
      if (object.object === kind && !this.state.table(kind).has(id)) out.push(object as Kinds[K])
    }
    return out
  }

  put<T extends AnyObject>(object: T): T {
    this.objects.set(object.id, object)
    return object
  }

  change<T extends AnyObject>(object: T, patch: Partial<T>): T {
    return this.put({ ...object, ...patch })
  }

  hidden(id: string): Hidden {
    return this.hiddenHere.get(id) ?? this.state.hidden.get(id) ?? {}
  }

  hide(id: string, patch: Partial<Hidden>): void {
    this.hiddenHere.set(id, { ...this.hidden(id), ...patch })
  }

  /** Adds an event with the object in its present state. `previous`: the old values of what changed. */
  emit(type: Stripe.Event['type'], object: AnyObject, previous?: Record<string, unknown>): void {
    const customer = 'customer' in object ? idOf(object.customer as string | null) : object.id
    const request = this.cause.request
    this.events.push({
      id: `evt_1${letters(23)}`,
      object: 'event',
      api_version: this.state.accountVersion,
      created: this.now(customer),
      data: { object: this.rendered(object), ...(previous ? { previous_attributes: previous } : {}) },
      livemode: false,
      pending_webhooks: 0,
      request: request
        ? { id: request.id, idempotency_key: request.idempotency_key }
        : { id: null, idempotency_key: null },
      type,
    } as unknown as Stripe.Event)
  }

  /** The object in the account's API version, including the changes of this transaction. */
  private rendered(object: AnyObject): AnyObject {
    return renderedIn(
      this.state.accountVersion,
      {
        table: (kind) => new Map(this.all(kind).map((one) => [one.id, one])),
        hidden: (id) => this.hidden(id),
      },
      object,
    )
  }

  /** What a commit would write, or undefined when nothing changed. */
  result(): Pick<LedgerEntry, 'objects' | 'hidden' | 'events'> | undefined {
    if (this.objects.size + this.hiddenHere.size + this.events.length === 0) return undefined
    return {
      ...(this.objects.size > 0 ? { objects: [...this.objects.values()] } : {}),
      ...(this.hiddenHere.size > 0 ? { hidden: Object.fromEntries(this.hiddenHere) } : {}),
      ...(this.events.length > 0 ? { events: this.events } : {}),
    }
  }
}
