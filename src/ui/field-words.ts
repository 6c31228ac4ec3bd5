import { parseEmail } from '../../contract/email.ts'

/** What is wrong with an address, or nothing; `missing`: what to say of an empty field. */
export function emailFault(text: string, missing = 'Please enter your email address.'): string | undefined {
  if (!text.trim()) return missing
  return parseEmail(text) ? undefined : 'Please enter a valid email address.'
}

/** What is wrong with a mailed code, or nothing; a pasted one may contain spaces. */
export const codeFault = (text: string): string | undefined =>
  /^\d{6}$/.test(text.replace(/\s/g, '')) ? undefined : 'Please enter the six digits from the mail.'
