import { ADD_ON_IDS, type AddOnId, product } from '../../contract/catalogue.ts'
import { DAYS, weekOf } from '../../contract/programme.ts'
import { IS_WRITTEN } from '../../contract/published.ts'
import { checkCopy, checkLaunch } from './copy.rules.ts'
import { checkDuties } from './duties.rules.ts'
import { isObject, reporter, walk, words } from './finding.ts'
import type { Document, Finding, LaunchCode, LaunchReport, Report } from './finding.ts'
import { linkedPage, linkFault, NO_PAGE } from './links.ts'
import { checkAddOns, checkAdvertorial, checkLegalPage, checkTestimonial, REQUIRED_LEGAL_PAGES } from './page.rules.ts'
import {
  checkGuide,
  checkProgrammeId,
  checkRecording,
  checkSession,
  guidePlace,
  PROGRAMME_PREFIX,
  sessionPlace,
} from './programme.rules.ts'
import { checkQuiz } from './quiz.rules.ts'

/**
 * The publish check (K-05): one set of rules for the Studio, which shows the findings at their fields and blocks
 * Publish, and for `npm run content:check`, which reads a whole dataset.
 */

export const SINGLETONS = ['settings', 'landing', 'quiz', 'checkout', 'offer', 'upsell', 'account', 'reading'] as const
/** All content of a dataset, as the perspective has it. */
export const CONTENT_QUERY = `*[${IS_WRITTEN}]`
/** Paid content. */
export const PROGRAMME_TYPES = ['programmeWeek', 'programmeSession', 'guide'] as const
const BY_TYPE: Readonly<Record<string, (document: Document, report: LaunchReport, when: Date) => void>> = {
  settings: checkDuties,
  quiz: checkQuiz,
  checkout: checkRecording,
  upsell: checkAddOns,
  testimonial: checkTestimonial,
  advertorial: checkAdvertorial,
  legalPage: checkLegalPage,
  programmeWeek: checkProgrammeId,
  programmeSession: checkSession,
  guide: checkGuide,
}

/** What is wrong with one document by itself, if it is published `when`. */
export function checkDocument(document: Document, when = new Date()): Finding[] {
  const findings: Finding[] = []
  const report = reporter(document, findings)
  checkCopy(document, report)
  checkUnfinished(document, report)
  checkLinks(document, report)
  BY_TYPE[document._type]?.(document, report, when)
  checkLaunch(document, report)
  return findings
}

/**
 * What is wrong with a whole dataset of documents that are published `when`: each by itself, and together. Read without
 * a token, `documents` are the public ones only: then nothing is said of paid content that is missing.
 */
export function checkDataset(
  documents: readonly Document[],
  read: 'all' | 'public' = 'all',
  when = new Date(),
): Finding[] {
  const findings = documents.flatMap((document) => checkDocument(document, when))
  const ids = new Set(documents.map(({ _id }) => _id))
  const missing = (documentType: string, documentId: string, message: string) =>
    findings.push({ level: 'error', code: 'missing_document', documentId, documentType, path: [], message })

  for (const type of SINGLETONS) {
    if (!ids.has(type)) missing(type, type, 'This document is missing or not published.')
  }
  for (const slug of REQUIRED_LEGAL_PAGES) {
    if (!documents.some((document) => document._type === 'legalPage' && document['slug'] === slug)) {
      missing('legalPage', `legal-${slug}`, `The legal page /legal/${slug} is missing or not published.`)
    }
  }
  for (const week of weeksWithout(documents)) missing('programmeWeek', `${PROGRAMME_PREFIX}week-${week}`, noWeek(week))
  if (read === 'all') {
    for (const id of guidesWithout(documents)) missing('guide', `${PROGRAMME_PREFIX}${guidePlace(id)}`, noGuide(id))
    checkDays(documents, findings)
  }
  for (const document of documents) {
    const report = reporter(document, findings)
    checkLinkedPages(document, documents, report)
    walk(document, (value, path) => {
      const target = value as { _ref?: unknown; _weak?: unknown } | null
      if (typeof target?._ref !== 'string' || target._weak === true) return
      if (!ids.has(target._ref) && !/^(image|file)-/.test(target._ref)) {
        report(path, 'dead_reference', `This points to “${target._ref}”, which does not exist or is not published.`)
      }
    })
  }
  unique(documents, 'advertorial', 'path', findings)
  unique(documents, 'legalPage', 'slug', findings)
  unique(documents, 'programmeWeek', 'number', findings)
  unique(documents, 'programmeSession', 'day', findings)
  unique(documents, 'guide', 'productId', findings)
  return findings
}

/** What the documents of a type have in a field. */
const valuesOf = (documents: readonly Document[], type: string, field: string): Set<unknown> =>
  new Set(documents.filter(({ _type }) => _type === type).map((document) => document[field]))

/** The weeks that have sessions but no document. */
function weeksWithout(documents: readonly Document[]): number[] {
  const there = valuesOf(documents, 'programmeWeek', 'number')
  const days = [...valuesOf(documents, 'programmeSession', 'day')].filter((day) => typeof day === 'number')
  return [...new Set(days.map(weekOf))].filter((week) => !there.has(week))
}

/** The add-ons that are sold and cannot be opened. */
function guidesWithout(documents: readonly Document[]): AddOnId[] {
  const there = valuesOf(documents, 'guide', 'productId')
  return ADD_ON_IDS.filter((id) => !there.has(id))
}

const noGuide = (id: AddOnId): string =>
  `“${product(id).name}” is sold, but its guide is missing or not published: who buys it would find nothing.`

/** All days that are sold, in one finding: the programme opens without some, and a launch waits for them. */
function checkDays(documents: readonly Document[], findings: Finding[]): void {
  const there = valuesOf(documents, 'programmeSession', 'day')
  const gone = Array.from({ length: DAYS }, (_, index) => index + 1).filter((day) => !there.has(day))
  if (gone[0] === undefined) return
  findings.push({
    level: 'launch',
    code: 'missing_days' satisfies LaunchCode,
    documentId: `${PROGRAMME_PREFIX}${sessionPlace(gone[0])}`,
    documentType: 'programmeSession',
    path: [],
    message: `All ${DAYS} days are sold. These are missing or not published: ${gone.join(', ')}.`,
  })
}

export const noWeek = (week: number): string =>
  `Week ${week} of the programme is missing or not published: buyers would not find its sessions.`

function unique(documents: readonly Document[], type: string, field: string, findings: Finding[]): void {
  const seen = new Map<unknown, string>()
  for (const document of documents) {
    if (document._type !== type) continue
    const value = document[field]
    const other = seen.get(value)
    if (other !== undefined) {
      reporter(document, findings)([field], 'duplicate', `“${String(value)}” is taken by the document “${other}”.`)
    }
    seen.set(value, document._id)
  }
}

/** What is left of entries and uploads that were begun: the site cannot show them (contract/content). */
function checkUnfinished(document: Document, report: Report): void {
  walk(document, (value, path) => {
    if (value === null && typeof path.at(-1) === 'number') {
      report(path, 'empty_entry', 'An entry of this list is empty. Remove it.')
    }
    if (!isObject(value)) return
    if (isObject(value['_upload'])) {
      // The Studio keeps the progress of an upload in the document. Published meanwhile, the page has no picture, and
      // what the upload still writes takes the publish back, or makes a draft after it.
      report(path, 'uploading', 'This is still being uploaded. Publish once it is here, or remove it.')
    } else if (value['_type'] === 'picture' && typeof path.at(-1) !== 'string' && !hasAsset(value)) {
      // a picture's field may be empty; a picture that was put into a text may not
      report(path, 'no_picture', 'There is no picture here yet. Choose one, or remove this place.')
    }
  })
}

// `_sanityAsset` stands for it in a file that is to be imported
const hasAsset = (picture: Record<string, unknown>) => isObject(picture['asset']) || '_sanityAsset' in picture

function checkLinks(document: Document, report: Report): void {
  walk(document, (value, path) => {
    if (path.at(-1) !== 'href') return
    const fault = linkFault(typeof value === 'string' ? value : '')
    if (fault !== undefined) report(path, 'address', fault)
  })
}

/** A link that leads nowhere yet: its page may come later, so it stops nothing. */
function checkLinkedPages(document: Document, documents: readonly Document[], report: Report): void {
  walk(document, (value, path) => {
    const page = path.at(-1) === 'href' ? linkedPage(words(value)) : undefined
    if (page && !documents.some((other) => other._type === page.type && other[page.field] === page.address))
      report(path, 'no_page', NO_PAGE, 'note')
  })
}
