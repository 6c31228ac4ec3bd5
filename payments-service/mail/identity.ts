/** Parses MAIL_FROM. */
import addressparser from 'nodemailer/lib/addressparser'
import type { MailIdentity } from './mail.ts'

/** The sender's identity when the CMS settings cannot be read. */
export function identityFrom(from: string): MailIdentity {
  const { name, address } = senderAddress(from)
  return {
    productName: name || 'Your programme',
    companyName: name || address.split('@')[1] || address,
    companyAddress: null,
    contactEmail: address,
    siteUrl: null,
  }
}

/** Name and address of 'Name <address>'. Throws TypeError when it holds no address. */
export function senderAddress(from: string): { name: string; address: string } {
  const [first] = addressparser(from)
  if (!first || !('address' in first) || !first.address?.includes('@'))
    throw new TypeError('MAIL_FROM holds no address')
  return { name: first.name, address: first.address }
}
