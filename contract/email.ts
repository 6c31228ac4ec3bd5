/**
 * The one e-mail rule (S-23): text without spaces, "@", text, a dot, more text. Used as the visitor types, and again by
 * the service. The text is of the letters and signs that an account may have (better-auth's rule, zod's `z.email()`):
 * whoever pays with an address can sign in with it. Other letters before the "@" are typing errors of an address that
 * has none, and most mail servers refuse them.
 */
const EMAIL = /^(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[a-z\d][a-z\d-]*\.)+[a-z]+$/i

/** RFC 5321's limit; longer addresses cannot receive mail. */
const LONGEST = 254

/**
 * The trimmed address, or undefined when it is not one. The case of the local part is kept. One person has one: what
 * was pasted along and cannot be seen is dropped, an apostrophe that a phone has curled is straight again, and a domain
 * with other letters is in its ASCII form (RFC 5891). Chrome gives it like that, Safari and Firefox as it was typed.
 */
export function parseEmail(text: string): string | undefined {
  const typed = text
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(/[‘’]/g, "'")
  const at = typed.lastIndexOf('@') + 1
  const address = typed.slice(0, at) + asciiOf(typed.slice(at))
  return address.length <= LONGEST && EMAIL.test(address) ? address : undefined
}

/** A domain as it is, or its ASCII form where it has other letters; empty when there is none. */
function asciiOf(domain: string): string {
  if (/^\p{ASCII}*$/u.test(domain)) return domain
  try {
    return new URL(`http:${domain}`).hostname
  } catch {
    return ''
  }
}

/** The normalised form of an address, equal for all spellings of the same person's. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}
