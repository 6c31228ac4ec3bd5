/** What an action is, and what it may do: read its request and change the working copy. */
import { contentOf, type Work } from './transactions.ts'
import type { Doc, Json } from './documents.ts'
import { apiError } from './errors.ts'

export type Action = Json & { actionType: string }

export const actionError = (status: number, index: number, description: string) =>
  apiError(status, 'actionError', description, { items: [{ error: { type: 'actionError', description }, index }] })

/** What an action may know of the dataset beside its working copy. */
export interface Stored {
  /** The ids of all stored documents. */
  ids(): Iterable<string>
  /** A document as it was at a revision; null: that is not known any more. */
  asOf(id: string, revision: string): Doc | null
}

/** What an action reads of its request and does to the working copy; every error names the action by its index. */
export class ActionRun {
  readonly work: Work
  readonly action: Action
  readonly index: number
  readonly stored: Stored
  constructor(work: Work, action: Action, index: number, stored: Stored) {
    this.stored = stored
    this.work = work
    this.action = action
    this.index = index
  }
  error(status: number, description: string): Error {
    return actionError(status, this.index, description)
  }
  field(name: string): string {
    const value = this.action[name]
    if (typeof value !== 'string' || value === '')
      throw this.error(400, `"${name}" is required for ${this.action.actionType}`)
    return value
  }
  object(name: string): Json {
    const value = this.action[name]
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw this.error(400, `"${name}" must be an object for ${this.action.actionType}`)
    return value as Json
  }
  existing(id: string, what: string): Doc {
    const doc = this.work.get(id)
    if (!doc) throw this.error(409, `${what} "${id}" was not found`)
    return doc
  }
  /** Throws when the request expects another revision of the document. */
  checkRevision(name: string, doc: Doc | null): void {
    const expected = this.action[name]
    if (expected !== undefined && expected !== null && expected !== doc?._rev)
      throw this.error(
        409,
        `${name} "${String(expected)}" does not match the current revision "${doc?._rev ?? 'none'}"`,
      )
  }
  /** `drafts.x` for published `x`, unless the action names another. */
  draftOf(publishedId: string): string {
    return typeof this.action.draftId === 'string' ? this.action.draftId : `drafts.${publishedId}`
  }
  apply(kind: Parameters<Work['apply']>[0], value: Json): void {
    this.work.apply(kind, value, this.index)
  }
  copy(doc: Doc, to: string): void {
    this.apply('createOrReplace', { ...contentOf(doc), _id: to })
  }
  drop(id: string): void {
    this.apply('delete', { id })
  }
}
