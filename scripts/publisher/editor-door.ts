/** Who asks the publisher for something: an editor, by their own sign-in at the content lake. */
import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { ClientError, type SanityClient } from '@sanity/client'
import { type Member, mayPublish, memberOf, tokenOf } from '../../contract/api/editor-sign-in.ts'

export class Refused extends Error {
  readonly status: number
  constructor(status: number, words: string) {
    super(words)
    this.status = status
  }
}

/**
 * Refused sign-ins of one network in a minute after which the lake is asked no more for it: it is not ours to be
 * flooded, and a stranger elsewhere locks no editor out.
 */
const MOST_REFUSED = 30
const MOST_KNOWN = 500

export interface Entering {
  authorization: string | undefined
  /** Whether something is to change. */
  change: boolean
  /** The address of the browser. */
  from: string
}

/** Resolves with an editor who may look, or may publish where something is to change; throws Refused. */
export type Door = (entering: Entering) => Promise<Member>

/** An IPv4 address, or the /64 of an IPv6 one, which is one line's. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIPv6(plain)) return plain
  const [start = ''] = plain.toLowerCase().split('::')
  return [...start.split(':'), '0', '0', '0', '0'].slice(0, 4).join(':')
}

export function editorDoor(client: Pick<SanityClient, 'withConfig'>): Door {
  let refused: { at: number; network: string }[] = []
  // an editor who was let in once is asked about, however many others are refused
  const known = new Set<string>()
  return async ({ authorization, change, from }) => {
    const token = tokenOf(authorization)
    if (token === undefined) throw new Refused(401, 'Sign in to the Studio first.')
    const network = networkOf(from)
    refused = refused.filter(({ at }) => at > Date.now() - 60_000)
    const hash = createHash('sha256').update(token).digest('base64')
    if (refused.filter((one) => one.network === network).length >= MOST_REFUSED && !known.has(hash))
      throw new Refused(429, 'Too many sign-ins were wrong. Try again in a minute.')
    try {
      const person = memberOf(await personOf(client, token))
      if (!person) throw new Refused(403, 'Your account has no role in this project.')
      if (change && !mayPublish(person)) throw new Refused(403, 'Your role in this project may not publish.')
      known.add(hash)
      for (const oldest of known) if (known.size > MOST_KNOWN) known.delete(oldest)
      return person
    } catch (error) {
      if (error instanceof Refused && error.status !== 503) refused.push({ at: Date.now(), network })
      throw error
    }
  }
}

async function personOf(client: Pick<SanityClient, 'withConfig'>, token: string): Promise<unknown> {
  try {
    return await client.withConfig({ token }).users.getById('me')
  } catch (error) {
    if (error instanceof ClientError && (error.statusCode === 401 || error.statusCode === 403))
      throw new Refused(401, 'Your sign-in is over. Sign out of the Studio and in again.')
    throw new Refused(503, 'The content lake does not answer, so nobody can say who you are. Try again in a minute.')
  }
}
