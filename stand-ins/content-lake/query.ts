/** GROQ over a dataset through groq-js: perspectives, read access, cached parsed queries, references by id. */
import { evaluateSync, parse, type ExprNode } from 'groq-js'
import { isPublic, layerOf, type Doc, type Json } from './documents.ts'
import { apiError, badRequest } from './errors.ts'
import { rewriteSearch, usesSearch } from './search.ts'
import type { Dataset } from './dataset.ts'

export type Perspective = 'raw' | 'published' | readonly string[]
/** Documents as one perspective shows them to one reader. */
export type View = { docs: Doc[]; byId: Map<string, Doc> }
export type QueryOptions = { perspective: Perspective; readAll: boolean; identity: string; projectId: string }

const MAX_QUERY = 200_000
const trees = new Map<string, { tree: ExprNode; params: readonly string[] }>()
const views = new WeakMap<Dataset, { version: number; views: Map<string, View> }>()

/**
 * The perspective of a request. Without one, API versions from 2025-02-19 read `published`, older ones
 * `raw` (https://www.sanity.io/docs/content-lake/perspectives). Names: raw, published, drafts
 * (previewDrafts), release ids in order.
 */
export function perspectiveOf(given: string | null, apiVersion: string): Perspective {
  if (given === null || given === '') return apiVersion === 'X' || apiVersion >= '2025-02-19' ? 'published' : 'raw'
  const names = given.split(',').map((name) => (name === 'previewDrafts' ? 'drafts' : name))
  if (names.length > 32 || names.some((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name)))
    throw badRequest(`perspective ${JSON.stringify(given.slice(0, 200))} is not valid`)
  if (names.length === 1 && (names[0] === 'raw' || names[0] === 'published')) return names[0]
  if (names.includes('raw')) throw badRequest('perspective "raw" cannot be combined with others')
  return names
}

/** The documents visible to a reader, cached until the next change. */
export function viewOf(dataset: Dataset, perspective: Perspective, readAll: boolean): View {
  let cache = views.get(dataset)
  if (!cache || cache.version !== dataset.version)
    views.set(dataset, (cache = { version: dataset.version, views: new Map() }))
  const key = `${readAll} ${String(perspective)}`
  const known = cache.views.get(key)
  if (known) return known
  // Without `order()` documents come by id, as from Sanity, not in the order of their last import.
  const readable = [...dataset.docs()]
    .filter((doc) => readAll || isPublic(doc._id))
    .sort((a, b) => (a._id < b._id ? -1 : 1))
  const byId = new Map<string, Doc>()
  if (perspective === 'raw') for (const doc of readable) byId.set(doc._id, doc)
  else if (perspective === 'published') {
    for (const doc of readable) if (layerOf(doc._id).layer === '') byId.set(doc._id, doc)
  } else {
    const gone = new Set<string>()
    // The first layer that has a document wins; the published state is below all named ones.
    for (const name of [...perspective.filter((layer) => layer !== 'published'), '']) {
      for (const doc of readable) {
        const { layer, publishedId } = layerOf(doc._id)
        if (layer !== name || byId.has(publishedId) || gone.has(publishedId)) continue
        // a release that takes a document away hides what lies below
        if ((doc._system as { delete?: boolean } | undefined)?.delete === true) gone.add(publishedId)
        else byId.set(publishedId, { ...doc, _id: publishedId, _originalId: doc._id })
      }
    }
  }
  const view = { docs: [...byId.values()], byId }
  if (cache.views.size < 64) cache.views.set(key, view)
  return view
}

/**
 * Runs a query. Throws `queryParseError` (with `start` and `end`, as the client expects) and missing parameters as 400.
 */
export function runQuery(dataset: Dataset, query: string, params: Json, options: QueryOptions): unknown {
  const view = viewOf(dataset, options.perspective, options.readAll)
  return evaluateOn(view, parsed(query, params), params, query, { ...options, dataset: dataset.name })
}

/** A parsed query that may be evaluated many times (listeners). */
export function parsed(query: string, params: Json): ExprNode {
  if (query.length > MAX_QUERY) throw badRequest('The query is too long')
  let entry = trees.get(query)
  if (!entry) {
    entry = parseQuery(query, params)
    // Slices bounded by a parameter are fixed when parsing: such a tree serves this request only.
    if (entry.params.length > 0 || !query.includes('$')) {
      if (trees.size >= 1000) trees.delete(trees.keys().next().value as string)
      trees.set(query, entry)
    }
  }
  const missing = entry.params.find((name) => !Object.hasOwn(params, name))
  if (missing !== undefined) throw queryError(query, `param $${missing} referenced, but not provided`, 0)
  return entry.tree
}

export function evaluateOn(
  view: View,
  tree: ExprNode,
  params: Json,
  query: string,
  context: { identity: string; projectId: string; dataset: string },
): unknown {
  const root = usesSearch(tree) ? rewriteSearch(tree, view.docs, params) : tree
  try {
    return evaluateSync(root, {
      dataset: view.docs,
      params,
      identity: context.identity,
      sanity: { projectId: context.projectId, dataset: context.dataset },
      dereference: (reference: { _ref: string }) => view.byId.get(reference._ref) as never,
    }).data
  } catch (cause) {
    throw apiError(400, 'queryEvaluationError', `The query cannot be run here: ${(cause as Error).message}`, { query })
  }
}

function parseQuery(query: string, params: Json) {
  try {
    let tree: ExprNode
    try {
      tree = parse(query)
    } catch (cause) {
      if (!query.includes('$')) throw cause
      tree = parse(query, { params })
      return { tree, params: [] }
    }
    const names = new Set<string>()
    const walk = (node: unknown): void => {
      if (Array.isArray(node)) return node.forEach(walk)
      if (typeof node !== 'object' || node === null) return
      if ((node as Json).type === 'Parameter') names.add(String((node as Json).name))
      Object.values(node).forEach(walk)
    }
    walk(tree)
    return { tree, params: [...names] }
  } catch (cause) {
    throw queryError(query, (cause as Error).message, (cause as { position?: number }).position ?? 0)
  }
}

const queryError = (query: string, description: string, start: number) =>
  apiError(400, 'queryParseError', description, { query, start, end: Math.min(query.length, start + 1) })
