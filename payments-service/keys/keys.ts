import { createHmac, hkdfSync } from 'node:crypto'

/** What a key is for: one key never serves two ends, so nothing made for one of them means anything to another. */
export type KeyPurpose =
  | 'accounts'
  | 'operators'
  | 'email code'
  | 'operator form'
  | 'failed sign-in'
  | 'known browser'
  | 'address of a mail'
  | 'origin of a payment'

/** `bytes` of key for a label, from the one secret of the service: HKDF-SHA-256, RFC 5869. */
export function deriveKey(secret: string, label: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', label, bytes))
}

/** The key of a purpose, as text for libraries that take a secret. */
export function keyText(secret: string, purpose: KeyPurpose): string {
  return deriveKey(secret, `key v1 ${purpose}`, 32).toString('base64url')
}

/** HMAC-SHA-256 of a text under the key of a purpose. */
export function keyedHash(secret: string, purpose: KeyPurpose, text: string): Buffer {
  return createHmac('sha256', deriveKey(secret, `key v1 ${purpose}`, 32))
    .update(text)
    .digest()
}
