/**
 * Links in mails: signed, for one purpose, with an expiry (architecture, "The session, and who may do what").
 *
 * The token is `mac || ciphertext` in base64url: an HMAC-SHA256 over purpose, expiry and subject, which is also the
 * initial value of the cipher (the synthetic-IV construction). So any change is detected, and it reveals nothing: the
 * subject is often a session's id, which must not appear in an address (N-02).
 *
 * A token proves that we issued it and for what. Whether it was used already is for the use case to know.
 */
import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '../keys/keys.ts'

/** The purpose of a link. A token for one is worthless for any other. */
export const LINK_PURPOSES = [
  'cancel',
  'undo_cancel',
  'withdraw',
  'undo_exit',
  'undo_add_on',
  'create_account',
  'update_payment',
  'resume',
  'unsubscribe',
  'invoice',
  'join_purchases',
] as const
export type LinkPurpose = (typeof LINK_PURPOSES)[number]

export interface Link {
  purpose: LinkPurpose
  /** What the link is about, at most 1 KB. */
  subject: string
  /** Kept to whole seconds. */
  expiresAt: Date
}

/** `expired` still gives the subject, so that a fresh link can be mailed (H-04); it must open nothing. */
export type VerifiedLink =
  | { state: 'valid'; subject: string; expiresAt: Date }
  | { state: 'expired'; subject: string; expiresAt: Date }
  | { state: 'invalid' }

const MAC = 32
const IV = 16
const EXPIRY = 8

/**
 * Signs a link; the result is safe in a path or query. Throws RangeError on an invalid date, a long subject or a weak
 * secret.
 */
export function signLink(link: Link, secret: string): string {
  const seconds = Math.floor(link.expiresAt.getTime() / 1000)
  if (!Number.isSafeInteger(seconds) || seconds < 0) throw new RangeError('a link needs an end')
  const subject = Buffer.from(link.subject, 'utf8')
  if (subject.length === 0 || subject.length > 1024) throw new RangeError('the subject of a link has 1 to 1024 bytes')
  const expiry = Buffer.alloc(EXPIRY)
  expiry.writeBigUInt64BE(BigInt(seconds))
  const body = Buffer.concat([expiry, subject])
  const keys = keysFor(link.purpose, secret)
  const mac = createHmac('sha256', keys.mac).update(body).digest()
  const cipher = createCipheriv('aes-256-ctr', keys.cipher, mac.subarray(0, IV))
  return Buffer.concat([mac, cipher.update(body), cipher.final()]).toString('base64url')
}

/**
 * Reads a token for one purpose. `secret` may be several while a secret is being replaced: any of them is accepted, the
 * first one signs. Never throws on what comes from outside.
 */
export function verifyLink(
  token: unknown,
  purpose: LinkPurpose,
  secret: string | readonly string[],
  now: Date = new Date(),
): VerifiedLink {
  if (typeof token !== 'string' || token.length > 2048 || !/^[A-Za-z0-9_-]+$/.test(token)) return { state: 'invalid' }
  const bytes = Buffer.from(token, 'base64url')
  // base64 ignores surplus bits: allow only one spelling per token
  if (bytes.toString('base64url') !== token || bytes.length <= MAC + EXPIRY) return { state: 'invalid' }
  const mac = bytes.subarray(0, MAC)
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    const keys = keysFor(purpose, one)
    const decipher = createDecipheriv('aes-256-ctr', keys.cipher, mac.subarray(0, IV))
    const body = Buffer.concat([decipher.update(bytes.subarray(MAC)), decipher.final()])
    const expected = createHmac('sha256', keys.mac).update(body).digest()
    if (!timingSafeEqual(mac, expected)) continue
    const expiresAt = new Date(Number(body.readBigUInt64BE()) * 1000)
    const subject = body.subarray(EXPIRY).toString('utf8')
    return { state: expiresAt > now ? 'valid' : 'expired', subject, expiresAt }
  }
  return { state: 'invalid' }
}

function keysFor(purpose: LinkPurpose, secret: string): { mac: Buffer; cipher: Buffer } {
  if (secret.length < 32) throw new RangeError('the secret of links has to be at least 32 characters')
  const derived = deriveKey(secret, `mail link v1 ${purpose}`, 64)
  return { mac: derived.subarray(0, 32), cipher: derived.subarray(32) }
}
