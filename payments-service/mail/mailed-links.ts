import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { emailKey } from '../../contract/email.ts'
import { DAY } from '../../contract/time.ts'
import type { Database } from '../../db/connect.ts'
import type { Config } from '../config.ts'
import { isSame, keyedHash, tokenSecrets } from '../keys/keys.ts'
import { LINK_PURPOSES, type LinkPurpose, signLink, verifyLink } from './links.ts'

/**
 * Where each kind of mailed link leads, and how long it lives. A page asks once before anything is done (H-04). The
 * token is in the fragment of the address, which reaches no server and no log; only RFC 8058 needs it in the path,
 * because mail programs post to that address themselves: it can do nothing but unsubscribe.
 */
const PAGES = {
  cancel: { path: '/cancel#', days: 60 },
  undo_exit: { path: '/exit#', days: 60 },
  undo_cancel: { path: '/undo-cancel#', days: 60 },
  withdraw: { path: '/withdraw#', days: 14 },
  create_account: { path: '/create-account#', days: 30 },
  update_payment: { path: '/update-payment#', days: 30 },
  invoice: { path: '/invoice#', days: 365 },
  unsubscribe: { path: '/api/unsubscribe/', days: 365 },
  undo_add_on: { path: '/undo#', days: 1 },
  resume: { path: '/redirect#resume=', days: 7 },
} as const satisfies Partial<Record<LinkPurpose, { path: string; days: number }>>

/** As the link that makes the account: from then on the account leads to the reading. */
const READING_DAYS = PAGES.create_account.days

export type MailLink = keyof typeof PAGES
type Signing = Pick<Config, 'siteUrl' | 'tokenSecret'>
type Reading = Pick<Config, 'tokenSecret' | 'otherTokenSecrets'>

/** What a mailed link is about, and for whom. */
export interface LinkFacts {
  /** Id of a session, a payment or an intent; no spaces. */
  subject: string
  /** The mail's recipient. When the session's address changes, the link opens nothing any more. */
  to: string
  /** Overrides the purpose's lifetime. */
  expiresAt?: Date
  /** Makes two links about the same thing differ, where each may be used once. */
  nonce?: string
}

/** A signed address for one purpose, bound to the e-mail address that it is mailed to. */
export function mailLink({ siteUrl, tokenSecret }: Signing, purpose: MailLink, facts: LinkFacts): string {
  const { days } = PAGES[purpose]
  const expiresAt = facts.expiresAt ?? new Date(Date.now() + days * DAY)
  const subject = [facts.subject, tagOf(tokenSecret, facts.to), facts.nonce ?? ''].join(' ').trimEnd()
  return linkAddress(siteUrl, purpose, signLink({ purpose, subject, expiresAt }, tokenSecret))
}

/** What opens a visit behind the address of /redirect, once. */
export const resumeHash = (config: Signing, facts: Omit<LinkFacts, 'nonce'>): string =>
  new URL(mailLink(config, 'resume', { ...facts, nonce: newNonce() })).hash

/** opens the visit of a paid reading, and leads to the reading instead of the visit's next page. */
export function readingLink(config: Signing, facts: Omit<LinkFacts, 'nonce'>): string {
  const expiresAt = new Date(Date.now() + READING_DAYS * DAY)
  return `${config.siteUrl}/redirect?to=summary${resumeHash(config, { expiresAt, ...facts })}`
}

/** The address of a mailed link, for an existing token. */
export function linkAddress(siteUrl: string, purpose: MailLink, token: string): string {
  return `${siteUrl}${PAGES[purpose].path}${token}`
}

/** A page of the account with its token in the fragment, which reaches no server and no log. */
export function accountLink(siteUrl: string, page: 'reset-password' | 'sign-in-link', token: string): string {
  return `${siteUrl}/app/${page}#${encodeURIComponent(token)}`
}

export const newNonce = (): string => randomBytes(9).toString('base64url')

/** 128 bits of a keyed hash: it can confirm an address but never reveals it. */
function tagOf(secret: string, address: string): string {
  return keyedHash(secret, 'address of a mail', emailKey(address)).subarray(0, 16).toString('base64url')
}

/** A link as mailed; `expired` still gives its subject, and opens nothing. */
export type MailedLink = { state: 'invalid' } | { state: 'valid' | 'expired'; subject: string; tag: string | null }

/** Whether a token is of a link that we mailed, for whatever purpose, also one that has expired. */
export function isSigned(config: Reading, token: string): boolean {
  const secrets = tokenSecrets(config)
  return LINK_PURPOSES.some((purpose) => verifyLink(token, purpose, secrets).state !== 'invalid')
}

/** Reads the token of a mailed link. Never throws on outside input. */
export function readMailLink(config: Reading, purpose: MailLink, token: unknown): MailedLink {
  const link = verifyLink(token, purpose, tokenSecrets(config))
  if (link.state === 'invalid') return link
  const [subject = '', tag] = link.subject.split(' ')
  return { state: link.state, subject, tag: tag ?? null }
}

/**
 * Whether a link still belongs to the address of its session. Older links that are not bound to an address work until
 * they expire, unless the buyer has corrected the address since.
 */
export async function isStillFor(
  db: Database,
  config: Reading,
  { tag }: { tag: string | null },
  session: { id: string; email: string | null },
): Promise<boolean> {
  if (tag !== null) {
    const { email } = session
    return email !== null && tokenSecrets(config).some((secret) => isSame(tag, tagOf(secret, email)))
  }
  const corrected = await db
    .selectFrom('email_codes')
    .select('id')
    .where('purpose', '=', 'correct_email')
    .where('subject', '=', session.id)
    .where(sql<boolean>`used_at is not null`)
    .executeTakeFirst()
  return corrected === undefined
}
