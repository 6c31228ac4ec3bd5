/**
 * Mutations as Sanity documents them, on a working copy: a transaction applies completely or not at all. Patches are
 * applied by `@sanity/mutator`, with which the Studio itself predicts results, so both sides agree.
 */
import { Mutation } from '@sanity/mutator'
import { checkedId, newId, strongRefs, type Doc, type Json } from './documents.ts'
import { mutationError } from './errors.ts'

export const KINDS = ['create', 'createIfNotExists', 'createOrReplace', 'patch', 'delete'] as const
export type Kind = (typeof KINDS)[number]
/** One complete operation on one document: ids filled in, queries resolved. This is what the log stores. */
export type Operation = { kind: Kind; id: string; body: Json }
export type Result = { id: string; operation: 'create' | 'update' | 'delete' | 'none'; document?: Doc | null }
/** How a transaction changed one document. */
export type Change = { id: string; prev: Doc | null; next: Doc | null; mutations: Json[] }

const SYSTEM = ['_id', '_rev', '_createdAt', '_updatedAt'] as const

/** The working copy of one transaction. `read` answers with the stored document or null. */
export class Work {
  readonly operations: Operation[] = []
  readonly results: Result[] = []
  readonly transactionId: string
  readonly timestamp: string
  #read: (id: string) => Doc | null
  #docs = new Map<string, Doc | null>()
  #mutations = new Map<string, Json[]>()

  constructor(read: (id: string) => Doc | null, transactionId: string, timestamp: string) {
    this.#read = read
    this.transactionId = transactionId
    this.timestamp = timestamp
  }

  get(id: string): Doc | null {
    const touched = this.#docs.get(id)
    return touched === undefined ? this.#read(id) : touched
  }

  /** Ids touched so far (for queries that run inside the transaction). */
  touched(): ReadonlyMap<string, Doc | null> {
    return this.#docs
  }

  /** Carries out one mutation or throws an error in Sanity's shape; `index` is its place in the request. */
  apply(kind: Kind, given: Json, index = 0): void {
    if (kind === 'patch') return this.#patch(given, index)
    if (kind === 'delete') return this.#delete(given, index)
    const id = newId(given._id, index)
    if (typeof given._type !== 'string' || given._type === '')
      throw mutationError(400, 'validationError', `Document "${id}" is missing a required _type`, { id }, index)
    const before = this.get(id)
    if (before && kind === 'create')
      throw mutationError(409, 'documentAlreadyExistsError', `Document by ID "${id}" already exists`, { id }, index)
    if (before && kind === 'createIfNotExists') {
      this.results.push({ id, operation: 'none', document: before })
      return
    }
    const { _rev: _, ...content } = given
    const createdAt = typeof given._createdAt === 'string' ? given._createdAt : (before?._createdAt ?? this.timestamp)
    const body = { ...content, _id: id, _createdAt: createdAt, _updatedAt: this.timestamp }
    this.#put(id, kind, body, { ...body, _rev: this.transactionId } as unknown as Doc, before)
  }

  #patch(given: Json, index: number): void {
    const { ifRevisionID, ...body } = given
    const id = checkedId(given.id, index)
    const before = this.get(id)
    if (!before)
      throw mutationError(409, 'documentNotFoundError', `The document with the ID "${id}" was not found`, { id }, index)
    if (ifRevisionID !== undefined && ifRevisionID !== null && ifRevisionID !== before._rev)
      throw mutationError(
        409,
        'documentRevisionIDDoesNotMatchError',
        `Document "${id}" has unexpected revision ID (${JSON.stringify(before._rev)}), expected ` +
          `${JSON.stringify(ifRevisionID)}`,
        { id, currentRevisionID: before._rev, expectedRevisionID: ifRevisionID },
        index,
      )
    let patched: Doc
    try {
      patched = new Mutation({ mutations: [{ patch: body as never }], transactionId: this.transactionId }).apply({
        ...before,
      }) as Doc
    } catch (cause) {
      throw mutationError(
        400,
        'validationError',
        `The patch of "${id}" cannot be applied: ${(cause as Error).message}`,
        { id },
        index,
      )
    }
    if (patched._id !== id)
      throw mutationError(400, 'validationError', `Cannot modify immutable attribute "_id" of "${id}"`, { id }, index)
    if (typeof patched._type !== 'string' || patched._type === '')
      throw mutationError(400, 'validationError', `Document "${id}" is missing a required _type`, { id }, index)
    const next = { ...patched, _rev: this.transactionId, _createdAt: before._createdAt, _updatedAt: this.timestamp }
    this.#put(id, 'patch', body, next, before)
  }

  #delete(given: Json, index: number): void {
    const id = checkedId(given.id, index)
    const before = this.get(id)
    // Deleting a missing document succeeds: the desired state is already reached.
    if (before) this.#put(id, 'delete', { id }, null, before)
    else this.results.push({ id, operation: 'none' })
  }

  #put(id: string, kind: Kind, body: Json, next: Doc | null, before: Doc | null) {
    this.#docs.set(id, next)
    this.operations.push({ kind, id, body })
    const list = this.#mutations.get(id)
    if (list) list.push({ [kind]: body })
    else this.#mutations.set(id, [{ [kind]: body }])
    this.results.push({
      id,
      operation: next === null ? 'delete' : before ? 'update' : 'create',
      document: next ?? before,
    })
  }

  /** The net changes of the transaction. A document created and deleted within it does not count. */
  changes(): Change[] {
    const changes: Change[] = []
    for (const [id, next] of this.#docs) {
      const prev = this.#read(id)
      if (prev || next) changes.push({ id, prev, next, mutations: this.#mutations.get(id) ?? [] })
    }
    return changes
  }

  /**
   * References without `_weak` must have a target when the transaction ends, and their targets must not be deleted.
   * `all` are the documents as stored before it.
   */
  checkReferences(all: Iterable<Doc>): void {
    for (const [id, doc] of this.#docs) {
      if (!doc) continue
      for (const target of strongRefs(doc)) {
        if (target !== id && !this.get(target))
          throw mutationError(
            409,
            'documentReferencesNonExistentDocumentError',
            `Document "${id}" references non-existent document "${target}"`,
            { id, referenceID: target },
          )
      }
    }
    const gone = [...this.#docs].filter(([id, doc]) => doc === null && this.#read(id)).map(([id]) => id)
    if (gone.length === 0) return
    for (const stored of all) {
      if (this.#docs.has(stored._id)) continue
      const held = gone.find((id) => strongRefs(stored).has(id))
      if (held !== undefined)
        throw mutationError(
          409,
          'documentHasExistingReferencesError',
          `Document "${held}" cannot be deleted as there are references to it from "${stored._id}"`,
          { id: held, referencingIDs: [stored._id] },
        )
    }
  }
}

/** `doc` without the fields that the server sets: content to write under another id. */
export function contentOf(doc: Doc): Json {
  const content: Json = { ...doc }
  for (const field of SYSTEM) delete content[field]
  return content
}
