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
import { contentSource, type ContentSource } from './connection.ts'
import { ContentError, parseDocument, type ContentIssue } from './content-error.ts'
import {
  accountSchema,
  advertorialSchema,
  checkoutSchema,
  landingSchema,
  legalPageSchema,
  offerSchema,
  readingSchema,
  settingsSchema,
  upsellSchema,
} from './pages.parser.ts'
import { pictures } from './picture.ts'
import * as queries from './queries.ts'
import { quizSchema } from './quiz.parser.ts'
import { draftSource } from './recorded.ts'

/**
 * What pages fetch. Each getter reads the published content (drafts in the draft deployment, or the source handed in) and
 * throws ContentUnreachable or ContentError (K-06); nothing is cached, so that a watcher sees every change.
 */

let standard: ContentSource | undefined
/** What a page reads that names no source: published content, in the draft deployment (SITE_RENDER=drafts) drafts. */
function thisDeployment(): ContentSource {
  return (standard ??= process.env['SITE_RENDER'] === 'drafts' ? draftSource() : contentSource())
}

export async function getSettings(source: ContentSource = thisDeployment()): Promise<Settings> {
  return parseDocument(settingsSchema, await source.fetch(queries.settingsQuery), singleton('settings'))
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

/** All advertorials, newest first; paths are unique (V-03). */
export async function getAdvertorials(source: ContentSource = thisDeployment()): Promise<AdvertorialContent[]> {
  const schema = advertorialSchema(pictures(source.address))
  const articles = parseEach(schema, await source.fetch(queries.advertorialsQuery), 'advertorial')
  return unique(articles, 'advertorial', 'path')
}

/** All legal pages by address (G-01, G-02). */
export async function getLegalPages(source: ContentSource = thisDeployment()): Promise<LegalPage[]> {
  const schema = legalPageSchema(pictures(source.address))
  return unique(parseEach(schema, await source.fetch(queries.legalPagesQuery), 'legalPage'), 'legalPage', 'slug')
}

export async function getReading(source: ContentSource = thisDeployment()): Promise<ReadingContent> {
  return parseDocument(readingSchema, await source.fetch(queries.readingQuery), singleton('reading'))
}

// a singleton's id is its type
function singleton(type: string): { id: string; type: string } {
  return { id: type, type }
}

function parseEach<T>(schema: Parameters<typeof parseDocument<T>>[0], raw: unknown, type: string): T[] {
  const issues: ContentIssue[] = []
  const parsed: T[] = []
  for (const item of Array.isArray(raw) ? raw : []) {
    try {
      parsed.push(parseDocument(schema, item, { id: '?', type }))
    } catch (error) {
      if (!(error instanceof ContentError)) throw error
      issues.push(...error.issues)
    }
  }
  if (issues.length > 0) throw new ContentError(issues)
  return parsed
}

function unique<K extends string, T extends { id: string } & Record<K, string>>(
  items: T[],
  type: string,
  field: K,
): T[] {
  const issues = items
    .filter((item, index) => items.findIndex((other) => other[field] === item[field]) !== index)
    .map((item) => ({
      documentId: item.id,
      documentType: type,
      field,
      reason: `"${item[field]}" is taken by another document`,
    }))
  if (issues.length > 0) throw new ContentError(issues)
  return items
}
