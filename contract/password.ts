/**
 * the password rules in the order of their messages, word for word from the specification; the last one is ours,
 * and only the service has its list.
 */
export const PASSWORD_MESSAGES = {
  password_too_short: 'Password must be at least 8 characters long',
  password_no_lowercase: 'Password must contain at least one lowercase letter',
  password_no_uppercase: 'Password must contain at least one uppercase letter',
  password_no_number: 'Password must contain at least one number',
  passwords_differ: 'Passwords do not match',
  password_common: 'This password is among the most common ones, which are guessed first. Please choose another one',
} as const

export type PasswordProblem = keyof typeof PASSWORD_MESSAGES
export const PASSWORD_HINT = 'At least 8 characters with uppercase, lowercase, and number'
export const PASSWORD_MIN = 8
/** Longer passwords only cost hashing time; the page refuses them before the service does. */
export const PASSWORD_MAX = 200

/** The first rule that a new password breaks, except the list of common ones; or undefined. */
export function passwordProblem(password: string, confirmation: string): PasswordProblem | undefined {
  if ([...password].length < PASSWORD_MIN) return 'password_too_short'
  if (!/\p{Ll}/u.test(password)) return 'password_no_lowercase'
  if (!/\p{Lu}/u.test(password)) return 'password_no_uppercase'
  if (!/\p{Nd}/u.test(password)) return 'password_no_number'
  if (password !== confirmation) return 'passwords_differ'
  return undefined
}
