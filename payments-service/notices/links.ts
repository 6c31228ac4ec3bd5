import type { Config } from '../config.ts'
import { type LinkPurpose, signLink } from '../mail/links.ts'

const DAY = 86_400_000

/** Page and life of each kind of link in a mail. A page asks once before anything is done (H-04). */
const PAGES = {
  cancel: { path: '/cancel', days: 60 },
  undo_cancel: { path: '/undo-cancel', days: 60 },
  withdraw: { path: '/withdraw', days: 14 },
  create_account: { path: '/create-account', days: 30 },
  update_payment: { path: '/update-payment', days: 30 },
  invoice: { path: '/invoice', days: 365 },
  unsubscribe: { path: '/api/unsubscribe', days: 365 },
  undo_add_on: { path: '/undo', days: 1 },
  resume: { path: '/resume', days: 7 },
} as const satisfies Partial<Record<LinkPurpose, { path: string; days: number }>>

export type MailLink = keyof typeof PAGES

/** A signed address for one purpose about one subject, with the purpose's life or until `expiresAt`. */
export function mailLink(
  { siteUrl, tokenSecret }: Pick<Config, 'siteUrl' | 'tokenSecret'>,
  purpose: MailLink,
  subject: string,
  expiresAt?: Date,
): string {
  const { path, days } = PAGES[purpose]
  const end = expiresAt ?? new Date(Date.now() + days * DAY)
  return `${siteUrl}${path}/${signLink({ purpose, subject, expiresAt: end }, tokenSecret)}`
}
