/**
 * The texts and pictures, from the documents behind a page, that may be visible on it, with their place in the Studio
 * (K-04). Pure: raw answers of the content lake in, a flat list out. Values that rules compare (keys, addresses,
 * choices) are left out.
 */
export interface DraftField {
  documentId: string
  documentType: string
  /** As the Studio writes it: `steps[_key=="email"].title`. */
  path: string
  /** Text as the editor wrote it, with its placeholders; for a picture the hash of its file. */
  show: string
  kind: 'text' | 'picture'
}

/** Fields that a visitor never reads as they are, beside those of the lake itself (`_id`, `_key` …). */
const SILENT = new Set([
  ...['id', 'productId', 'storageKey', 'value', 'values', 'multiple', 'show', 'showIf'],
  ...['slug', 'path', 'href', 'url', 'next', 'target'],
  ...['icon', 'layout', 'style', 'listItem', 'source', 'provenance'],
  ...['gtmId', 'metaPixelId', 'publishedAt', 'consentVersion'],
])
const ASSET = /^image-([A-Za-z0-9]+)-\d+x\d+-[a-z]+$/

/** Every visible field of the documents in these answers, in order; a field found in several answers appears once. */
export function draftFields(answers: readonly unknown[]): DraftField[] {
  const fields = new Map<string, DraftField>()
  for (const answer of answers) walk(answer, undefined, '', fields)
  return [...fields.values()]
}

type Holder = Pick<DraftField, 'documentId' | 'documentType'>

function walk(value: unknown, holder: Holder | undefined, path: string, fields: Map<string, DraftField>): void {
  const add = (kind: DraftField['kind'], show: string): void => {
    if (!holder || show.trim() === '') return
    fields.set(`${holder.documentId} ${path}`, { ...holder, path, show, kind })
  }
  if (typeof value === 'string') return add('text', value)
  if (Array.isArray(value)) {
    value.forEach((item: unknown, index) => {
      const key = (item as { _key?: unknown } | null)?._key
      walk(item, holder, `${path}[${typeof key === 'string' ? `_key=="${key}"` : index}]`, fields)
    })
    return
  }
  if (typeof value !== 'object' || value === null) return
  const object = value as Record<string, unknown>
  const { _id: id, _type: type } = object
  // a reference is resolved inside the answer: its fields belong to the other document
  if (typeof id === 'string' && typeof type === 'string') {
    const documentId = id.replace(/^(drafts|versions\.[^.]+)\./, '')
    return entries(object, { documentId, documentType: type }, '', fields)
  }
  const asset = ASSET.exec(String((object['asset'] as { _ref?: unknown } | undefined)?._ref ?? ''))
  if (asset?.[1]) return add('picture', asset[1])
  // a paragraph is edited as a whole
  if (type === 'block') return add('text', childrenText(object['children']))
  entries(object, holder, path, fields)
}

function entries(
  object: Record<string, unknown>,
  holder: Holder | undefined,
  path: string,
  fields: Map<string, DraftField>,
): void {
  for (const [name, value] of Object.entries(object)) {
    if (!name.startsWith('_') && !SILENT.has(name)) walk(value, holder, path === '' ? name : `${path}.${name}`, fields)
  }
}

function childrenText(children: unknown): string {
  if (!Array.isArray(children)) return ''
  return children.map((child: { text?: unknown } | null) => String(child?.text ?? '')).join('')
}
