/** Where the skip link of every page leads (src/site/Page.astro). */
const SKIPPED = '#main'

/**
 * The token of a link in a mail: the fragment of the address, which reaches no server and no log. Old links, where it
 * was a path segment (`/cancel/{token}`) or a query (`?token=`), work until they expire; their token moves to the
 * fragment at once. '' if there is none. Once read it stays in the address, whatever "Skip to content" puts there.
 */
export function linkToken(): string {
  const token = readToken()
  if (token && !kept) addEventListener('hashchange', putBack)
  if (token) kept = token
  return token
}

let kept = ''

function putBack(): void {
  if (location.hash === SKIPPED) history.replaceState(history.state, '', `#${encodeURIComponent(kept)}`)
}

function readToken(): string {
  const { hash, pathname, search } = location
  if (hash.length > 1 && hash !== SKIPPED) return safe(hash.slice(1))
  const named = new URLSearchParams(search).get('token')
  const [, page = '', ...rest] = pathname.split('/').filter((part, at) => at === 0 || part)
  const token = named ?? (page === 'app' ? '' : (rest.at(-1) ?? ''))
  if (!token) return ''
  const place = named === null ? `/${page}` : pathname
  history.replaceState(history.state, '', `${place}#${encodeURIComponent(token)}`)
  return safe(token)
}

function safe(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
