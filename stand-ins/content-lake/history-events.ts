/**
 * `data/history/:dataset/events/documents/:id`: the history of a document as the Studio's history panel shows it
 * (created, published, unpublished, discarded, deleted), read from the transactions. The Studio itself finds the edits
 * in between.
 */
import { layerOf, type Json } from './documents.ts'
import { sendJson, type Call } from './http.ts'
import type { Dataset, Transaction } from './dataset.ts'

/** Newest first, `limit` at a time; `nextCursor` is the transaction to go on before, '' at the end. */
export function documentEvents(call: Call, dataset: Dataset, id: string): void {
  const { layer, publishedId } = layerOf(id)
  const versionId = layer === '' ? `drafts.${publishedId}` : id
  const limit = Math.min(Math.max(1, Number(call.query.get('limit')) || 100), 500)
  const cursor = call.query.get('nextCursor')
  const events: Json[] = []
  let nextCursor = ''
  let at = cursor ? dataset.history.findIndex((transaction) => transaction.id === cursor) : dataset.history.length
  while (--at >= 0) {
    const transaction = dataset.history[at] as Transaction
    const event = eventOf(transaction, publishedId, versionId)
    if (!event || (layer === '' && VERSION_ONLY.has(event.type as string))) continue
    events.push({ ...event, documentId: publishedId, timestamp: transaction.timestamp, author: transaction.author })
    if (events.length === limit) {
      nextCursor = transaction.id
      break
    }
  }
  sendJson(call.res, 200, { events: { [id]: events }, nextCursor })
}

/** Events that concern only a draft or version, not the published document. */
const VERSION_ONLY = new Set(['createDocumentVersion', 'deleteDocumentVersion'])

function eventOf({ id, changes, author }: Transaction, publishedId: string, versionId: string): Json | null {
  const published = changes.find((change) => change.id === publishedId)
  const version = changes.find((change) => change.id === versionId)
  if (published?.next && version?.prev && !version.next) {
    const versionRevisionId = version.prev._rev
    return {
      type: 'publishDocumentVersion',
      revisionId: id,
      versionId,
      versionRevisionId,
      publishCause: 'document.publish',
      contributors: [author],
    }
  }
  if (published?.prev && !published.next) {
    return version?.next
      ? { type: 'unpublishDocument', versionId, versionRevisionId: id }
      : { type: 'deleteDocumentGroup' }
  }
  if (version?.next && !version.prev) return { type: 'createDocumentVersion', versionId, versionRevisionId: id }
  if (version?.prev && !version.next)
    return { type: 'deleteDocumentVersion', versionId, versionRevisionId: version.prev._rev }
  if (published?.next) return { type: published.prev ? 'updateLiveDocument' : 'createLiveDocument', revisionId: id }
  return null
}
