import type {
  AccountContent,
  AdvertorialContent,
  CheckoutContent,
  LandingContent,
  LegalPage,
  OfferContent,
  QuizContent,
  ReadingContent,
  Settings,
  UpsellContent,
} from '../../contract/content.ts'
import { advertorialSchema, legalPageSchema } from '../../contract/content/articles.ts'
import {
  accountSchema,
  checkoutSchema,
  landingSchema,
  offerSchema,
  readingSchema,
  settingsSchema,
  upsellSchema,
} from '../../contract/content/pages.ts'
import { quizSchema } from '../../contract/content/quiz.ts'
import { contentSource, type ContentSource } from './connection.ts'
import { ContentError, parseDocument, type ContentIssue } from './content-error.ts'
import { pictures } from './picture.ts'
import { builtValues, filled } from '../../contract/filled.ts'
import * as queries from './queries.ts'
import { draftSource } from './recorded.ts'

/**
 * What pages fetch. Each getter reads the published content (drafts in the draft deployment, or the source handed in)
 * and throws ContentUnreachable or ContentError (K-06); nothing is cached, so that a watcher sees every change.
 */

let standard: ContentSource | undefined
/**
 * The source used when a page names none: published content, or drafts in the draft deployment (SITE_RENDER=drafts).
 */
function thisDeployment(): ContentSource {
  return (standard ??= process.env['SITE_RENDER'] === 'drafts' ? draftSource() : contentSource())
}

export async function getSettings(source: ContentSource = thisDeployment()): Promise<Settings> {
  const settings = parseDocument(settingsSchema, await source.fetch(queries.settingsQuery), singleton('settings'))
  return filled(settings, builtValues(settings))
}

export async function getLanding(source: ContentSource = thisDeployment()): Promise<LandingContent> {
  const schema = landingSchema(pictures(source.address))
  return parseDocument(schema, await source.fetch(queries.landingQuery), singleton('landing'))
}

export async function getQuiz(source: ContentSource = thisDeployment()): Promise<QuizContent> {
  const schema = quizSchema(pictures(source.address))
  return parseDocument(schema, await source.fetch(queries.quizQuery), singleton('quiz'))
}

export async function getCheckout(source: ContentSource = thisDeployment()): Promise<CheckoutContent> {
  const schema = checkoutSchema(pictures(source.address))
  return parseDocument(schema, await source.fetch(queries.checkoutQuery), singleton('checkout'))
}

export async function getOffer(source: ContentSource = thisDeployment()): Promise<OfferContent> {
  return parseDocument(offerSchema, await source.fetch(queries.offerQuery), singleton('offer'))
}

export async function getUpsell(source: ContentSource = thisDeployment()): Promise<UpsellContent> {
  const schema = upsellSchema(pictures(source.address))
  return parseDocument(schema, await source.fetch(queries.upsellQuery), singleton('upsell'))
}

export async function getAccount(source: ContentSource = thisDeployment()): Promise<AccountContent> {
  return parseDocument(accountSchema, await source.fetch(queries.accountQuery), singleton('account'))
}

/**
 * All advertorials, newest first; paths are unique (V-03). There may be thousands, so they are read in slices, and
 * `keep` decides what part of each stays in memory. All errors in all of them are reported at once.
 */
export async function getAdvertorials<T = AdvertorialContent>(
  source: ContentSource = thisDeployment(),
  keep: (article: AdvertorialContent) => T = (article) => article as T,
): Promise<T[]> {
  const schema = advertorialSchema(pictures(source.address))
  const kept: { id: string; path: string; publishedAt: string; value: T }[] = []
  const issues: ContentIssue[] = []
  const from = async (after: string): Promise<unknown[]> =>
    ((await source.fetch(queries.advertorialsQuery, { after })) as unknown[] | null) ?? []
  for (let slice = await from(''); slice.length > 0;) {
    const last = (slice.at(-1) as { _id: string })._id
    // requested before this slice is parsed: parsing blocks the thread, so the request has to be sent first
    const next = slice.length < queries.ADVERTORIAL_SLICE ? Promise.resolve([]) : from(last)
    // awaited below; meanwhile its failure is nobody's
    next.catch(() => undefined)
    await new Promise((sent) => setImmediate(sent))
    for (const article of parseEach(schema, slice, 'advertorial', issues)) {
      kept.push({ id: article.id, path: article.path, publishedAt: article.publishedAt, value: keep(article) })
    }
    slice = await next
  }
  if (issues.length > 0) throw new ContentError(issues)
  return unique(kept, 'advertorial', 'path')
    .sort((a, b) => (a.publishedAt < b.publishedAt ? 1 : a.publishedAt > b.publishedAt ? -1 : 0))
    .map(({ value }) => value)
}

/** The advertorial at `path`, for a page rendered on request: drafts of other articles may be broken (K-04). */
export async function getAdvertorial(
  path: string,
  source: ContentSource = thisDeployment(),
): Promise<AdvertorialContent | undefined> {
  const schema = advertorialSchema(pictures(source.address))
  const articles = parseAll(schema, await source.fetch(queries.advertorialQuery, { path }), 'advertorial')
  return unique(articles, 'advertorial', 'path')[0]
}

/** All legal pages by address (G-01, G-02). */
export async function getLegalPages(source: ContentSource = thisDeployment()): Promise<LegalPage[]> {
  const schema = legalPageSchema(pictures(source.address))
  return unique(parseAll(schema, await source.fetch(queries.legalPagesQuery), 'legalPage'), 'legalPage', 'slug')
}

/** The legal page at `slug`, and of the others those that could be shown: drafts may be broken (K-04). */
export async function getLegalPreview(slug: string, source: ContentSource = thisDeployment()): Promise<LegalPage[]> {
  const schema = legalPageSchema(pictures(source.address))
  const raw = (await source.fetch(queries.legalPagesQuery)) as { slug?: unknown }[]
  const others = parseEach(
    schema,
    raw.filter((page) => page.slug !== slug),
    'legalPage',
    [],
  )
  const asked = parseAll(
    schema,
    raw.filter((page) => page.slug === slug),
    'legalPage',
  )
  return [...unique(asked, 'legalPage', 'slug'), ...others]
}

export async function getReading(source: ContentSource = thisDeployment()): Promise<ReadingContent> {
  return parseDocument(readingSchema, await source.fetch(queries.readingQuery), singleton('reading'))
}

// a singleton's id is its type
function singleton(type: string): { id: string; type: string } {
  return { id: type, type }
}

/** Every document, parsed; throws the problems of all of them at once. */
function parseAll<T>(schema: Parameters<typeof parseDocument<T>>[0], raw: unknown, type: string): T[] {
  const issues: ContentIssue[] = []
  const parsed = parseEach(schema, raw, type, issues)
  if (issues.length > 0) throw new ContentError(issues)
  return parsed
}

/** Every document that could be parsed; the problems of the others are added to `issues`. */
function parseEach<T>(
  schema: Parameters<typeof parseDocument<T>>[0],
  raw: unknown,
  type: string,
  issues: ContentIssue[],
): T[] {
  const parsed: T[] = []
  for (const item of Array.isArray(raw) ? raw : []) {
    try {
      parsed.push(parseDocument(schema, item, { id: '?', type }))
    } catch (error) {
      if (!(error instanceof ContentError)) throw error
      issues.push(...error.issues)
    }
  }
  return parsed
}

function unique<K extends string, T extends { id: string } & Record<K, string>>(
  items: T[],
  type: string,
  field: K,
): T[] {
  const taken = new Set<string>()
  const issues = items
    .filter((item) => taken.has(item[field]) || !taken.add(item[field]))
    .map((item) => ({
      documentId: item.id,
      documentType: type,
      field,
      reason: `"${item[field]}" is taken by another document`,
    }))
  if (issues.length > 0) throw new ContentError(issues)
  return items
}
