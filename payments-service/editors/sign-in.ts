import { createHash } from 'node:crypto'
import { memberOf, tokenOf } from '../../contract/api/editor-sign-in.ts'
import type { Lake } from '../content/lake.ts'
import { AppError } from '../http/errors.ts'

/** A sign-in that was ended at the lake ends here this much later. */
const FRESH = 60_000
const MOST = 500

/** Resolves for an editor who shows their own sign-in at the content lake; throws for everyone else. */
export type EditorDoor = (authorization: string | undefined) => Promise<void>

/** Asks the lake whose token it is, once a minute for each; keeps hashes alone, and for as long. */
export function createEditorDoor(lake: Lake | null): EditorDoor {
  const known = new Map<string, { until: number; found: Promise<void> }>()
  const ask = async (token: string): Promise<void> => {
    if (!lake) throw new AppError('not_found')
    const person = await lake.person(token).catch((error: unknown) => {
      throw new AppError('service_unavailable', { cause: error, retryAfter: 5 })
    })
    if (person === undefined) throw new AppError('sign_in_required')
    if (!memberOf(person)) throw new AppError('no_access')
  }
  return async (authorization) => {
    const token = tokenOf(authorization)
    if (token === undefined) throw new AppError('sign_in_required')
    const key = createHash('sha256').update(token).digest('base64')
    const seen = known.get(key)
    if (seen && seen.until > Date.now()) return seen.found
    const found = ask(token)
    known.delete(key)
    known.set(key, { until: Date.now() + FRESH, found })
    for (const oldest of known.keys()) if (known.size > MOST) known.delete(oldest)
    // a refusal is remembered; a lake that did not answer is asked again
    await found.catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'service_unavailable') known.delete(key)
      throw error
    })
  }
}
