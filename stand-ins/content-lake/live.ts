/** `data/live/events`: notifies pages that content has changed. All queries carry the single tag `s1:all`. */
import { randomUUID } from 'node:crypto'
import { isPublic } from './documents.ts'
import { unauthorized } from './errors.ts'
import { openStream } from './stream.ts'
import type { Call } from './http.ts'
import type { Dataset } from './dataset.ts'

export function events(call: Call, dataset: Dataset): void {
  const drafts = call.query.get('includeDrafts') === 'true'
  if (drafts && !call.who.readAll) throw unauthorized()
  const stream = openStream(call)
  const last = call.req.headers['last-event-id']
  // A page that was disconnected for a while cannot know what it missed.
  const away = typeof last === 'string' && last !== '' && dataset.history.at(-1)?.id !== last
  stream.send(away ? 'restart' : 'welcome', {}, dataset.history.at(-1)?.id ?? randomUUID())
  stream.onClose(
    dataset.subscribe((transaction) => {
      if (drafts || transaction.changes.some((change) => isPublic(change.id)))
        stream.send('message', { tags: ['s1:all'] }, transaction.id)
    }),
  )
}
