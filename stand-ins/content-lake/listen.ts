/**
 * `data/listen`: server-sent events for every change that affects a query
 * (https://www.sanity.io/docs/http-reference/listen). A listener that returns with `Last-Event-ID` gets what it missed,
 * as far back as the history reaches.
 */
import { randomUUID } from 'node:crypto'
import type { ExprNode } from 'groq-js'
import { paramsOf } from './data.ts'
import { isPublic, layerOf, type Doc, type Json } from './documents.ts'
import { evaluateOn, parsed } from './query.ts'
import { effectsOf } from './history.ts'
import { openStream, type Stream } from './stream.ts'
import type { Call } from './http.ts'
import type { Dataset, Transaction } from './dataset.ts'
import type { Change } from './transactions.ts'
import type { Lake } from './lake.ts'

type Listener = {
  tree: ExprNode | null
  query: string
  params: Json
  concerns: (id: string) => boolean
  mutations: boolean
  result: boolean
  previous: boolean
  effects: boolean
  visibility: string
  context: { identity: string; projectId: string; dataset: string }
}

export function listen(lake: Lake, call: Call, dataset: Dataset): void {
  const { query } = call
  const text = query.get('query') ?? '*'
  const params = paramsOf(query)
  const flag = (name: string, otherwise: boolean) => (query.has(name) ? query.get(name) === 'true' : otherwise)
  // From 2025-02-19 on, releases are reported only on request.
  const versions = flag('includeAllVersions', call.version !== 'X' && call.version < '2025-02-19')
  const listener: Listener = {
    tree: text.trim() === '*' ? null : parsed(text, params),
    query: text,
    params,
    concerns: (id) => (call.who.readAll || isPublic(id)) && (versions || ['', 'drafts'].includes(layerOf(id).layer)),
    mutations: flag('includeMutations', true),
    result: flag('includeResult', false),
    previous: flag('includePreviousRevision', false),
    effects: query.get('effectFormat') === 'mendoza',
    visibility: query.get('visibility') ?? 'query',
    context: { identity: call.who.id, projectId: lake.projectId, dataset: dataset.name },
  }
  const missed = missedSince(dataset, call)
  const stream = openStream(call)
  const name = { listenerName: randomUUID().replaceAll('-', '').slice(0, 16) }
  if (missed) stream.send('welcomeback', name)
  else if (missed === null) stream.send('reset', {}, randomUUID())
  else stream.send('welcome', name)
  for (const transaction of missed ?? []) announce(dataset, listener, stream, transaction)
  stream.onClose(dataset.subscribe((transaction) => announce(dataset, listener, stream, transaction)))
}

/**
 * Transactions after the one a returning listener saw last; null when that is too long ago;
 * undefined for a new listener.
 */
function missedSince(dataset: Dataset, call: Call): Transaction[] | null | undefined {
  const last = call.req.headers['last-event-id']
  if (call.query.get('enableResume') !== 'true' || typeof last !== 'string' || last === '') return undefined
  const at = dataset.history.findLastIndex((transaction) => transaction.id === last.split('#')[0])
  return at < 0 ? null : dataset.history.slice(at + 1)
}

function announce(dataset: Dataset, listener: Listener, stream: Stream, transaction: Transaction): void {
  const hits: [Change, boolean, boolean][] = []
  for (const change of transaction.changes) {
    if (!listener.concerns(change.id)) continue
    const before = selects(dataset, listener, change.prev)
    const after = selects(dataset, listener, change.next)
    if (before || after) hits.push([change, before, after])
  }
  hits.forEach(([change, before, after], i) => {
    const eventId = `${transaction.id}#${change.id}`
    stream.send(
      'mutation',
      {
        eventId,
        documentId: change.id,
        transactionId: transaction.id,
        identity: transaction.author,
        transition: before && after ? 'update' : after ? 'appear' : 'disappear',
        visibility: listener.visibility,
        timestamp: transaction.timestamp,
        previousRev: change.prev?._rev,
        resultRev: transaction.id,
        transactionTotalEvents: hits.length,
        transactionCurrentEvent: i + 1,
        ...(listener.mutations ? { mutations: change.mutations } : {}),
        ...(listener.result && change.next ? { result: change.next } : {}),
        ...(listener.previous ? { previous: change.prev } : {}),
        ...(listener.effects ? { effects: effectsOf(change) } : {}),
      },
      eventId,
    )
  })
}

/** Whether the query picks this state of the document. References lead into the dataset as it is now. */
function selects(dataset: Dataset, { tree, query, params, context }: Listener, doc: Doc | null): boolean {
  if (!doc) return false
  if (!tree) return true
  try {
    const byId = { get: (id: string) => dataset.get(id) ?? undefined } as unknown as Map<string, Doc>
    const found = evaluateOn({ docs: [doc], byId }, tree, params, query, context)
    return Array.isArray(found) ? found.length > 0 : Boolean(found)
  } catch {
    return true // one event too many does no harm, a missing one does
  }
}
