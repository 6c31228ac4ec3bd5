/**
 * Document actions (https://www.sanity.io/docs/http-reference/actions): what the Studio's buttons do, in terms of
 * mutations. They run one after another on the working copy, so a second edit finds the draft that the first one made.
 */
import { actionError, ActionRun, type Action, type Stored } from './action-run.ts'
import { contentOf, type Work } from './transactions.ts'
import { layerOf, strengthen, type Json } from './documents.ts'
import { badRequest } from './errors.ts'
import { RELEASE_ACTIONS } from './releases.ts'

const MAX_ACTIONS = 100

/** Parses one action or a list of them and checks their shape. */
export function parseActions(given: unknown): Action[] {
  const list = Array.isArray(given) ? given : [given]
  if (list.length > MAX_ACTIONS) throw badRequest(`A request holds at most ${MAX_ACTIONS} actions`)
  for (const action of list)
    if (typeof (action as Json | null)?.actionType !== 'string') throw badRequest('Every action needs an actionType')
  return list as Action[]
}

/** By the action's name without `sanity.action.document.`. */
const ACTIONS: Readonly<Record<string, (run: ActionRun) => void>> = {
  create(run) {
    const { action, work } = run
    const attributes = run.object('attributes')
    const publishedId = typeof action.publishedId === 'string' ? action.publishedId : null
    const taken = publishedId !== null && work.get(publishedId) !== null && attributes._id !== publishedId
    if (taken && action.ifExists !== 'ignore') throw run.error(409, `Document "${publishedId}" already exists`)
    if (!taken) run.apply(action.ifExists === 'ignore' ? 'createIfNotExists' : 'create', attributes)
  },
  edit(run) {
    const publishedId = run.field('publishedId')
    const draftId = run.draftOf(publishedId)
    if (!run.work.get(draftId)) run.copy(run.existing(publishedId, 'Document'), draftId)
    run.apply('patch', { ...run.object('patch'), id: draftId })
  },
  publish(run) {
    const publishedId = run.field('publishedId')
    const draftId = run.draftOf(publishedId)
    const draft = run.existing(draftId, 'Draft document')
    const published = run.work.get(publishedId)
    run.checkRevision('ifDraftRevisionId', draft)
    run.checkRevision('ifPublishedRevisionId', published)
    const createdAt = published?._createdAt ?? draft._createdAt
    run.drop(draftId)
    run.apply('createOrReplace', {
      ...(strengthen(contentOf(draft)) as Json),
      _id: publishedId,
      _createdAt: createdAt,
    })
  },
  unpublish(run) {
    const publishedId = run.field('publishedId')
    const published = run.existing(publishedId, 'Document')
    if (!run.work.get(run.draftOf(publishedId))) run.copy(published, run.draftOf(publishedId))
    run.drop(publishedId)
  },
  discard(run) {
    run.existing(run.field('draftId'), 'Draft document')
    run.drop(run.field('draftId'))
  },
  delete(run) {
    const { includeDrafts } = run.action
    const publishedId = run.field('publishedId')
    const drafts = Array.isArray(includeDrafts) ? includeDrafts.map(String) : [`drafts.${publishedId}`]
    if (drafts.some((id) => layerOf(id).publishedId !== publishedId))
      throw run.error(400, '"includeDrafts" must list drafts of the document')
    for (const id of [...drafts, publishedId]) run.drop(id)
  },
  replaceDraft(run) {
    const attributes = run.object('attributes')
    const publishedId = run.field('publishedId')
    if (layerOf(String(attributes._id)).publishedId !== publishedId)
      throw run.error(400, '"attributes._id" must be a draft of publishedId')
    run.apply('createOrReplace', attributes)
  },
  'version.create'(run) {
    const { action } = run
    if (typeof action.baseId !== 'string' || action.document !== undefined) {
      return run.apply('create', run.object('document'))
    }
    const base = run.existing(action.baseId, 'Document')
    run.checkRevision('ifBaseRevisionId', base)
    const versionId = run.field('versionId')
    if (run.work.get(versionId)) throw run.error(409, `Document "${versionId}" already exists`)
    run.copy(base, versionId)
  },
  'version.replace'(run) {
    run.apply('createOrReplace', run.object('document'))
  },
  'version.discard'(run) {
    run.existing(run.field('versionId'), 'Version')
    run.drop(run.field('versionId'))
  },
  /** The release is to take the document away. */
  'version.unpublish'(run) {
    const versionId = run.field('versionId')
    const { publishedId } = layerOf(versionId)
    if (!run.work.get(versionId)) run.copy(run.existing(publishedId, 'Document'), versionId)
    run.apply('patch', { id: versionId, set: { _system: { delete: true } } })
  },
}

/**
 * Carries out one action on the working copy. Throws 400 for an unknown one and 409 for one
 * that does not fit the state.
 */
export function runAction(work: Work, action: Action, index: number, stored: Stored): void {
  const [, kind = '', name = ''] = /^sanity\.action\.(document|release)\.(.+)$/.exec(action.actionType) ?? []
  const table = kind === 'release' ? RELEASE_ACTIONS : ACTIONS
  const carryOut = Object.hasOwn(table, name) ? table[name] : undefined
  if (!carryOut) {
    const unknown = action.actionType.slice(0, 80)
    throw actionError(400, index, `The embedded content lake does not carry out ${unknown}`)
  }
  carryOut(new ActionRun(work, action, index, stored))
}
