import { isAddOnId, PRODUCT_IDS, savingPercent, TRIAL_IDS } from '../../contract/catalogue.ts'
import {
  catalogueValues,
  isFilledIn,
  isPlaceholder,
  namesIn,
  PLACEHOLDERS,
  strayBrace,
  typedAmounts,
  type Placeholder,
} from '../../contract/placeholders.ts'
import { fieldNames, isObject, walk, words, type Document, type Path, type Report } from './finding.ts'

/** Fields that are not copy: they are not read on a page. */
const TECHNICAL = new Set(
  `address ageGroups animation asked campaigns chart chosen consentVersion contactEmail gtmId href icon id insight
  layout listItem match metaPixelId next operator parameter path productId provenance publishedAt slug source
  status storageKey style updatedAt utm value`.split(/\s+/),
)

/** Types of statements that have to be true. */
const CLAIMS = new Set<unknown>(['claim', 'rating'])

/** Placeholders without which a text says less than it must (K-05: missing placeholders). */
const REQUIRED: readonly (readonly [type: string, field: string, placeholders: readonly string[]])[] = [
  ['quiz', 'welcome.text', ['ageGroup']],
  ['offer', 'introText', ['specialOfferPrice', 'listPrice', 'monthlyPrice', 'renewalDays']],
  ['offer', 'detailsText', ['specialOfferPrice']],
]

/** K-02, K-05: amounts typed into copy, names in braces that are no placeholder, placeholders that are missing. */
export function checkCopy(document: Document, report: Report): void {
  walk(document, (value, path) => {
    if (typeof value !== 'string') return
    // the address of a link is filled as its words are
    if (fieldOf(path) === 'href') return checkPlaceholders(document, value, path, report)
    if (TECHNICAL.has(fieldOf(path))) return
    for (const amount of typedAmounts(value)) {
      report(
        path,
        'amount_in_copy',
        `“${amount}” is an amount typed into copy. Use a placeholder such as {monthlyPrice}: it always shows ` +
          `what is charged.`,
      )
    }
    checkPlaceholders(document, value, path, report)
  })
  for (const [type, field, placeholders] of REQUIRED) {
    if (type === document._type) requirePlaceholders(valueAt(document, field), field.split('.'), placeholders, report)
  }
}

function checkPlaceholders(document: Document, text: string, path: Path, report: Report): void {
  const names = placeholdersIn(document._type, fieldNames(path))
  const others =
    names.length > 0 ? `There are: ${names.map((known) => `{${known}}`).join(', ')}` : 'There are none here'
  for (const name of namesIn(text)) {
    if (names.some((known) => known === name) || (name === 'symptoms' && fieldOf(path) === 'subtitle')) continue
    const why = isPlaceholder(name) ? 'is not filled in this text' : 'is no placeholder'
    report(path, isPlaceholder(name) ? 'unfilled_placeholder' : 'unknown_placeholder', `{${name}} ${why}. ${others}.`)
  }
  // where there are no placeholders, braces are only braces
  const stray = names.length > 0 ? strayBrace(text) : undefined
  if (stray !== undefined)
    report(
      path,
      'stray_brace',
      `“${stray}” would be read as it stands: a placeholder is one name in braces. ${others}.`,
    )
}

/** The placeholders that a text is filled with, in the order of the list. `path`: names of fields. */
export function placeholdersIn(documentType: string, path: readonly string[]): Placeholder[] {
  return Object.keys(PLACEHOLDERS).filter(
    (name) => isPlaceholder(name) && isFilledIn(name, documentType, path),
  ) as never
}

/** Reports each placeholder that a text lacks; an empty text is the concern of its field's own rule. */
export function requirePlaceholders(text: unknown, path: Path, placeholders: readonly string[], report: Report): void {
  if (words(text) === '') return
  for (const name of placeholders) {
    if (!words(text).includes(`{${name}}`)) report(path, 'missing_placeholder', `This text has to say {${name}}.`)
  }
}

/**
 * What has to be true or replaced before a launch: sample content, claims without a source, savings that do not follow.
 */
export function checkLaunch(document: Document, report: Report): void {
  if (document['sample'] === true) {
    report(
      ['sample'],
      'sample_content',
      'This is sample content. Replace it with your own, then switch “Sample content” off.',
      'launch',
    )
  }
  if (/\.(example|test|invalid)$/i.test(words(document['contactEmail']))) {
    report(
      ['contactEmail'],
      'example_address',
      'This address exists only in examples. Nobody would receive the mail.',
      'launch',
    )
  }
  if (document._type === 'settings' && words(document['advertorialLabel']).trim() === '') {
    const message = 'Advertorials have no label: say that they are advertisements.'
    report(['advertorialLabel'], 'no_label', message, 'launch')
  }
  walk(document, (value, path, holder) => {
    if (isObject(value) && CLAIMS.has(value['_type']) && words(value['text']) !== '' && words(value['source']) === '') {
      report(
        [...path, 'source'],
        'claim_without_source',
        `“${words(value['text'])}” has no source. Say where it is proved, or change it.`,
        'launch',
      )
    }
    if (typeof value !== 'string' || TECHNICAL.has(fieldOf(path))) return
    for (const [phrase, percent] of savings(value)) {
      const allowed = savingsOf(holder)
      if (!allowed.includes(percent)) {
        report(
          path,
          'saving_not_in_catalogue',
          `“${phrase}” does not follow from the prices (they give ` +
            `${allowed.map((n) => `${n}%`).join(', ')}). Use {specialOfferSaving} or {trialSaving}, which are ` +
            `computed.`,
          'launch',
        )
      }
    }
  })
}

// "70% off", "75% Discount", "save 30%", "60% less", but not "60% less often"
function savings(text: string): [phrase: string, percent: number][] {
  const before = /(\d{1,9})\s?%\s?(?:off|discount|less(?!\s(?!than\b)\w)|cheaper|saving)/gi
  const after = /(?:save|saving|discount)(?: of| up to)?\s(\d{1,9})\s?%/gi
  return [before, after].flatMap((form) =>
    [...text.matchAll(form)].map(([phrase, percent]): [string, number] => [phrase, Number(percent)]),
  )
}

function savingsOf(holder: Record<string, unknown> | undefined): number[] {
  const id = words(holder?.['id'])
  if (isAddOnId(id)) return [savingPercent(id) ?? 0]
  const trials = TRIAL_IDS.map((trial) => Number.parseInt(catalogueValues(trial).trialSaving ?? '', 10))
  const products = PRODUCT_IDS.flatMap((product) => (isAddOnId(product) ? [] : (savingPercent(product) ?? [])))
  return [...new Set([...products, ...trials])].sort((a, b) => a - b)
}

function fieldOf(path: Path): string {
  return path.findLast((part) => typeof part === 'string') ?? ''
}

function valueAt(document: Document, field: string): unknown {
  return field.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), document)
}
