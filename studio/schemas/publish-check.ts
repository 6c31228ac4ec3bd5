import type { CustomValidatorResult, DocumentRule, SanityDocument, ValidationContext } from 'sanity'
import { weekOf } from '../../contract/programme.ts'
import { checkDocument, noWeek } from '../check/rules.ts'
import type { Document, Finding } from '../check/finding.ts'

/** The publish check as validation of a document type: broken content blocks Publish, launch findings warn (K-05). */
export function publishCheck(...uniqueFields: readonly string[]) {
  return (rule: DocumentRule) => [
    rule.custom((value) => results(value, 'error')).error(),
    rule.custom((value) => results(value, 'launch')).warning(),
    rule.custom((value) => results(value, 'note')).info(),
    ...uniqueFields.map((field) => rule.custom((value, context) => isUnique(value, field, context)).error()),
  ]
}

const checked = new WeakMap<Document, Finding[]>()

/** Each level is a rule of its own, and all of them look at the same document. */
function checkOnce(document: Document): Finding[] {
  const findings = checked.get(document) ?? checkDocument(document)
  checked.set(document, findings)
  return findings
}

function results(value: unknown, level: Finding['level']): CustomValidatorResult {
  const document = value as SanityDocument | null | undefined
  if (!document?._id) return true
  const found = checkOnce(document as Document).filter((finding) => finding.level === level)
  return found.length === 0 ? true : found.map(({ message, path }) => ({ message, path: [...path] }))
}

const releaseOf = (document: SanityDocument | undefined) => /^versions\.([^.]+)\./.exec(document?._id ?? '')?.[1]

async function isUnique(value: unknown, field: string, context: ValidationContext): Promise<CustomValidatorResult> {
  const document = value as SanityDocument | undefined
  const wanted = document?.[field]
  if (document === undefined || wanted === undefined || wanted === null || wanted === '') return true
  const [, id = document._id] = /^(?:drafts|versions\.[^.]+)\.(.+)$/.exec(document._id) ?? []
  const release = releaseOf(document)
  const taken = await context
    .getClient({ apiVersion: '2026-03-01' })
    // in a release, among documents as they would be then; else other releases are none of its business
    .withConfig({ perspective: release === undefined ? 'raw' : [release] })
    .fetch<string | null>(
      `*[_type == $type && ${field} == $wanted && !(_id in [$id, $draft]) && !(_id in path("versions.**"))][0]._id`,
      { type: document._type, wanted, id, draft: `drafts.${id}` },
    )
  return taken === null ? true : { message: `“${String(wanted)}” is taken by another document.`, path: [field] }
}

/** For the day of a session: the week that lists it has to be published first, or in the same release. */
export async function hasItsWeek(
  day: number | undefined,
  { document, getClient }: ValidationContext,
): Promise<true | string> {
  if (day === undefined) return true
  const [week, release] = [weekOf(day), releaseOf(document)]
  const missing = await getClient({ apiVersion: '2026-03-01' })
    .withConfig({ perspective: release === undefined ? 'published' : [release] })
    .fetch<boolean | null>('count(*[_type == "programmeWeek" && number == $week]) == 0', { week })
  return missing !== true || noWeek(week)
}
