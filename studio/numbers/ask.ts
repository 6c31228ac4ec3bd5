import type { SanityClient } from 'sanity'
import { editorsApi, type PageNumbersView, type StepNumbersView } from '../../contract/editors.ts'
import { apiHost, siteUrl } from '../environment.ts'

/** What is asked for; '' of a choice: all. */
export interface Selection {
  /** UTC days. */
  from: string
  to: string
  revision: string
  source: string
  device: string
  language: string
}

/** What the service tells editors. */
export interface Reports {
  stepNumbers: StepNumbersView
  pageNumbers: PageNumbersView
}

/** Why there are no numbers, in words for an editor. */
export class NoNumbers extends Error {}

const REASONS: Readonly<Record<number, string>> = {
  401: 'Your sign-in is over. Sign out of the Studio and in again.',
  403: 'Your account has no role in this project.',
  404: 'The service does not know which content lake editors sign in at.',
  429: 'That was a lot at once. Try again in a minute.',
}

/**
 * The editor's own sign-in, as a token. On the embedded lake the page's origin is the sign-in, and the lake gives a
 * token that says so.
 */
async function signInOf(client: SanityClient): Promise<string> {
  const { token } = client.config()
  if (token) return token
  if (apiHost === undefined) throw new NoNumbers(REASONS[401])
  const given = await client.request<{ token: string }>({ url: '/auth/fetch', query: { sid: 'embedded' } })
  return given.token
}

/** Asks the service; throws NoNumbers. */
export async function askNumbers<N extends keyof Reports>(
  client: SanityClient,
  report: N,
  selection: Selection,
): Promise<Reports[N]> {
  if (siteUrl === undefined)
    throw new NoNumbers('This Studio was built without the address of the site (SANITY_STUDIO_SITE_URL).')
  const token = await signInOf(client)
  const address = new URL(editorsApi[report].path, siteUrl)
  for (const [name, value] of Object.entries(selection)) if (value !== '') address.searchParams.set(name, String(value))
  const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } }).catch(() => undefined)
  if (!answer) throw new NoNumbers('The service cannot be reached, or does not know this Studio (STUDIO_ORIGINS).')
  if (!answer.ok) throw new NoNumbers(REASONS[answer.status] ?? 'The service has no answer right now.')
  return (await answer.json()) as Reports[N]
}
