import type { ServerResponse } from 'node:http'
import { contentClient } from '../cms/connection.ts'

/**
 * Announces changes of content to open previews, one event stream a page. One listener at the content lake serves all.
 */
export interface Changes {
  /** Keeps `response` open as a stream of server-sent events. */
  subscribe(response: ServerResponse): void
  close(): void
}

const HEARTBEAT_MS = 20_000
const RETRY_MS = 1_000
/** How long a draft that has just appeared may wait for its first change. */
const FIRST_CHANGE_MS = 400

/**
 * Milliseconds before open previews hear of a change. The first key typed in the Studio makes two commits: a draft
 * equal to what is published, then the change. A page rendered for the first shows nothing new and delays the second.
 */
export function patienceFor({ transition, documentId }: { transition?: string; documentId?: string }): number {
  return transition === 'appear' && documentId?.startsWith('drafts.') === true ? FIRST_CHANGE_MS : 0
}

/** Needs SANITY_TOKEN: only editors may read drafts. Keeps trying while the lake is down. */
export function watchChanges(): Changes {
  const client = contentClient('raw')
  const open = new Set<ServerResponse>()
  let later: NodeJS.Timeout | undefined
  const announce = (): void => {
    clearTimeout(later)
    later = undefined
    for (const response of open) response.write('event: change\ndata: {}\n\n')
  }
  let retry: NodeJS.Timeout | undefined
  let missed = false
  const listen = () =>
    client
      .listen(
        '*[!(_type match "system.*")]',
        {},
        { includeResult: false, visibility: 'query', events: ['mutation', 'welcome', 'reconnect'] },
      )
      .subscribe({
        next(event) {
          if (event.type === 'reconnect') missed = true
          else if (event.type === 'mutation' || missed) {
            missed = false
            const patience = event.type === 'mutation' ? patienceFor(event) : 0
            if (patience === 0) announce()
            else later ??= setTimeout(announce, patience)
          }
        },
        error() {
          missed = true
          retry = setTimeout(() => (subscription = listen()), RETRY_MS)
        },
      })
  let subscription = listen()
  const heartbeat = setInterval(() => {
    for (const response of open) response.write(': here\n\n')
  }, HEARTBEAT_MS)

  return {
    subscribe(response) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
      response.write(': here\n\n')
      open.add(response)
      response.on('close', () => open.delete(response))
    },
    close() {
      clearInterval(heartbeat)
      clearTimeout(retry)
      clearTimeout(later)
      subscription.unsubscribe()
      for (const response of open) response.end()
    },
  }
}
