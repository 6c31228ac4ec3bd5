import { isObject, objects, words, type Document, type Finding } from '../check/finding.ts'

/** The fields that say best what a document is, in this order. */
const NAMES = ['headline', 'outlet', 'name', 'title', 'productId'] as const

/**
 * What an editor calls the place of each finding: "Quiz, step 6: You are far from alone", "Testimonial: J. S.".
 * `titleOf` gives a type's title in the Studio.
 */
export function placeNames(
  findings: readonly Finding[],
  documents: readonly Document[],
  titleOf: (type: string) => string,
): ReadonlyMap<Finding, string> {
  const byId = new Map(documents.map((document) => [document._id, document]))
  return new Map(
    findings.map((finding) => {
      const document = byId.get(finding.documentId)
      return [finding, [titleOf(finding.documentType), within(finding, document)].filter(Boolean).join('')]
    }),
  )
}

function within({ documentId, documentType, path }: Finding, document: Document | undefined): string {
  const [field, item] = path
  if (field === 'steps' && documentType === 'quiz' && typeof item === 'object') {
    const steps = objects(document?.['steps'])
    const at = steps.findIndex((step) => step['_key'] === item._key)
    if (at >= 0) return `, step ${at + 1}: ${words(steps[at]?.['title'])}`
  }
  if (documentId === documentType) return ''
  const name = isObject(document) ? NAMES.map((one) => words(document[one])).find(Boolean) : undefined
  return `: ${name ?? documentId}`
}
