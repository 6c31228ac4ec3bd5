/**
 * Mails of the account: anyone who types an address can request them, only its owner gets them. Tokens are in the
 * fragment of the link, which reaches no server and no log (OWASP ASVS 5.0, 14.2.1).
 */
import type { Database } from '../../db/connect.ts'
import type { Config } from '../config.ts'
import { stableId } from '../jobs/outbox.queries.ts'
import { accountLink } from '../mail/mailed-links.ts'
import { queueMail } from '../jobs/mails.ts'

export const RESET_MINUTES = 60
export const MAGIC_MINUTES = 30
const MINUTE = 60_000

/** The reason is derived from the token, so that each request is one mail and the token stays out of the log. */
export async function mailPasswordReset(
  config: Config,
  db: Database,
  user: { email: string; name: string },
  token: string,
): Promise<void> {
  const expiresAt = new Date(Date.now() + RESET_MINUTES * MINUTE)
  const resetUrl = accountLink(config.siteUrl, 'reset-password', token)
  await queueMail(
    db,
    {
      kind: 'password_reset',
      to: user.email,
      data: { name: user.name || null, resetUrl, expiresAt: expiresAt.toISOString() },
    },
    stableId(`reset:${token}`),
    { notAfter: expiresAt },
  )
}

/** The link opens a page with one button: a mail scanner that follows it signs no one in and uses nothing up. */
export async function mailMagicLink(config: Config, db: Database, email: string, token: string): Promise<void> {
  const expiresAt = new Date(Date.now() + MAGIC_MINUTES * MINUTE)
  const signInUrl = accountLink(config.siteUrl, 'sign-in-link', token)
  await queueMail(
    db,
    { kind: 'magic_link', to: email, data: { signInUrl, expiresAt: expiresAt.toISOString() } },
    stableId(`magic:${token}`),
    { notAfter: expiresAt },
  )
}
