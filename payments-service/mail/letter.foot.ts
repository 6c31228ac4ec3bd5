/** The foot of every letter: why it was sent, the links to cancel and withdraw (H-02, H-04), who sent it. */
import { address, type Letter } from './letter.ts'
import type { MailIdentity } from './mail.ts'

export interface Foot {
  because: string
  ways: { words: string; url: string }[]
  contact: { email: string }
  /** Name and postal address of the sender. */
  sender: string
}

export interface WaysOut {
  cancelUrl?: string | null
  withdrawUrl?: string | null
}

const exitUrl = (siteUrl: string): string => address(`${siteUrl}/exit`)

export function footOf(letter: Letter, ways: WaysOut, identity: MailIdentity): Foot {
  const links: Foot['ways'] = []
  if (ways.cancelUrl) links.push({ words: 'Cancel your subscription', url: address(ways.cancelUrl) })
  if (ways.withdrawUrl) links.push({ words: 'Withdraw from the contract', url: address(ways.withdrawUrl) })
  if (letter.unsubscribeUrl) {
    links.push({ words: 'Unsubscribe from reminders and offers', url: address(letter.unsubscribeUrl) })
  }
  // always, also where nothing is known of the reader: the page takes any statement
  if (identity.siteUrl) links.push({ words: 'Cancel or withdraw without signing in', url: exitUrl(identity.siteUrl) })
  return {
    because: letter.because,
    ways: links,
    contact: { email: identity.contactEmail },
    sender: [identity.companyName, identity.companyAddress].filter(Boolean).join(', '),
  }
}
