/** Whose changes a build shows: the lake names with each change who made it, and the project knows their names. */
import { setTimeout as rest } from 'node:timers/promises'
import type { MutationEvent, SanityClient } from '@sanity/client'

export interface Makers {
  heard(event: Pick<MutationEvent, 'documentId' | 'identity' | 'transition' | 'resultRev'>): void
  /** Names of those whose changes these documents (revisions by id) are the first to have; empty: none is known. */
  namesFor(documents: Readonly<Record<string, string>>): Promise<string[]>
}

/** What nothing was built of, such as paid content, is forgotten after so many documents. */
const MOST_WAITING = 1_000
/** A site does not wait longer for a name. */
const NAME_MS = 5_000

export function startMakers(client: Pick<SanityClient, 'users'>): Makers {
  /** Of each changed document the revision, undefined once it is gone, and who changed it since the last build. */
  const waiting = new Map<string, { revision: string | undefined; by: Set<string> }>()
  const names = new Map<string, Promise<string | undefined>>()

  const nameOf = (id: string): Promise<string | undefined> => {
    const known = names.get(id)
    if (known) return known
    const asked = named(client, id)
    names.set(id, asked)
    // asked again with their next change
    void asked.then((name) => name === undefined && names.delete(id))
    return asked
  }

  return {
    heard({ documentId, identity, transition, resultRev }) {
      void nameOf(identity)
      const by = waiting.get(documentId)?.by ?? new Set()
      waiting.delete(documentId)
      waiting.set(documentId, { revision: transition === 'disappear' ? undefined : resultRev, by: by.add(identity) })
      for (const oldest of waiting.keys()) if (waiting.size > MOST_WAITING) waiting.delete(oldest)
    },
    async namesFor(documents) {
      const ids = new Set<string>()
      for (const [document, { revision, by }] of waiting) {
        // one that was changed again meanwhile is of the next build
        if (documents[document] !== revision) continue
        waiting.delete(document)
        for (const id of by) ids.add(id)
      }
      const found = await Promise.all([...ids].map(nameOf))
      return [...new Set(found.filter((name) => name !== undefined))].sort()
    },
  }
}

/** Undefined for who has left the project, and where the token may not ask. */
async function named(client: Pick<SanityClient, 'users'>, id: string): Promise<string | undefined> {
  const late = rest(NAME_MS, undefined, { ref: false })
  // the types know of `users/me` alone what a user is called
  const asked = client.users.getById(id).then((user) => {
    const { displayName, name } = user as { displayName?: string; name?: string }
    return displayName || name || undefined
  })
  return Promise.race([asked.catch(() => undefined), late])
}
