import { ADD_ON_IDS, type AddOnId, product } from '../../contract/catalogue.ts'
import { DAYS, weekOf } from '../../contract/programme.ts'
import { IS_WRITTEN } from '../../contract/published.ts'
import { belongsToSite, pages } from '../../contract/site-routes.ts'
import { HOUR } from '../../contract/time.ts'
import { checkCopy, checkLaunch } from './copy.rules.ts'
import { checkDuties } from './duties.rules.ts'
import { at, isObject, objects, publishedId, reporter, walk, words } from './finding.ts'
import type { Document, Finding, LaunchCode, LaunchReport, Report } from './finding.ts'
import { linkedPage, linkFault, NO_PAGE } from './links.ts'
import { checkQuiz } from './quiz.rules.ts'

/**
 * The publish check (K-05): one set of rules for the Studio, which shows the findings at their fields and blocks
 * Publish, and for `npm run content:check`, which reads a whole dataset.
 */

export const SINGLETONS = ['settings', 'landing', 'quiz', 'checkout', 'offer', 'upsell', 'account', 'reading'] as const
export const REQUIRED_LEGAL_PAGES = [
  'terms-and-conditions',
  'subscription-terms',
  'money-back-guarantee',
  'contact-us',
  'privacy',
  'accessibility',
] as const
/** All content of a dataset, as the perspective has it. */
export const CONTENT_QUERY = `*[${IS_WRITTEN}]`
/** Paid content: an id with a dot is readable with a token only. */
export const PROGRAMME_TYPES = ['programmeWeek', 'programmeSession', 'guide'] as const
export const PROGRAMME_PREFIX = 'programme.'
/** The ids of its documents, behind the prefix. */
export const sessionPlace = (day: number): string => `session-${String(day).padStart(2, '0')}`
export const guidePlace = (id: AddOnId): string => id.replace('_', '-')

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

function checkAddOns(document: Document, report: Report): void {
  const ids = objects(document['addOns']).map((addOn) => words(addOn['id']))
  for (const id of ADD_ON_IDS) {
    const count = ids.filter((candidate) => candidate === id).length
    if (count !== 1)
      report(['addOns'], 'add_on_count', `The product ${id} has to stand here once; it stands here ${count} times.`)
  }
}

/** Somewhere it is this day by then. */
const dayBy = (moment: Date): string => new Date(moment.getTime() + 14 * HOUR).toISOString().slice(0, 10)

/**
 * The pages that every page links to keep their addresses: a renamed one would be missing from the whole site. None was
 * changed on a day to come; what is in a release is checked as of the day on which that is run.
 */
function checkLegalPage(document: Document, report: Report, when: Date): void {
  const day = words(document['updatedAt'])
  if (day > dayBy(when) && document['sample'] !== true && !document._id.startsWith('versions.'))
    report(
      ['updatedAt'],
      'changed_later',
      `“Last changed on” is ${day}, which is still to come, and the page would say it from today on. ` +
        'Enter the day on which this is published; for a later one, use a release.',
    )
  const slug = REQUIRED_LEGAL_PAGES.find((one) => publishedId(document) === `legal-${one}`)
  if (slug && document['slug'] !== slug)
    report(['slug'], 'moved_legal_page', `Every page links to /legal/${slug}: this address has to stay “${slug}”.`)
  const path = `/legal/${words(document['slug'])}`
  if (pages.some(({ shell }) => `/${shell}` === path)) report(['slug'], 'reserved_path', reserved(path))
}

const reserved = (path: string): string => `${path} belongs to the site itself. Choose another address.`

function checkTestimonial(document: Document, report: Report): void {
  if (document['verified'] === true && words(document['provenance']) === '') {
    report(
      ['provenance'],
      'verified_without_source',
      '“Verified” is shown only with a source: say where the words come from.',
    )
  }
}

function checkAdvertorial(document: Document, report: Report): void {
  const path = typeof document['path'] === 'string' ? document['path'] : ''
  if (path.trim() === '') {
    report(['path'], 'path', 'An address is needed.')
  } else if (!/^\/[a-z0-9-]+(\/[a-z0-9-]+)*$/.test(path)) {
    report(
      ['path'],
      'path',
      'An address begins with / and has small letters, digits and hyphens, such as /women-over60.',
    )
  } else if (belongsToSite(path)) {
    report(['path'], 'reserved_path', reserved(path))
  }
}

function checkProgrammeId(document: Document, report: Report): void {
  if (!publishedId(document).startsWith(PROGRAMME_PREFIX)) {
    report(
      [],
      'public_programme',
      'This document could be read by anyone who has not paid. Use the places in the list “Programme”, whose ' +
        'ids are protected.',
    )
  }
}

/** What src/members/Guide.tsx shows. */
const IN_GUIDES: readonly unknown[] = ['block', 'pullQuote']

function checkGuide(document: Document, report: Report): void {
  checkProgrammeId(document, report)
  objects(document['body']).forEach((block, index) => {
    if (IN_GUIDES.includes(block['_type'])) return
    const message = 'A guide shows text and pull quotes only: nobody would see this. Remove it.'
    report(['body', at(block, index)], 'not_shown', message)
  })
}

const NO_RECORDING =
  'Without a recording members can read this session but not listen to it: it never counts as listened, and the next ' +
  'day opens without it.'

const NO_MP3 =
  'A recording has to be an MP3: the length of another kind is not known, so that listening to it would not count, ' +
  'and not every browser plays it. Choose an MP3.'

function checkRecording(document: Document, report: Report): void {
  const { audio } = document
  const asset = isObject(audio) ? audio['asset'] : undefined
  // an id ends with the ending of the file
  const file = isObject(asset) ? words(asset['_ref']) : ''
  if (file !== '' && !/-mp3$/i.test(file)) report(['audio'], 'no_mp3', NO_MP3)
}

function checkSession(document: Document, report: Report): void {
  checkProgrammeId(document, report)
  checkRecording(document, report)
  if (!isObject(document['audio'])) report(['audio'], 'no_recording', NO_RECORDING, 'note')
  const steps = objects(document['steps'])
  const seconds = steps.reduce((sum, step) => sum + (typeof step['seconds'] === 'number' ? step['seconds'] : 0), 0)
  const minutes = document['minutes']
  if (typeof minutes === 'number' && Math.abs(seconds - minutes * 60) > 60) {
    report(
      ['minutes'],
      'session_length',
      `The steps take ${Math.round(seconds / 6) / 10} minutes, but the session says ${minutes}.`,
    )
  }
  steps.forEach((step, index) => {
    if (words(step['text']) === '')
      report(['steps', at(step, index), 'text'], 'empty', 'A step needs words: not everyone can see the animation.')
  })
}
