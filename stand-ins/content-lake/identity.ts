/**
 * Who is calling. There are no accounts in embedded mode: the token, or the local editor in a browser on this machine.
 *
 * A browser names the requesting page in `Origin`, which no page can forge: pages on this machine (localhost,
 * *.localhost, 127.0.0.1, [::1], or only the listed origins if there is a list) are the Studio and act as the local
 * editor, and can ask for a token that proves the same to another program. A page of another site, or a program without
 * the token, is anonymous: it reads published documents whose id has no dot.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { SEED_AUTHOR } from './dataset.ts'
import { unauthorized } from './errors.ts'

/** `readAll`: drafts and private documents too. `write`: mutations, actions, uploads. */
export type Identity = { id: string; readAll: boolean; write: boolean }
export type IdentityRules = { token: string | null; studioOrigins: readonly string[] }

export const EDITOR_ID = 'p-local-editor'
const ROBOT_ID = 'p-local-token'
const ANYBODY: Identity = { id: '<anonymous>', readAll: false, write: false }

/** Throws 401 for any other token, as Sanity does. */
export function identify(req: IncomingMessage, rules: IdentityRules): Identity {
  const bearer = /^Bearer (.+)$/i.exec(req.headers.authorization ?? '')?.[1]
  if (bearer !== undefined) {
    if (isSignIn(bearer)) return { id: EDITOR_ID, readAll: true, write: true }
    if (rules.token === null || !same(bearer, rules.token)) throw unauthorized()
    return { id: ROBOT_ID, readAll: true, write: true }
  }
  const { origin } = req.headers
  if (origin !== undefined && isStudio(origin, rules.studioOrigins))
    return { id: EDITOR_ID, readAll: true, write: true }
  return ANYBODY
}

function isStudio(origin: string, listed: readonly string[]): boolean {
  if (listed.length > 0) return listed.includes(origin)
  const host = URL.parse(origin)?.hostname ?? ''
  return host === 'localhost' || host.endsWith('.localhost') || host === '127.0.0.1' || host === '[::1]'
}

const SIGN_IN_HOURS = 12
const signInKey = randomBytes(32)
const signed = (until: string) => `editor-${until}-${createHmac('sha256', signInKey).update(until).digest('hex')}`

/** The local editor's sign-in as a token, until this program ends or half a day is over. */
export const newSignIn = (now = Date.now()): string => signed(String(now + SIGN_IN_HOURS * 3_600_000))

function isSignIn(token: string): boolean {
  const until = /^editor-(\d+)-/.exec(token)?.[1]
  return until !== undefined && same(token, signed(until)) && Number(until) > Date.now()
}

const digest = (text: string) => createHash('sha256').update(text).digest()
const same = (a: string, b: string) => timingSafeEqual(digest(a), digest(b))

const NAMES: Record<string, string> = { [EDITOR_ID]: 'Local Editor', [SEED_AUTHOR]: 'Sample content' }

/** The user as the Studio shows it. */
export const userOf = (identity: Identity) => ({
  id: identity.id,
  name: NAMES[identity.id] ?? 'Local token',
  email: 'editor@localhost.invalid',
  profileImage: '',
  provider: 'embedded',
  role: 'administrator',
  roles: [{ name: 'administrator', title: 'Administrator', description: '' }],
})
