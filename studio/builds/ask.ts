import type { SanityClient } from 'sanity'
import { type BuildChange, BUILDS_PATH, type BuildsView } from '../../contract/builds.ts'
import { publisherUrl } from '../environment.ts'
import { signInOf, Untold } from '../sign-in.ts'

/** The builds, as the publisher shows them to this editor, after a change if there is one; throws Untold. */
export async function askBuilds(client: SanityClient, change?: BuildChange, build?: string): Promise<BuildsView> {
  if (publisherUrl === undefined)
    throw new Untold(
      'This Studio knows no publisher (SANITY_STUDIO_PUBLISHER_URL). A site that a host builds is taken back there.',
    )
  const address = new URL(change ? `${BUILDS_PATH}/${change}` : BUILDS_PATH, publisherUrl)
  const headers = { authorization: `Bearer ${await signInOf(client)}`, 'content-type': 'application/json' }
  const call = change ? { method: 'POST', headers, body: JSON.stringify(build ? { build } : {}) } : { headers }
  const answer = await fetch(address, call).catch(() => undefined)
  if (!answer) throw new Untold('The publisher cannot be reached, or does not know this Studio (STUDIO_ORIGINS).')
  const body = (await answer.json().catch(() => undefined)) as BuildsView | { error: string } | undefined
  if (!body) throw new Untold('The publisher has no answer right now.')
  if ('error' in body) throw new Untold(body.error)
  return body
}
