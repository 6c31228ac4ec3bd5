/** What a document is, what its id means, and what it refers to. Pure. */
import { randomUUID } from 'node:crypto'
import { mutationError } from './errors.ts'

/** A stored document. Never changed in place: every change makes a new object that shares its untouched parts. */
export type Doc = {
  _id: string
  _type: string
  _rev: string
  _createdAt: string
  _updatedAt: string
  [field: string]: unknown
}
export type Json = Record<string, unknown>

const ID = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/

/** The id of a new document: as given, completed (`'prefix.'`), or generated. Throws on characters Sanity refuses. */
export function newId(given: unknown, index = 0): string {
  if (given === undefined || given === null || given === '') return randomUUID()
  if (typeof given === 'string' && given.endsWith('.')) return newId(given + randomUUID(), index)
  return checkedId(given, index)
}

/** Returns an id that Sanity accepts (letters, digits, `.`, `_`, `-`; at most 128), else throws an error of the API. */
export function checkedId(id: unknown, index = 0): string {
  if (typeof id === 'string' && ID.test(id) && !id.includes('..') && !id.endsWith('.')) return id
  throw mutationError(400, 'validationError', `Document ID ${JSON.stringify(id)} is not valid`, { id }, index)
}

/** `drafts.x` and `versions.release.x` are other states of document `x`; layer '' is the published one. */
export function layerOf(id: string): { layer: string; publishedId: string } {
  if (id.startsWith('drafts.')) return { layer: 'drafts', publishedId: id.slice(7) }
  const version = /^versions\.([^.]+)\.(.+)$/.exec(id)
  if (version) return { layer: version[1] as string, publishedId: version[2] as string }
  return { layer: '', publishedId: id }
}

/** Anyone may read it: it is published and its id has no dot (Sanity's rule for public datasets). */
export const isPublic = (id: string) => !id.includes('.')

const refsOf = new WeakMap<object, ReadonlySet<string>>()

/** The ids of all documents that `doc` needs to exist: its references without `_weak`, within this dataset. */
export function strongRefs(doc: Doc): ReadonlySet<string> {
  const known = refsOf.get(doc)
  if (known) return known
  const found = new Set<string>()
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(walk)
    if (typeof value !== 'object' || value === null) return
    const { _ref, _weak, _dataset } = value as Json
    if (typeof _ref === 'string') {
      if (_weak !== true && _dataset === undefined) found.add(_ref)
      return
    }
    Object.values(value).forEach(walk)
  }
  walk(doc)
  refsOf.set(doc, found)
  return found
}

/**
 * Gives every object in an array a `_key`, as the real-time engine needs. `key` makes one
 * from the path. Changes `value`.
 */
export function assignKeys<T>(value: T, key: (path: string) => string, path = ''): T {
  if (Array.isArray(value)) {
    value.forEach((item: unknown, i) => {
      const at = `${path}[${i}]`
      if (typeof item === 'object' && item !== null && !Array.isArray(item)) (item as Json)._key ??= key(at)
      assignKeys(item, key, at)
    })
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, child] of Object.entries(value)) assignKeys(child, key, `${path}.${name}`)
  }
  return value
}

/** Turns references that were weak only until their target is published (`_strengthenOnPublish`) into strong ones. */
export function strengthen(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strengthen)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, strengthen(child)])) as Json
  const { _strengthenOnPublish: mark } = copy as { _strengthenOnPublish?: { weak?: boolean } }
  if (!mark) return copy
  delete copy._strengthenOnPublish
  if (mark.weak !== true) delete copy._weak
  return copy
}
