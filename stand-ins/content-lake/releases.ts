/**
 * Content releases (https://www.sanity.io/docs/http-reference/actions): a document `_.releases.<name>` holds the state,
 * documents `versions.<name>.<id>` are what it will publish, all in one transaction.
 */
import type { ActionRun } from './action-run.ts'
import { strengthen, type Doc, type Json } from './documents.ts'
import { mutationError } from './errors.ts'
import { contentOf, type Work } from './transactions.ts'
import type { Dataset } from './dataset.ts'

const NAME = /^[A-Za-z0-9]{1,60}$/
const SCHEDULER = 'p-local-schedule'

const idOf = (name: string): string => `_.releases.${name}`
const prefixOf = (name: string): string => `versions.${name}.`

function nameOf(run: ActionRun): string {
  const name = run.field('releaseId')
  if (!NAME.test(name)) throw run.error(400, '"releaseId" holds letters and digits only')
  return name
}

/** The release, in one of these states. */
function inState(run: ActionRun, ...states: string[]): Doc & { name: string } {
  const release = run.existing(idOf(nameOf(run)), 'Release')
  if (!states.includes(String(release.state)))
    throw run.error(409, `The release is ${String(release.state)}, not ${states.join(' or ')}`)
  return release as Doc & { name: string }
}

const change = (run: ActionRun, release: Doc, set: Json, unset: string[] = []): void =>
  run.apply('patch', { id: release._id, set, unset })

/** The versions of a release as the transaction sees them. */
function versionsOf(run: ActionRun, name: string): Doc[] {
  const ids = new Set([...run.stored.ids(), ...run.work.touched().keys()])
  return [...ids]
    .filter((id) => id.startsWith(prefixOf(name)))
    .sort()
    .flatMap((id) => run.work.get(id) ?? [])
}

const finalStates = (versions: readonly Doc[]) =>
  versions.map(({ _id, _rev }) => ({ _key: _id.replaceAll('.', '-'), id: _id, revisionId: _rev }))

function publish(run: ActionRun, release: Doc & { name: string }): void {
  const versions = versionsOf(run, release.name)
  for (const version of versions) {
    const id = version._id.slice(prefixOf(release.name).length)
    const before = run.work.get(id)
    run.drop(version._id)
    const { _system: system, ...content } = contentOf(version) as Json & { _system?: { delete?: boolean } }
    if (system?.delete === true) run.drop(id)
    else {
      const createdAt = before?._createdAt ?? version._createdAt
      run.apply('createOrReplace', { ...(strengthen(content) as Json), _id: id, _createdAt: createdAt })
    }
  }
  const done = { state: 'published', publishedAt: run.work.timestamp, finalDocumentStates: finalStates(versions) }
  change(run, release, done, ['publishAt'])
}

/** By the action's name without `sanity.action.release.`. */
export const RELEASE_ACTIONS: Readonly<Record<string, (run: ActionRun) => void>> = {
  create(run) {
    const name = nameOf(run)
    const metadata = run.action.metadata === undefined ? {} : run.object('metadata')
    run.apply('create', {
      _id: idOf(name),
      _type: 'system.release',
      name,
      state: 'active',
      metadata: { releaseType: 'undecided', ...metadata },
    })
  },
  edit(run) {
    const release = inState(run, 'active', 'scheduled')
    run.apply('patch', { ...run.object('patch'), id: release._id })
  },
  publish(run) {
    publish(run, inState(run, 'active'))
  },
  schedule(run) {
    const publishAt = run.field('publishAt')
    if (Number.isNaN(Date.parse(publishAt))) throw run.error(400, '"publishAt" has to be a time')
    const release = inState(run, 'active', 'scheduled')
    const states = finalStates(versionsOf(run, release.name))
    change(run, release, { state: 'scheduled', publishAt, finalDocumentStates: states })
  },
  unschedule(run) {
    change(run, inState(run, 'scheduled'), { state: 'active' }, ['publishAt', 'finalDocumentStates'])
  },
  archive(run) {
    const release = inState(run, 'active')
    const versions = versionsOf(run, release.name)
    for (const version of versions) run.drop(version._id)
    change(run, release, { state: 'archived', finalDocumentStates: finalStates(versions) })
  },
  /** What it held when it was archived, as far as the log reaches back. */
  unarchive(run) {
    const release = inState(run, 'archived')
    for (const { id, revisionId } of (release.finalDocumentStates ?? []) as ReturnType<typeof finalStates>) {
      const version = run.stored.asOf(id, revisionId)
      if (!version) throw run.error(409, `Document "${id}" cannot be brought back: its history is gone`)
      run.apply('create', { ...contentOf(version), _id: id })
    }
    change(run, release, { state: 'active' }, ['finalDocumentStates'])
  },
  delete(run) {
    run.drop(inState(run, 'archived', 'published')._id)
  },
}

/** Throws where a transaction changes a document of a release that is scheduled: that one is published as it was. */
export function refuseLocked(work: Work, dataset: Dataset): void {
  for (const id of work.touched().keys()) {
    const name = /^versions\.([^.]+)\./.exec(id)?.[1]
    if (name === undefined) continue
    const states = [dataset.get(idOf(name)), work.get(idOf(name))].map((release) => release?.state)
    if (states.every((state) => state === 'scheduled'))
      throw mutationError(409, 'mutationError', `Document "${id}" is locked: the release "${name}" is scheduled`, {
        id,
      })
  }
}

/** Releases whose time has come, also while the lake was not running; in the order of their times. */
export function dueReleases(dataset: Dataset, now = Date.now()): string[] {
  const timeOf = (doc: Doc) => Date.parse(String(doc.publishAt))
  return [...dataset.docs()]
    .filter((doc) => doc._type === 'system.release' && doc.state === 'scheduled' && timeOf(doc) <= now)
    .sort((a, b) => timeOf(a) - timeOf(b))
    .map((doc) => String(doc.name))
}

/**
 * Publishes each in a transaction of its own, all before anything else is done: a later look finds none of them again.
 * What cannot be published goes back to active, with the reason.
 */
export async function publishDue(
  dataset: Dataset,
  carryOut: (work: Work, action: { actionType: string; releaseId: string }) => void,
): Promise<void> {
  const commit = (build: (work: Work) => void) => dataset.commit({ author: SCHEDULER }, build).durable
  const done = dueReleases(dataset).map(async (releaseId) => {
    const act = (name: string) => (work: Work) =>
      carryOut(work, { actionType: `sanity.action.release.${name}`, releaseId })
    const unschedule = act('unschedule')
    try {
      // together: one that was cut off between them would be neither scheduled nor published
      await commit((work) => [unschedule, act('publish')].forEach((one) => one(work)))
    } catch (cause) {
      const error = { message: cause instanceof Error ? cause.message : String(cause) }
      await commit((work) => {
        unschedule(work)
        work.apply('patch', { id: idOf(releaseId), set: { error } })
      })
    }
  })
  await Promise.all(done)
}
