/** What the service says to its own doctor: how the doctor's request reached it, through whatever is in front. */
import type { Request } from 'express'
import ipaddr from 'ipaddr.js'
import { isSame, keyedHash } from '../keys/keys.ts'

/** The doctor's signed request, and the header of the answer. */
export const DOCTOR_HEADER = 'x-doctor'
/** Milliseconds for which a signature is good, also by a clock that is a little off. */
const GOOD_FOR = 5 * 60_000

export interface Seen {
  /** X-Forwarded-For as it arrived, its first entry first. */
  forwarded: string[]
  /** The address that the service takes for the visitor's. */
  address: string
}

const signature = (secret: string, at: number): string => keyedHash(secret, 'doctor', String(at)).toString('base64url')

/** The value by which a request is known to come from this installation's doctor. */
export const doctorsMark = (secret: string, at = Date.now()): string => `${at}.${signature(secret, at)}`

/** An address in its one spelling, so that two of them can be compared; IPv4 also where the socket is one of IPv6. */
const plain = (address: string): string => (ipaddr.isValid(address) ? ipaddr.process(address).toString() : address)

/** How a request of the doctor's arrived, as JSON; undefined for anybody else, who learns nothing. */
export function seenByUs(req: Request, secret: string, now = Date.now()): string | undefined {
  const [at = '', mark = ''] = (req.get(DOCTOR_HEADER) ?? '').split('.')
  if (!/^\d{13}$/.test(at) || Math.abs(now - Number(at)) > GOOD_FOR) return undefined
  if (!isSame(mark, signature(secret, Number(at)))) return undefined
  const forwarded = (req.get('x-forwarded-for') ?? '').split(',').map((entry) => plain(entry.trim()))
  return JSON.stringify({ forwarded: forwarded.filter(Boolean), address: plain(req.ip ?? '') } satisfies Seen)
}
