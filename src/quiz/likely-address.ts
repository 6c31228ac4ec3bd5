/**
 * Where most visitors have their mail; and those a letter away from them, so that nobody there is asked whether the
 * others were meant.
 */
export const PROVIDERS: readonly string[] = (
  'gmail.com yahoo.com hotmail.com outlook.com icloud.com googlemail.com rocketmail.com protonmail.com fastmail.com ' +
  'comcast.net verizon.net sbcglobal.net bellsouth.net btinternet.com mail.com email.com ymail.com cloud.com'
).split(' ')

/** Shorter names have real neighbours: aol.com and aon.com. */
const TELLING_LENGTH = 9

/**
 * The address that a valid one is a slip of the finger away from, or undefined: a letter missing, added, mistaken or
 * swapped in a well-known provider's name, or an end that does not exist (S-23). A guess to ask about, never a fault:
 * receipts and the way to cancel go there. `typing`: what may still become a provider's name is not asked about.
 */
export function likelyAddress(email: string, typing: boolean): string | undefined {
  const at = email.lastIndexOf('@') + 1
  const domain = email.slice(at).toLowerCase()
  if (PROVIDERS.some((provider) => (typing ? provider.startsWith(domain) : provider === domain))) return undefined
  const ended = domain.replace(/\.(con|cmo|ocm|comm|coom|vom|xom|cpm)$/, '.com')
  const provider = PROVIDERS.find((one) => one.length >= TELLING_LENGTH && (one === ended || isOneSlip(one, ended)))
  const meant = provider ?? ended
  return meant === domain ? undefined : email.slice(0, at) + meant
}

/** Whether two different words are one letter apart, or have two neighbours swapped. */
function isOneSlip(one: string, other: string): boolean {
  let same = 0
  while (same < one.length && one[same] === other[same]) same++
  const [a, b] = [one.slice(same), other.slice(same)]
  return (
    a.slice(1) === b.slice(1) ||
    a.slice(1) === b ||
    a === b.slice(1) ||
    (a.slice(2) === b.slice(2) && a.charAt(0) === b.charAt(1) && a.charAt(1) === b.charAt(0))
  )
}
