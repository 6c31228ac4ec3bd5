import { UUIDS } from '../../contract/uuid.ts'
import { createHash } from 'node:crypto'
import { scrub } from '../http/logging.ts'

/** Cleans texts from browsers before they are stored: nothing that PostgreSQL rejects, nothing that names a person. */

/** Without NUL and lone surrogates, truncated; undefined if empty. Markup stays as text: escape it when shown. */
export function cleanText(text: string | undefined, longest: number): string | undefined {
  const clean = text?.toWellFormed().replaceAll('\0', '').slice(0, longest).toWellFormed().trim()
  return clean || undefined
}

/** A path without query, fragment and ids; only the origin of another site (N-02: no id, no answer in an address). */
export function cleanAddress(address: string | undefined): string | undefined {
  const text = cleanText(address, 2_000)
  if (!text) return undefined
  const path = text.split(/[?#]/)[0] ?? ''
  const foreign = /^(https?:\/\/[^/]+)/i.exec(path)
  return (foreign?.[1] ?? path).replace(UUIDS, ':id').slice(0, 300) || undefined
}

/** An error's message without ids, addresses and secrets. */
export function cleanTrouble(text: string | undefined, longest: number): string | undefined {
  const clean = cleanText(text, longest)
  return clean === undefined ? undefined : scrub(clean)
}

/** A fingerprint of an error: numbers, hashes in file names and query strings do not count. */
export function fingerprintOf(type: string, message: string, stack: string | undefined): string {
  const plain = (line: string): string =>
    line
      .replace(/https?:\/\/[^/\s)]+/g, '')
      .replace(/[?#][^\s)]*/g, '')
      .replace(/\.[\w-]{8,}\.(m?js)/g, '.$1')
      .replace(/\d+/g, '0')
      .trim()
  const frames = (stack ?? '').split('\n').map(plain).filter(Boolean).slice(0, 4)
  return createHash('sha256')
    .update([type, plain(message), ...frames].join('\n'))
    .digest('hex')
    .slice(0, 24)
}

const SECOND = 1_000
/** A beacon may wait offline for a week; a clock may run five minutes ahead. */
const OLDEST = 7 * 86_400 * SECOND
const AHEAD = 300 * SECOND

/**
 * The id to store an event under: the browser's, if its time is plausible; else one with the current time and the
 * browser's random part, so that a wrong clock neither fills a distant partition nor loses the event.
 */
export function storedId(id: string, now: number): string {
  const hex = id.toLowerCase().replaceAll('-', '')
  const at = Number.parseInt(hex.slice(0, 12), 16)
  if (at >= now - OLDEST && at <= now + AHEAD) return id.toLowerCase()
  const moved = now.toString(16).padStart(12, '0') + hex.slice(12)
  return moved.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const TIME_BEGINS = Date.UTC(2020, 0, 1)
const RANDOM_BITS = 21n

/**
 * The 64-bit id of a page view or an activity (as `event_id_floor` in the database): the milliseconds of a `storedId`
 * and the last of its random bits, so that an event sent twice keeps its id. As text, which SQL accepts.
 */
export function shortId(id: string): string {
  const at = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) - TIME_BEGINS
  return String((BigInt(at) << RANDOM_BITS) | BigInt(Number.parseInt(id.slice(-6), 16) & 0x1fffff))
}

/** The smallest `shortId` of a moment (milliseconds since 1970), as `event_id_floor` in the database. */
export function firstEventId(at: number): string {
  return String(BigInt(at - TIME_BEGINS) << RANDOM_BITS)
}

/** The smallest UUID of a moment (milliseconds since 1970), as `uuid7_floor` in the database. */
export function firstErrorId(at: number): string {
  const hex = at.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}
