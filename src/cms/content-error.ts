import type { z } from 'zod'

/** One thing wrong with one document, as an editor finds it in the Studio (K-06). */
export interface ContentIssue {
  documentId: string
  documentType: string
  /** Path in the document; array items by their key, as Sanity writes them: `steps[_key=="frequency"].title`. */
  field: string
  reason: string
}

/** The content does not have the shape the pages need. A build stops with it; nothing half-parsed is rendered. */
export class ContentError extends Error {
  override name = 'ContentError'
  readonly issues: readonly ContentIssue[]

  constructor(issues: readonly ContentIssue[]) {
    const lines = issues.map(
      ({ documentType, documentId, field, reason }) =>
        `  ${documentType} "${documentId}"${field === '' ? '' : `, field ${field}`}: ${reason}`,
    )
    super(`The content has ${issues.length === 1 ? 'a problem' : `${issues.length} problems`}:\n${lines.join('\n')}`)
    this.issues = issues
  }
}

/** How to name a document when the query found nothing. */
interface Expected {
  id: string
  type: string
}

/** Parses one query result, or throws ContentError naming document, type, field and reason of everything wrong. */
export function parseDocument<T>(schema: z.ZodType<T>, raw: unknown, expected: Expected): T {
  if (raw === null || raw === undefined) {
    throw new ContentError([
      {
        documentId: expected.id,
        documentType: expected.type,
        field: '',
        reason: 'does not exist, or was never published',
      },
    ])
  }
  const result = schema.safeParse(raw)
  if (result.success) return result.data
  throw new ContentError(result.error.issues.map((issue) => locate(raw, issue, expected)))
}

// A reference is resolved inside the result, so the document to open is the innermost one on the path to the field.
function locate(root: unknown, issue: z.core.$ZodIssue, expected: Expected): ContentIssue {
  let node = root
  let document = documentOf(root) ?? expected
  let field = ''
  for (const part of issue.path) {
    node = (node as Record<PropertyKey, unknown> | undefined)?.[part]
    const inner = documentOf(node)
    if (inner !== undefined) {
      document = inner
      field = ''
    } else if (typeof part === 'number') {
      const key = (node as { _key?: unknown } | null | undefined)?._key
      field += typeof key === 'string' ? `[_key=="${key}"]` : `[${part}]`
    } else {
      field += field === '' ? String(part) : `.${String(part)}`
    }
  }
  return { documentId: document.id, documentType: document.type, field, reason: reasonOf(issue, node) }
}

function documentOf(node: unknown): Expected | undefined {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return undefined
  const { _id: id, _type: type } = node as { _id?: unknown; _type?: unknown }
  return typeof id === 'string' && typeof type === 'string' ? { id, type } : undefined
}

function reasonOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'custom' || issue.code === 'too_small' || issue.code === 'too_big') return issue.message
  if (value === undefined || value === null) return 'is missing'
  return issue.message
}
