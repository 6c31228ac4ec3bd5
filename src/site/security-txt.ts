/** RFC 9116: where to report a security fault. */

export const SECURITY_TXT = '/.well-known/security.txt'
/** SECURITY.md of the repository: how to report a fault and what to expect. */
export const SECURITY_POLICY = '/.well-known/security-policy.txt'

/** Days after the build for which the file holds; the RFC recommends less than a year. */
const DAYS = 350

export interface SecurityContact {
  /** The e-mail address for questions, from the settings. */
  email: string
  /** Public address of the site; undefined where a build does not know it, which leaves Canonical and Policy out. */
  site: URL | undefined
  builtAt: Date
}

/** The text of security.txt. It expires at midnight (UTC), so that two builds on one day are the same. */
export function securityTxt({ email, site, builtAt }: SecurityContact): string {
  const expires = new Date(Math.floor(builtAt.getTime() / 86_400_000 + DAYS) * 86_400_000)
  const at = (path: string) => site && new URL(path, site).href
  const fields: [name: string, value: string | undefined][] = [
    ['Contact', `mailto:${email}`],
    ['Expires', expires.toISOString()],
    ['Preferred-Languages', 'en'],
    ['Canonical', at(SECURITY_TXT)],
    ['Policy', at(SECURITY_POLICY)],
  ]
  return fields.flatMap(([name, value]) => (value ? [`${name}: ${value}\n`] : [])).join('')
}
