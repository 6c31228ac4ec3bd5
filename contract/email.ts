/**
 * The one e-mail rule (S-23): text without spaces, "@", text, a dot, more text. Used live as the visitor types and
 * again by the service. Marks that only a quoted name may hold (RFC 5321) are refused by mail servers, and control and
 * bidirectional characters would rewrite the line an operator reads.
 */
const EMAIL = /^[^\s@<>()[\]\\,;:"\p{C}]+@[^\s@.<>()[\]\\,;:"\p{C}]+(?:\.[^\s@.<>()[\]\\,;:"\p{C}]+)+$/u

/** RFC 5321's limit on an address; longer ones cannot receive mail. */
const LONGEST = 254

/** The trimmed address, or undefined when it is not one. The case of the local part is kept. */
export function parseEmail(text: string): string | undefined {
  const trimmed = text.trim()
  return trimmed.length <= LONGEST && EMAIL.test(trimmed) ? trimmed : undefined
}

/** The form under which two spellings of an address are the same person. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}
