/** What a launch waits for; each has its heading in the Studio's list before a launch. */
export type LaunchCode =
  | 'unmet_duty'
  | 'no_label'
  | 'missing_days'
  | 'claim_without_source'
  | 'saving_not_in_catalogue'
  | 'example_address'
  | 'sample_content'

/** What the publish check says about a document (K-05). */
export interface Finding {
  /**
   * `error` blocks publishing and builds; `launch` warns in the Studio and stops a production build only; `note` is
   * something to know.
   */
  level: 'error' | 'launch' | 'note'
  /** Stable name of the rule. */
  code: string
  documentId: string
  documentType: string
  path: Path
  /** For an editor: what is wrong and what to do. */
  message: string
}

/** A path as the Studio knows it: field names, array items by key (or index where they have none). */
export type Path = readonly (string | number | { _key: string })[]

/** A document as it lies in a dataset, before anything is known of it. */
export type Document = Readonly<Record<string, unknown>> & { readonly _id: string; readonly _type: string }

export type Report = (path: Path, code: string, message: string, level?: 'error' | 'note') => void

export interface LaunchReport extends Report {
  (path: Path, code: LaunchCode, message: string, level: 'launch'): void
}

/** The id that a document has once it is published: a draft is checked as what it will become. */
export const publishedId = ({ _id }: Document): string => _id.replace(/^(drafts|versions\.[^.]+)\./, '')

/** Collects findings for one document. */
export function reporter(document: Document, findings: Finding[]): LaunchReport {
  const documentId = publishedId(document)
  return (path: Path, code: string, message: string, level: Finding['level'] = 'error') =>
    void findings.push({ level, code, documentId, documentType: document._type, path, message })
}

/** `steps[_key=="email"].title`, as Sanity writes paths. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    if (typeof part === 'object') return `${text}[_key=="${part._key}"]`
    return text === '' ? part : `${text}.${part}`
  }, '')
}

/** The names of the fields on a path, without list items. */
export const fieldNames = (path: Path): string[] => path.filter((part) => typeof part === 'string')

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The items of an array field that are objects; anything else is none. */
export function objects(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function words(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}

/** Address of an array item. */
export function at(item: Record<string, unknown>, index: number): { _key: string } | number {
  return typeof item['_key'] === 'string' ? { _key: item['_key'] } : index
}

/** What stands at a place of a document; array items are found by their keys. */
export function valueAt(value: unknown, path: readonly (string | number | object)[]): unknown {
  return path.reduce<unknown>((inner, part) => {
    if (typeof part === 'string') return isObject(inner) ? inner[part] : undefined
    if (typeof part === 'object' && '_key' in part) return objects(inner).find(({ _key }) => _key === part._key)
    return undefined
  }, value)
}

/** The lists in which a document stands, such as the testimonials of a step. */
export function listingsOf(
  id: string,
  documents: readonly Document[],
): Pick<Finding, 'documentId' | 'documentType' | 'path'>[] {
  return documents.flatMap((document) => {
    const lists: Path[] = []
    walk(document, (value, path) => {
      if (isObject(value) && value['_ref'] === id) lists.push(path.slice(0, -1))
    })
    return lists.map((path) => ({ documentId: publishedId(document), documentType: document._type, path }))
  })
}

/** Visits every value below a document with its path and the object that holds it. */
export function walk(
  value: unknown,
  visit: (value: unknown, path: Path, holder: Record<string, unknown> | undefined) => void,
  path: Path = [],
  holder?: Record<string, unknown>,
): void {
  visit(value, path, holder)
  if (Array.isArray(value)) {
    value.forEach((item, index) => walk(item, visit, [...path, isObject(item) ? at(item, index) : index], holder))
  } else if (isObject(value)) {
    for (const [name, field] of Object.entries(value))
      if (!name.startsWith('_')) walk(field, visit, [...path, name], value)
  }
}
