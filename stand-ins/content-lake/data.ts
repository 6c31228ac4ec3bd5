/** The data endpoints: query, doc, mutate, actions, export. */
import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import type { Stored } from './action-run.ts'
import { parseActions, runAction } from './actions.ts'
import { assignKeys, isPublic, type Json } from './documents.ts'
import { badRequest, unauthorized } from './errors.ts'
import { readJson, sendJson, type Call } from './http.ts'
import { asOf } from './history.ts'
import { publishDue, refuseLocked } from './releases.ts'
import { evaluateOn, parsed, perspectiveOf, runQuery } from './query.ts'
import { KINDS, type Kind, type Result, type Work } from './transactions.ts'
import type { Dataset } from './dataset.ts'
import type { Lake } from './lake.ts'

const MAX_MUTATIONS = 10_000

/** `$name=<json>` of the query string. */
export function paramsOf(query: URLSearchParams): Json {
  const params: Json = {}
  for (const [name, value] of query) {
    if (!name.startsWith('$')) continue
    try {
      params[name.slice(1)] = JSON.parse(value)
    } catch {
      throw badRequest(`Unable to parse value of parameter "${name}": it must be JSON`)
    }
  }
  return params
}

/** GET with everything in the address, POST with `{query, params}` in the body. */
export async function query(lake: Lake, call: Call, dataset: Dataset): Promise<void> {
  const body = call.method === 'POST' ? await readJson(call.req) : {}
  const text = body.query ?? call.query.get('query')
  if (typeof text !== 'string' || text === '') throw badRequest('"query" is required')
  const params = { ...paramsOf(call.query), ...(body.params as Json | undefined) }
  const given = call.query.get('perspective') ?? (typeof body.perspective === 'string' ? body.perspective : null)
  const started = performance.now()
  const result = runQuery(dataset, text, params, {
    perspective: perspectiveOf(given, call.version),
    readAll: call.who.readAll,
    identity: call.who.id,
    projectId: lake.projectId,
  })
  const ms = Math.round(performance.now() - started)
  const echo = call.query.get('returnQuery') === 'false' ? {} : { query: text }
  sendJson(call.res, 200, { ...echo, result: result ?? null, syncTags: ['s1:all'], ms })
}

/** Documents by id as they are stored; what is missing or hidden is listed under `omitted`. */
export function documents(call: Call, dataset: Dataset, ids: string): void {
  const wanted = [...new Set(ids.split(',').filter((id) => id !== ''))].slice(0, 1000)
  const found = wanted.flatMap((id) => dataset.get(id) ?? [])
  const readable = found.filter((doc) => call.who.readAll || isPublic(doc._id))
  const omitted = wanted
    .filter((id) => !readable.some((doc) => doc._id === id))
    .map((id) => ({ id, reason: found.some((doc) => doc._id === id) ? 'permission' : 'existence' }))
  sendJson(call.res, 200, { documents: readable, omitted })
}

export async function mutate(lake: Lake, call: Call, dataset: Dataset): Promise<void> {
  if (!call.who.write) throw unauthorized()
  const body = await readJson(call.req)
  const { mutations } = body
  if (!Array.isArray(mutations)) throw badRequest('"mutations" must be an array')
  if (mutations.length > MAX_MUTATIONS) throw badRequest(`A transaction holds at most ${MAX_MUTATIONS} mutations`)
  const flag = (name: string) => call.query.get(name) === 'true'
  const keyed = flag('autoGenerateArrayKeys')
  const { transactionId, results, durable } = dataset.commit(
    { author: call.who.id, transactionId: idOf(body.transactionId), dryRun: flag('dryRun') },
    (work) => {
      mutations.forEach((mutation: unknown, index) => {
        const kind = KINDS.find(
          (name) => typeof (mutation as Json | null)?.[name] === 'object' && (mutation as Json)[name] !== null,
        )
        if (!kind) throw badRequest(`Mutation ${index} is none of ${KINDS.join(', ')}`)
        const given = (mutation as Json)[kind] as Json
        const content = keyed ? assignKeys(given, () => randomUUID().slice(0, 12).replace('-', '')) : given
        applyMutation(lake, dataset, work, call, kind, content, index)
      })
      refuseLocked(work, dataset)
    },
  )
  await durable
  sendJson(call.res, 200, { transactionId, results: shown(results, flag('returnIds'), flag('returnDocuments')) })
}

/** One result per document; none without `returnIds` or `returnDocuments`, as documented. */
function shown(results: Result[], ids: boolean, docs: boolean) {
  if (docs) return results
  return ids ? results.map(({ id, operation }) => ({ id, operation })) : []
}

function applyMutation(lake: Lake, dataset: Dataset, work: Work, call: Call, kind: Kind, given: Json, index: number) {
  if ((kind !== 'patch' && kind !== 'delete') || typeof given.query !== 'string') return work.apply(kind, given, index)
  const { query: text, params = {}, ...rest } = given
  // The query sees what earlier mutations of the same transaction have done.
  const byId = new Map([...dataset.docs()].map((doc) => [doc._id, doc]))
  for (const [id, doc] of work.touched()) {
    if (doc) byId.set(id, doc)
    else byId.delete(id)
  }
  const view = { docs: [...byId.values()], byId }
  const context = { identity: call.who.id, projectId: lake.projectId, dataset: dataset.name }
  const found = evaluateOn(view, parsed(text as string, params as Json), params as Json, text as string, context)
  const hits = (Array.isArray(found) ? found : [found]).filter(
    (hit): hit is Json => typeof (hit as Json | null)?._id === 'string',
  )
  if (hits.length > MAX_MUTATIONS) throw badRequest(`The query selects more than ${MAX_MUTATIONS} documents`)
  for (const hit of hits) work.apply(kind, { ...rest, id: hit._id }, index)
}

const storedIn = (dataset: Dataset): Stored => ({
  ids: () => dataset.ids(),
  asOf: (id, revision) => asOf(dataset, id, revision),
})

export async function actions(call: Call, dataset: Dataset): Promise<void> {
  if (!call.who.write) throw unauthorized()
  const body = await readJson(call.req)
  const list = parseActions(body.actions)
  const { transactionId, durable } = dataset.commit(
    { author: call.who.id, transactionId: idOf(body.transactionId), dryRun: body.dryRun === true },
    (work) => {
      list.forEach((action, index) => runAction(work, action, index, storedIn(dataset)))
      refuseLocked(work, dataset)
    },
  )
  await durable
  sendJson(call.res, 200, { transactionId })
}

/** Publishes the releases of a dataset whose time has come. */
export function publishOnTime(dataset: Dataset): Promise<void> {
  return publishDue(dataset, (work, action) => runAction(work, action, 0, storedIn(dataset)))
}

function idOf(given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined
  if (typeof given !== 'string') throw badRequest('transactionId must be a string')
  return given
}

/** Every readable document, one per line: the input of `@sanity/export`. */
export async function exportAll(call: Call, dataset: Dataset): Promise<void> {
  const types = call.query.get('types')?.split(',')
  call.res.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' })
  for (const doc of [...dataset.docs()]) {
    if ((types && !types.includes(doc._type)) || !(call.who.readAll || isPublic(doc._id))) continue
    if (!call.res.write(`${JSON.stringify(doc)}\n`)) await once(call.res, 'drain')
  }
  call.res.end()
}

/**
 * The documents that refer to one. The Studio asks before a delete with `excludeInternalReferences`, which leaves only
 * references from other datasets: there are none here.
 */
export function references(call: Call, dataset: Dataset, id: string): void {
  if (!call.who.readAll) throw unauthorized()
  const internal = call.query.get('excludeInternalReferences') !== 'true'
  const options = { perspective: 'raw', readAll: true, identity: call.who.id, projectId: '' } as const
  const found = internal ? (runQuery(dataset, '*[references($id)]._id', { id }, options) as string[]) : []
  sendJson(call.res, 200, { references: found.map((documentId) => ({ documentId })), totalCount: found.length })
}
