import { ADD_ON_IDS } from '../../contract/catalogue.ts'
import { belongsToSite, pages } from '../../contract/site-routes.ts'
import { HOUR } from '../../contract/time.ts'
import { objects, publishedId, words } from './finding.ts'
import type { Document, Report } from './finding.ts'

/** What single pages, and what stands on them, have to hold by themselves (K-05). */

export const REQUIRED_LEGAL_PAGES = [
  'terms-and-conditions',
  'subscription-terms',
  'money-back-guarantee',
  'contact-us',
  'privacy',
  'accessibility',
] as const
export function checkAddOns(document: Document, report: Report): void {
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
export function checkLegalPage(document: Document, report: Report, when: Date): void {
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

export function checkTestimonial(document: Document, report: Report): void {
  if (document['verified'] === true && words(document['provenance']) === '') {
    report(
      ['provenance'],
      'verified_without_source',
      '“Verified” is shown only with a source: say where the words come from.',
    )
  }
}

export function checkAdvertorial(document: Document, report: Report): void {
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
