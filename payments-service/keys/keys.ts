import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** What a key is for. Each purpose has its own key, so that nothing made for one is valid for another. */
export type KeyPurpose =
  | 'accounts'
  | 'operators'
  | 'email code'
  | 'operator form'
  | 'failed sign-in'
  | 'known browser'
  | 'address of a mail'
  | 'origin of a payment'
  | 'installation'
  | 'trace'
  | 'doctor'

/** Derives `bytes` of key for a label from the service's one secret: HKDF-SHA-256, RFC 5869. */
export function deriveKey(secret: string, label: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', label, bytes))
}

/** The key of a purpose, as text for libraries that take a secret. */
export function keyText(secret: string, purpose: KeyPurpose): string {
  return deriveKey(secret, `key v1 ${purpose}`, 32).toString('base64url')
}

/** Every secret that may have signed what comes back to us, the one that signs now first. */
export const tokenSecrets = (config: { tokenSecret: string; otherTokenSecrets: readonly string[] }): string[] => [
  config.tokenSecret,
  ...config.otherTokenSecrets,
]

/** What signs the ids of traces. */
export const traceKeys = (config: Parameters<typeof tokenSecrets>[0]): string[] =>
  tokenSecrets(config).map((secret) => keyText(secret, 'trace'))

/** Compares what was given with what is expected in a time that tells nothing of either. */
export function isSame(given: string | Buffer, expected: string | Buffer): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** HMAC-SHA-256 of a text under the key of a purpose. */
export function keyedHash(secret: string, purpose: KeyPurpose, text: string): Buffer {
  return createHmac('sha256', deriveKey(secret, `key v1 ${purpose}`, 32))
    .update(text)
    .digest()
}
