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
import {
  at,
  fieldNames,
  isObject,
  objects,
  walk,
  words,
  type Document,
  type LaunchReport,
  type Path,
  type Report,
} from './finding.ts'

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
  walkTexts(document, (text, placeOf) => {
    let from = 0
    for (const amount of typedAmounts(text)) {
      from = text.indexOf(amount, from)
      report(
        placeOf(from),
        'amount_in_copy',
        `“${amount}” is an amount typed into copy. Use a placeholder such as {monthlyPrice}: it always shows ` +
          `what is charged.`,
      )
      from += amount.length
    }
  })
  walk(document, (value, path) => {
    // the address of a link is filled as its words are
    const filled = fieldOf(path) === 'href' || !TECHNICAL.has(fieldOf(path))
    if (typeof value === 'string' && filled) checkPlaceholders(document, value, path, report)
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

/**
 * Visits every text as a visitor reads it: formatting cuts a paragraph into spans, and an amount with it. `placeOf`
 * leads from a place in the text to its field.
 */
function walkTexts(
  document: Document,
  visit: (text: string, placeOf: (from: number) => Path, holder: Record<string, unknown> | undefined) => void,
): void {
  walk(document, (value, path, holder) => {
    if (isObject(value) && value['_type'] === 'block') {
      const spans = objects(value['children'])
      const texts = spans.map(({ text }) => (typeof text === 'string' ? text : ''))
      let length = 0
      const ends = texts.map((text) => (length += text.length))
      const placeOf = (from: number): Path => {
        const index = ends.findIndex((end) => from < end)
        return [...path, 'children', at(spans[index] ?? {}, index), 'text']
      }
      visit(texts.join(''), placeOf, holder)
    } else if (typeof value === 'string' && holder?.['_type'] !== 'span' && !TECHNICAL.has(fieldOf(path))) {
      visit(value, () => path, holder)
    }
  })
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
export function checkLaunch(document: Document, report: LaunchReport): void {
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
  walk(document, (value, path) => {
    if (isObject(value) && CLAIMS.has(value['_type']) && words(value['text']) !== '' && words(value['source']) === '') {
      report(
        [...path, 'source'],
        'claim_without_source',
        `“${words(value['text'])}” has no source. Say where it is proved, or change it.`,
        'launch',
      )
    }
  })
  walkTexts(document, (text, placeOf, holder) => {
    for (const [phrase, percent] of savings(text)) {
      const allowed = savingsOf(holder)
      if (!allowed.includes(percent)) {
        report(
          placeOf(text.indexOf(phrase)),
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
