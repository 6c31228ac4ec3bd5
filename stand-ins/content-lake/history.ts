/** `data/history`: transactions and past states of documents, as far back as the log reaches. */
import { isPublic, layerOf, type Doc, type Json } from './documents.ts'
import { notFound, unauthorized } from './errors.ts'
import { documentEvents } from './history-events.ts'
import { sendJson, type Call } from './http.ts'
import type { Dataset } from './dataset.ts'
import type { Change } from './transactions.ts'

const bare = (doc: Doc | null) => {
  if (!doc) return null
  const { _rev: _, ...rest } = doc
  return rest
}

/** A change as mendoza patches. "Replace the whole" (`[0, value]`) is a valid patch in that format, and the safest. */
export const effectsOf = ({ prev, next }: Change) => ({ apply: [0, bare(next)], revert: [0, bare(prev)] })

export function history(call: Call, dataset: Dataset, [kind = '', ...rest]: string[]): void {
  if (!call.who.readAll) throw unauthorized()
  if (kind === 'transactions') return transactions(call, dataset, rest.join('/').split(',').filter(Boolean))
  if (kind === 'documents') return past(call, dataset, rest.join('/').split(',').filter(Boolean))
  if (kind === 'events' && rest[0] === 'documents') return documentEvents(call, dataset, rest.slice(1).join('/'))
  throw notFound('No such endpoint')
}

/** One transaction per line, oldest first unless `reverse`. Without ids: those of all documents. */
function transactions(call: Call, dataset: Dataset, ids: string[]): void {
  const { query } = call
  const flag = (name: string) => query.get(name) === 'true'
  const place = (name: string): number => {
    const id = query.get(name)
    return id ? dataset.history.findIndex((transaction) => transaction.id === id) : -1
  }
  // The transaction that bounds the range may belong to another document: a draft's history begins at a publish.
  const [from, to] = [place('fromTransaction'), place('toTransaction')]
  const [fromTime, toTime] = [query.get('fromTime'), query.get('toTime')]
  let list = dataset.history.filter(
    ({ timestamp, changes }, i) =>
      (from < 0 || i >= from) &&
      (to < 0 || i <= to) &&
      (!fromTime || timestamp >= fromTime) &&
      (!toTime || timestamp <= toTime) &&
      (ids.length === 0 || changes.some((change) => ids.includes(change.id))),
  )
  const authors = query.get('authors')?.split(',')
  if (authors) list = list.filter(({ author }) => authors.includes(author))
  if (flag('reverse')) list.reverse()
  const limit = Number(query.get('limit') ?? 100)
  call.res.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store' })
  for (const { id, timestamp, author, changes } of list.slice(0, limit > 0 ? Math.min(limit, 5000) : 100)) {
    const shown = flag('includeIdentifiedDocumentsOnly') ? changes.filter((change) => ids.includes(change.id)) : changes
    const line: Json = { id, timestamp, author, documentIDs: shown.map((change) => change.id) }
    if (!flag('excludeMutations') && !flag('excludeContent'))
      line.mutations = shown.flatMap((change) => change.mutations)
    if (query.get('effectFormat') === 'mendoza')
      line.effects = Object.fromEntries(shown.map((change) => [change.id, effectsOf(change)]))
    call.res.write(`${JSON.stringify(line)}\n`)
  }
  call.res.end()
}

/** A document as it was at a revision; null where the log does not reach so far back. */
export function asOf(dataset: Dataset, id: string, revision: string): Doc | null {
  const change = dataset.transaction(revision)?.changes.find((one) => one.id === id)
  if (change) return change.next
  const base = dataset.baseOf(id)
  return base?._rev === revision ? base : null
}

/** Documents as they were at `revision` or `time`, or before they were deleted (`lastRevision`). */
function past(call: Call, dataset: Dataset, ids: string[]): void {
  const revision = call.query.get('revision')
  const documents = ids
    .slice(0, 100)
    .flatMap((id) => pastOf(call, dataset, id) ?? publishedAs(dataset, id, revision) ?? [])
  sendJson(call.res, 200, { documents: documents.filter((doc) => call.who.readAll || isPublic(doc._id)) })
}

function pastOf(call: Call, dataset: Dataset, id: string): Doc | null {
  const revision = call.query.get('revision')
  const time = call.query.get('time')
  const last = call.query.get('lastRevision') === 'true'
  const at = dataset.history.findLastIndex(({ id: transaction, timestamp, changes }) => {
    const change = changes.find((one) => one.id === id)
    if (!change) return false
    return (!revision || transaction === revision) && (!time || timestamp <= time) && (!last || change.next !== null)
  })
  if (at >= 0) return dataset.history[at]?.changes.find((one) => one.id === id)?.next ?? null
  const base = dataset.baseOf(id)
  return base && (!revision || base._rev === revision) && (!time || base._updatedAt <= time) ? base : null
}

/**
 * A draft at a revision of what is published, an import or a publish: the Studio lists these in the draft's history,
 * and its editors go back to them.
 */
function publishedAs(dataset: Dataset, id: string, revision: string | null): Doc | null {
  const { layer, publishedId } = layerOf(id)
  const published = layer === 'drafts' && revision ? asOf(dataset, publishedId, revision) : null
  return published && { ...published, _id: id }
}
