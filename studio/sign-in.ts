import type { SanityClient } from 'sanity'
import { apiHost } from './environment.ts'

/** Why another program of ours did not answer an editor, in words for them. */
export class Untold extends Error {}

export const SIGN_IN_OVER = 'Your sign-in is over. Sign out of the Studio and in again.'

/**
 * The editor's own sign-in, as a token. On the embedded lake the page's origin is the sign-in, and the lake gives a
 * token that says so.
 */
export async function signInOf(client: SanityClient): Promise<string> {
  const { token } = client.config()
  if (token) return token
  if (apiHost === undefined) throw new Untold(SIGN_IN_OVER)
  const given = await client.request<{ token: string }>({ url: '/auth/fetch', query: { sid: 'embedded' } })
  return given.token
}
