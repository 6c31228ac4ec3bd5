/** The metadata of what this service makes at Stripe: whose charge it is, and which installation made it. */
import type { Config } from '../config.ts'
import { keyedHash, tokenSecrets } from '../keys/keys.ts'

type Identity = Pick<Config, 'tokenSecret' | 'siteUrl'>

/**
 * Names this installation among several that share a Stripe account. It follows from the secret and the site's address
 * and not from the database, so that it is the same after a backup was restored and another one in a copy of the
 * database.
 */
const installationOf = (secret: string, siteUrl: string): string =>
  keyedHash(secret, 'installation', siteUrl).subarray(0, 12).toString('base64url')

export interface ChargeNames {
  sessionId: string
  productId: string
  purpose: string
  /** Of a subscription: the payment or the row that started it. */
  source?: string
}

/** P-02: the metadata of an intent, a set-up or a subscription. */
export function chargeMetadata(config: Identity, { sessionId, productId, purpose, source }: ChargeNames) {
  return {
    session_id: sessionId,
    product_id: productId,
    purpose,
    ...(source === undefined ? {} : { source }),
    installation: installationOf(config.tokenSecret, config.siteUrl),
  }
}

/** Whether this installation made an object; one of before this metadata counts as another's. */
export const isOwnCharge = (
  config: Identity & Pick<Config, 'otherTokenSecrets'>,
  metadata: Readonly<Record<string, string>>,
): boolean => tokenSecrets(config).some((secret) => metadata['installation'] === installationOf(secret, config.siteUrl))
