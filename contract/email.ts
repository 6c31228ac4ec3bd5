/**
 * The one e-mail rule (S-23): text without spaces, "@", text, a dot, more text. Used as the visitor types, and again by
 * the service. Characters allowed only in quoted names (RFC 5321) are refused by mail servers, and control and
 * bidirectional characters would change the line that an operator reads.
 */
const EMAIL = /^[^\s@<>()[\]\\,;:"\p{C}]+@[^\s@.<>()[\]\\,;:"\p{C}]+(?:\.[^\s@.<>()[\]\\,;:"\p{C}]+)+$/u

/** RFC 5321's limit; longer addresses cannot receive mail. */
const LONGEST = 254

/** The trimmed address, or undefined when it is not one. The case of the local part is kept. */
export function parseEmail(text: string): string | undefined {
  const trimmed = text.trim()
  return trimmed.length <= LONGEST && EMAIL.test(trimmed) ? trimmed : undefined
}

/** The normalised form of an address, equal for all spellings of the same person's. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}
