// Lists: newest first, cursors, `created` ranges.
import { type Kind, type Kinds } from '../types.ts'
import { type Tx } from '../state.ts'
import { invalid, missing } from './errors.ts'

export interface Paging {
  limit?: number
  starting_after?: string
  ending_before?: string
  created?: number | { gt?: number; gte?: number; lt?: number; lte?: number }
}

function within(at: number, range: Paging['created']): boolean {
  if (range === undefined) return true
  if (typeof range === 'number') return at === range
  return (
    at > (range.gt ?? -Infinity) &&
    at >= (range.gte ?? -Infinity) &&
    at < (range.lt ?? Infinity) &&
    at <= (range.lte ?? Infinity)
  )
}

/** One page of a list object. `keep` filters. Throws 400 for a bad limit or an unknown cursor. */
export function page<K extends Kind>(
  tx: Tx,
  kind: K,
  params: Paging,
  url: string,
  keep: (object: Kinds[K]) => boolean = () => true,
): { object: 'list'; data: Kinds[K][]; has_more: boolean; url: string } {
  return pageOf(tx.all(kind).reverse().filter(keep), kind, params, url)
}

/** One page of objects that are already in order, newest first. */
export function pageOf<T extends { id: string }>(
  all: T[],
  kind: string,
  params: Paging,
  url: string,
): { object: 'list'; data: T[]; has_more: boolean; url: string } {
  const limit = params.limit ?? 10
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw invalid(`Invalid limit: must be between 1 and 100`, { code: 'parameter_invalid_integer', param: 'limit' })
  }
  const cursor = (id: string, param: string): number => {
    const index = all.findIndex((one) => one.id === id)
    if (index === -1) throw missing(kind, id, param)
    return index
  }
  let rows = all
  if (params.created !== undefined) {
    rows = rows.filter((one) => within((one as { created?: number }).created ?? 0, params.created))
  }
  if (params.ending_before !== undefined) {
    const end = cursor(params.ending_before, 'ending_before')
    const before = new Set(all.slice(0, end))
    const newer = rows.filter((one) => before.has(one))
    return { object: 'list', data: newer.slice(-limit), has_more: newer.length > limit, url }
  }
  if (params.starting_after !== undefined) {
    const start = cursor(params.starting_after, 'starting_after')
    const older = new Set(all.slice(start + 1))
    rows = rows.filter((one) => older.has(one))
  }
  return { object: 'list', data: rows.slice(0, limit), has_more: rows.length > limit, url }
}
