/**
 * Document actions (https://www.sanity.io/docs/http-reference/actions): what the Studio's buttons do, in terms of
 * mutations. They run one after another on the working copy, so a second edit finds the draft that the first one made.
 */
import { contentOf, type Work } from './transactions.ts'
import { layerOf, type Doc, type Json } from './documents.ts'
import { apiError, badRequest } from './errors.ts'

export type Action = Json & { actionType: string }
const MAX_ACTIONS = 100

/** Parses one action or a list of them and checks their shape. */
export function parseActions(given: unknown): Action[] {
  const list = Array.isArray(given) ? given : [given]
  if (list.length > MAX_ACTIONS) throw badRequest(`A request holds at most ${MAX_ACTIONS} actions`)
  for (const action of list)
    if (typeof (action as Json | null)?.actionType !== 'string') throw badRequest('Every action needs an actionType')
  return list as Action[]
}

const actionError = (status: number, index: number, description: string) =>
  apiError(status, 'actionError', description, { items: [{ error: { type: 'actionError', description }, index }] })

/**
 * Carries out one action on the working copy. Throws 400 for an unknown one and 409 for one
 * that does not fit the state.
 */
export function runAction(work: Work, action: Action, index: number): void {
  const field = (name: string): string => {
    const value = action[name]
    if (typeof value !== 'string' || value === '')
      throw actionError(400, index, `"${name}" is required for ${action.actionType}`)
    return value
  }
  const object = (name: string): Json => {
    const value = action[name]
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw actionError(400, index, `"${name}" must be an object for ${action.actionType}`)
    return value as Json
  }
  const existing = (id: string, what: string): Doc => {
    const doc = work.get(id)
    if (!doc) throw actionError(409, index, `${what} "${id}" was not found`)
    return doc
  }
  const revision = (name: string, doc: Doc | null) => {
    const expected = action[name]
    if (expected !== undefined && expected !== null && expected !== doc?._rev)
      throw actionError(
        409,
        index,
        `${name} "${String(expected)}" does not match the current revision "${doc?._rev ?? 'none'}"`,
      )
  }
  /** `drafts.x` for published `x`, unless the action names another. */
  const draftOf = (publishedId: string): string =>
    typeof action.draftId === 'string' ? action.draftId : `drafts.${publishedId}`
  const copy = (doc: Doc, to: string) => work.apply('createOrReplace', { ...contentOf(doc), _id: to }, index)
  const drop = (id: string) => work.apply('delete', { id }, index)

  switch (action.actionType.replace(/^sanity\.action\.document\./, '')) {
    case 'create': {
      const attributes = object('attributes')
      const publishedId = typeof action.publishedId === 'string' ? action.publishedId : null
      const taken = publishedId !== null && work.get(publishedId) !== null && attributes._id !== publishedId
      if (taken && action.ifExists !== 'ignore')
        throw actionError(409, index, `Document "${publishedId}" already exists`)
      if (!taken) work.apply(action.ifExists === 'ignore' ? 'createIfNotExists' : 'create', attributes, index)
      return
    }
    case 'edit': {
      const publishedId = field('publishedId')
      const draftId = draftOf(publishedId)
      if (!work.get(draftId)) copy(existing(publishedId, 'Document'), draftId)
      work.apply('patch', { ...object('patch'), id: draftId }, index)
      return
    }
    case 'publish': {
      const publishedId = field('publishedId')
      const draftId = draftOf(publishedId)
      const draft = existing(draftId, 'Draft document')
      const published = work.get(publishedId)
      revision('ifDraftRevisionId', draft)
      revision('ifPublishedRevisionId', published)
      const createdAt = published?._createdAt ?? draft._createdAt
      drop(draftId)
      work.apply(
        'createOrReplace',
        { ...(strengthen(contentOf(draft)) as Json), _id: publishedId, _createdAt: createdAt },
        index,
      )
      return
    }
    case 'unpublish': {
      const publishedId = field('publishedId')
      const published = existing(publishedId, 'Document')
      if (!work.get(draftOf(publishedId))) copy(published, draftOf(publishedId))
      return drop(publishedId)
    }
    case 'discard':
      existing(field('draftId'), 'Draft document')
      return drop(field('draftId'))
    case 'delete': {
      const publishedId = field('publishedId')
      const drafts = Array.isArray(action.includeDrafts) ? action.includeDrafts.map(String) : [`drafts.${publishedId}`]
      if (drafts.some((id) => layerOf(id).publishedId !== publishedId))
        throw actionError(400, index, '"includeDrafts" must list drafts of the document')
      for (const id of [...drafts, publishedId]) drop(id)
      return
    }
    case 'replaceDraft': {
      const attributes = object('attributes')
      const publishedId = field('publishedId')
      if (layerOf(String(attributes._id)).publishedId !== publishedId)
        throw actionError(400, index, '"attributes._id" must be a draft of publishedId')
      return work.apply('createOrReplace', attributes, index)
    }
    case 'version.create': {
      if (typeof action.baseId === 'string' && action.document === undefined) {
        const base = existing(action.baseId, 'Document')
        revision('ifBaseRevisionId', base)
        if (work.get(field('versionId')))
          throw actionError(409, index, `Document "${field('versionId')}" already exists`)
        return copy(base, field('versionId'))
      }
      return work.apply('create', object('document'), index)
    }
    case 'version.replace':
      return work.apply('createOrReplace', object('document'), index)
    case 'version.discard':
      existing(field('versionId'), 'Version')
      return drop(field('versionId'))
  }
  throw actionError(400, index, `The embedded content lake does not carry out ${action.actionType.slice(0, 80)}`)
}

/** Turns references that were weak only until their target is published (`_strengthenOnPublish`) into strong ones. */
function strengthen(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strengthen)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, strengthen(child)])) as Json
  const { _strengthenOnPublish: mark } = copy as { _strengthenOnPublish?: { weak?: boolean } }
  if (!mark) return copy
  delete copy._strengthenOnPublish
  if (mark.weak !== true) delete copy._weak
  return copy
}
