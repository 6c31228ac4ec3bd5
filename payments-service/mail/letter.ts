/**
 * What a mail says, apart from how it looks: a list of blocks. HTML and plain text are both made from it
 * (letter.html.ts, letter.text.ts), so that they can never differ.
 */
import { formatMoney, type Cents } from '../../contract/money.ts'
import { UUIDS } from '../../contract/uuid.ts'

/** A run of words: plain, strong, or a link. */
export type Run = string | { strong: string } | { link: string; words: string }
export type Line = string | readonly Run[]

export type Block =
  | { type: 'paragraph'; line: Line; quiet?: boolean }
  | { type: 'heading'; words: string }
  /** A table of two columns; the total is below a rule. */
  | { type: 'facts'; rows: readonly Fact[]; total?: Fact }
  | { type: 'list'; lines: readonly Line[] }
  | { type: 'button'; words: string; url: string }
  /** Tinted box for the one thing not to be missed. */
  | { type: 'notice'; title?: string; line: Line; tone?: 'plain' | 'caution' }
  | { type: 'code'; code: string }

export interface Fact {
  label: string
  value: Line
  /** Quiet second line under the label. */
  detail?: Line
}

export interface Letter {
  subject: string
  /** The line that mail lists show after the subject. */
  preview: string
  heading: string
  blocks: readonly Block[]
  /** Why this mail was sent, shown in the foot. */
  because: string
  /** Set on marketing mails, whose foot gets the link and whose message the List-Unsubscribe headers (RFC 8058). */
  unsubscribeUrl?: string
}

export const paragraph = (...runs: Run[]): Block => ({ type: 'paragraph', line: runs })
export const quiet = (...runs: Run[]): Block => ({ type: 'paragraph', line: runs, quiet: true })
export const heading = (words: string): Block => ({ type: 'heading', words })
export const button = (words: string, url: string): Block => ({ type: 'button', words, url: address(url) })
export const strong = (words: string): Run => ({ strong: words })
export const link = (words: string, url: string): Run => ({ link: address(url), words })

/**
 * Validates an address for a mail. Throws TypeError if it is not absolute http(s), or contains a UUID: links carry
 * signed tokens, never a session's id (N-02).
 */
export function address(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw new TypeError('a link of a mail has to be an http(s) address')
  if (decodeURIComponent(url).search(UUIDS) >= 0) throw new TypeError('a link of a mail must not carry a UUID')
  return parsed.href
}

/** An amount as read. Throws RangeError on anything but whole cents: a mail with a wrong amount is worse than none. */
export function money(cents: Cents): string {
  if (!Number.isSafeInteger(cents)) throw new RangeError('an amount in a mail has to be whole cents')
  return formatMoney(cents)
}

/** "Monday, November 23, 2026" in the buyer's time zone. Throws RangeError on an invalid date. */
export function day(at: Date | string, timeZone?: string | null): string {
  return written(at, timeZone, { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })
}

/** "November 23", for subjects. */
export function shortDay(at: Date | string, timeZone?: string | null): string {
  return written(at, timeZone, { month: 'long', day: 'numeric' })
}

/** "Monday, November 23, 2026 at 3:42 PM UTC". */
export function moment(at: Date | string, timeZone?: string | null): string {
  const time = written(at, timeZone, { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })
  return `${day(at, timeZone)} at ${time}`
}

function written(at: Date | string, timeZone: string | null | undefined, options: Intl.DateTimeFormatOptions): string {
  const format = (zone: string) => new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone })
  let formatter: Intl.DateTimeFormat
  try {
    formatter = format(timeZone || 'UTC')
  } catch {
    // the zone came from a browser: an unknown one must not stop the mail
    formatter = format('UTC')
  }
  // narrow no-break spaces of the ICU data show as boxes in some mail clients
  return formatter.format(new Date(at)).replaceAll('\u202f', ' ')
}

/**
 * The name for a greeting, or undefined. Anyone can type a name and have a mail sent to any address, so anything that
 * could be read as a message or a link is left out.
 */
export function greetingName(name: string | null | undefined): string | undefined {
  const trimmed = name?.trim().replace(/\s+/g, ' ')
  if (!trimmed || trimmed.length > 40 || trimmed.split(' ').length > 4) return undefined
  if (!/^[\p{L}\p{M}][\p{L}\p{M}' ’.-]*$/u.test(trimmed)) return undefined
  // "visit.example" is a link to many mail clients; "J. R. Smith" is not
  return /\.\S/.test(trimmed) ? undefined : trimmed
}

/** Words of a list: "a", "a and b", "a, b and c". */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
