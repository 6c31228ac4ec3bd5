/**
 * The cookie settings of one area of accounts. Over https the cookies have the prefix `__Host-`, so that neither a
 * sibling host nor a page without TLS can plant one (ASVS V3.3.3); better-auth's default is the weaker `__Secure-`.
 * Over http browsers accept neither prefix.
 */
export function hostCookies(name: string, { url, suffix }: { url: string; suffix: string | undefined }) {
  const secure = url.startsWith('https:')
  return {
    cookiePrefix: `${secure ? '__Host-' : ''}${name}${suffix ? `-${suffix}` : ''}`,
    useSecureCookies: false,
    defaultCookieAttributes: { secure },
  }
}
