import { isObject, words, type Document, type Finding, type Path } from '../check/finding.ts'

/** What an editor calls a place: "Quiz, step 6: You are far from alone", "Testimonial: J. S.". */

const NAMES = ['headline', 'outlet', 'name', 'title', 'productId'] as const
/** The words that an entry of a list is known by, in this order. */
const ENTRY_WORDS = ['title', 'label', 'question', 'heading', 'headline', 'name', 'text', 'button'] as const
const LONGEST = 60

/** What of a type of the Studio's schema names a place. */
export interface NamedType {
  name?: string
  title?: string | undefined
  fields?: readonly { name: string; type: NamedType }[]
  of?: readonly NamedType[]
}

/** The name of each finding's document and entry. `titleOf` gives a type's title in the Studio. */
export function placeNames(
  findings: readonly Finding[],
  documents: readonly Document[],
  titleOf: (type: string) => string,
): ReadonlyMap<Finding, string> {
  const byId = new Map(documents.map((document) => [document._id, document]))
  return new Map(
    findings.map((finding) => [
      finding,
      placeName(finding, byId.get(finding.documentId), titleOf(finding.documentType)),
    ]),
  )
}

export function placeName(
  { documentId, documentType, path }: Pick<Finding, 'documentId' | 'documentType' | 'path'>,
  document: Document | undefined,
  title: string,
): string {
  const [step] = documentType === 'quiz' ? crumbs(path.slice(0, 2), document, undefined) : []
  if (step?.startsWith('Step ')) return `${title}, ${step.replace('Step', 'step')}`
  if (documentId === documentType) return title
  const name = isObject(document) ? NAMES.map((one) => words(document[one])).find(Boolean) : undefined
  // an id says nothing to an editor
  return name ? `${title}: ${name}` : title
}

/** The same with the field: `Quiz / Step 4: When do your eyes bother you? / Name of the answer`. */
export function fullPlace(
  { documentId, documentType, path }: Pick<Finding, 'documentId' | 'documentType' | 'path'>,
  document: Document | undefined,
  schema: NamedType | undefined,
): string {
  const title = placeName({ documentId, documentType, path: [] }, document, schema?.title ?? documentType)
  return [title, ...crumbs(path, document, schema)].join(' / ')
}

/**
 * The way to a place within a document: `Step 4: When do your eyes bother you?`, `Options`, `2: Noon`, `Counted as`.
 * Lists are named by their entries. Without a schema only these are named.
 */
export function crumbs(path: Path, document: unknown, schema: NamedType | undefined): string[] {
  const found: string[] = []
  let [value, type] = [document, schema]
  for (const part of path) {
    if (typeof part === 'string') {
      type = type?.fields?.find(({ name }) => name === part)?.type
      value = isObject(value) ? value[part] : undefined
      found.push(type?.title ?? part)
      continue
    }
    const entries: unknown[] = Array.isArray(value) ? value : []
    const index =
      typeof part === 'number' ? part : entries.findIndex((one) => isObject(one) && one['_key'] === part._key)
    value = entries[index]
    // what is no longer there has no name
    if (value === undefined) return found
    const kind = isObject(value) ? words(value['_type']) : ''
    type = type?.of?.find(({ name }) => name === kind) ?? type?.of?.[0]
    const isStep = kind.endsWith('Step')
    // “Steps” says nothing beside “Step 4”
    if (isStep) found.pop()
    found.push(`${isStep ? 'Step ' : ''}${entryName(value, index + 1)}`)
  }
  return found
}

function entryName(entry: unknown, number: number): string {
  const text = isObject(entry) ? ENTRY_WORDS.map((one) => words(entry[one])).find(Boolean) : words(entry)
  const short = text && text.length > LONGEST ? `${text.slice(0, LONGEST).trimEnd()}…` : text
  return short ? `${number}: ${short}` : String(number)
}

/** A path as Sanity writes it, `steps[_key=="email"].title`, as a path; `pathText` is its opposite. */
export function pathOf(text: string): Path {
  return [...text.matchAll(/\[_key=="([^"]*)"\]|\[(\d+)\]|[^.[\]]+/g)].map(([all, key, index]) =>
    key !== undefined ? { _key: key } : index !== undefined ? Number(index) : all,
  )
}
