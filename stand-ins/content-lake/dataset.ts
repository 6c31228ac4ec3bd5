/**
 * One dataset: its documents, its recent history, the log beneath both, and its subscribers. A transaction is applied
 * in memory at once (so that the next one sees it), but acknowledged and announced only when it is on disk.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { apiError } from './errors.ts'
import { Log } from './log.ts'
import { Work, type Change, type Operation, type Result } from './transactions.ts'
import type { Doc } from './documents.ts'

/** One committed transaction with the states before and after it (they share what did not change). */
export type Transaction = {
  id: string
  timestamp: string
  author: string
  changes: Change[]
  operations: Operation[]
  seed?: string
}
export type Committed = { transactionId: string; results: Result[]; durable: Promise<void> }
export type CommitOptions = {
  author: string
  transactionId?: string | undefined
  dryRun?: boolean | undefined
  seed?: string
}
export type Subscriber = (transaction: Transaction) => void

type TxRecord = { t: 'tx'; id: string; at: string; by: string; ops: Operation[]; seed?: string }
type DocRecord = { t: 'doc'; doc: Doc }
type HeadRecord = { t: 'head'; edited: boolean; seed: string | null }
type LogRecord = TxRecord | DocRecord | HeadRecord

/**
 * Transactions kept for the Studio's history and for listeners that come back; older ones
 * are folded into the documents.
 */
const HISTORY = 2000
const COMPACT_BYTES = 48 * 1024 * 1024
export const SEED_AUTHOR = 'seed'
const TRANSACTION_ID = /^[a-zA-Z0-9_-]{1,128}$/

const diskError = () => apiError(503, 'serverError', 'Changes cannot be written to the disk')
const unwritten = (cause: unknown): never => {
  console.error('lake: a transaction could not be written', cause)
  throw diskError()
}

export class Dataset {
  readonly name: string
  readonly folder: string
  /** Grows with every change: what is derived from the documents is cached under it. */
  version = 0
  /** Whether anyone except the seed has ever changed something. */
  edited = false
  /** Content hash of the seed imported last. */
  seed: string | null = null
  history: Transaction[] = []
  #docs = new Map<string, Doc>()
  #base = new Map<string, Doc>()
  #byId = new Map<string, Transaction>()
  #subscribers = new Set<Subscriber>()
  #complete: (doc: Doc) => Doc
  #log!: Log
  #compacting: Promise<void> | null = null

  private constructor(name: string, folder: string, complete: (doc: Doc) => Doc) {
    this.name = name
    this.folder = folder
    this.#complete = complete
  }

  /** `complete` adds what depends on the lake's address (addresses of assets) to a document being stored. */
  static async open(name: string, folder: string, complete: (doc: Doc) => Doc): Promise<Dataset> {
    await mkdir(folder, { recursive: true })
    const dataset = new Dataset(name, folder, complete)
    dataset.#log = await Log.open(join(folder, 'log.ndjson'), (record) => dataset.#replay(record as LogRecord))
    return dataset
  }

  get(id: string): Doc | null {
    return this.#docs.get(id) ?? null
  }
  docs(): IterableIterator<Doc> {
    return this.#docs.values()
  }
  ids(): IterableIterator<string> {
    return this.#docs.keys()
  }
  get size(): number {
    return this.#docs.size
  }
  transaction(id: string): Transaction | undefined {
    return this.#byId.get(id)
  }
  /** The state before the oldest transaction in `history`. */
  baseOf(id: string): Doc | null {
    return this.#base.get(id) ?? null
  }

  /**
   * Runs `build` on a working copy and commits it as a whole. Synchronous on purpose: transactions never interleave. A
   * known transaction id gets its earlier result (a client repeating a request whose answer it lost).
   */
  commit(options: CommitOptions, build: (work: Work) => void): Committed {
    const id = options.transactionId ?? randomUUID().replaceAll('-', '').slice(0, 22)
    if (!TRANSACTION_ID.test(id)) throw apiError(400, 'validationError', 'transactionId is not valid')
    if (this.#log.failed) throw diskError()
    const known = this.#byId.get(id)
    if (known) {
      const results: Result[] = known.changes.map(({ id, prev, next }) => ({
        id,
        operation: !next ? 'delete' : prev ? 'update' : 'create',
        document: next ?? prev,
      }))
      return { transactionId: id, results, durable: this.#log.synced().catch(unwritten) }
    }
    const work = new Work((docId) => this.get(docId), id, this.#timestamp())
    build(work)
    work.checkReferences(this.#docs.values())
    if (options.dryRun || work.operations.length === 0)
      return { transactionId: id, results: work.results, durable: Promise.resolve() }
    const seed = options.seed === undefined ? {} : { seed: options.seed }
    const transaction: Transaction = {
      id,
      timestamp: work.timestamp,
      author: options.author,
      changes: work.changes(),
      operations: work.operations,
      ...seed,
    }
    const record: TxRecord = { t: 'tx', id, at: work.timestamp, by: options.author, ops: work.operations, ...seed }
    this.#take(transaction)
    const durable = this.#log.append(record).then(() => {
      for (const subscriber of this.#subscribers) subscriber(transaction)
      this.#compactWhenLarge()
    }, unwritten)
    return { transactionId: id, results: work.results, durable }
  }

  /** Announces every transaction, in order, once it is on disk. Returns a function to unsubscribe. */
  subscribe(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber)
    return () => this.#subscribers.delete(subscriber)
  }

  async close(): Promise<void> {
    await this.#compacting
    await this.#log.close()
  }

  #lastTime = 0
  /** Strictly growing, so that ordering by `_updatedAt` is the order of commits. */
  #timestamp(): string {
    this.#lastTime = Math.max(Date.now(), this.#lastTime + 1)
    return new Date(this.#lastTime).toISOString()
  }

  #take(transaction: Transaction): void {
    for (const change of transaction.changes) {
      if (change.next) this.#docs.set(change.id, (change.next = this.#complete(change.next)))
      else this.#docs.delete(change.id)
    }
    this.history.push(transaction)
    this.#byId.set(transaction.id, transaction)
    this.version++
    if (transaction.seed !== undefined) this.seed = transaction.seed
    if (transaction.author !== SEED_AUTHOR) this.edited = true
    this.#lastTime = Math.max(this.#lastTime, Date.parse(transaction.timestamp))
  }

  #replay(record: LogRecord): void {
    if (record.t === 'head') {
      this.edited = record.edited
      this.seed = record.seed
    } else if (record.t === 'doc') {
      const doc = this.#complete(record.doc)
      this.#base.set(doc._id, doc)
      this.#docs.set(doc._id, doc)
      this.version++
    } else {
      const work = new Work((id) => this.get(id), record.id, record.at)
      for (const { kind, body } of record.ops) work.apply(kind, body)
      this.#take({
        id: record.id,
        timestamp: record.at,
        author: record.by,
        changes: work.changes(),
        operations: record.ops,
        ...(record.seed === undefined ? {} : { seed: record.seed }),
      })
    }
  }

  #compactWhenLarge(): void {
    if (this.#compacting) return
    const large = this.#log.bytes > COMPACT_BYTES
    if (this.history.length < HISTORY * 2 && !large) return
    this.#compacting = this.compact(large ? HISTORY / 10 : HISTORY)
      .catch((cause: unknown) => console.error('lake: compaction failed, the old log stays', cause))
      .finally(() => (this.#compacting = null))
  }

  /** Folds all but the last `keep` transactions into the base state and rewrites the file. */
  async compact(keep: number): Promise<void> {
    await this.#log.rewrite(() => {
      const fold = this.history.splice(0, Math.max(0, this.history.length - keep))
      for (const transaction of fold) {
        this.#byId.delete(transaction.id)
        for (const { id, next } of transaction.changes) {
          if (next) this.#base.set(id, next)
          else this.#base.delete(id)
        }
      }
      const head: HeadRecord = { t: 'head', edited: this.edited, seed: this.seed }
      const docs = [...this.#base.values()].map((doc): DocRecord => ({ t: 'doc', doc }))
      const rest = this.history.map((tx): TxRecord => ({
        t: 'tx',
        id: tx.id,
        at: tx.timestamp,
        by: tx.author,
        ops: tx.operations,
        ...(tx.seed === undefined ? {} : { seed: tx.seed }),
      }))
      return [head, ...docs, ...rest]
    })
  }
}
