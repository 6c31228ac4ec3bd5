import type { ServerResponse } from 'node:http'
import { createClient } from '@sanity/client'
import { contentAddress } from '../cms/connection.ts'

/** Announces changes of content to open previews, one event stream a page. One listener at the content lake serves all. */
export interface Changes {
  /** Keeps `response` open as a stream of server-sent events. */
  subscribe(response: ServerResponse): void
  close(): void
}

const HEARTBEAT_MS = 20_000
const RETRY_MS = 1_000

/** Needs SANITY_TOKEN: drafts are nobody's but the editors'. Goes on trying when the lake is away. */
export function watchChanges(): Changes {
  const { projectId, dataset, apiHost, token } = contentAddress()
  const client = createClient({
    projectId,
    dataset,
    apiVersion: '2026-03-01',
    perspective: 'raw',
    useCdn: false,
    ...(apiHost === null ? {} : { apiHost, useProjectHostname: false }),
    ...(token === null ? {} : { token }),
  })
  const open = new Set<ServerResponse>()
  const announce = (): void => {
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
      ) // prettier-ignore
      .subscribe({
        next({ type }) {
          if (type === 'reconnect') missed = true
          else if (type === 'mutation' || missed) {
            missed = false
            announce()
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
      subscription.unsubscribe()
      for (const response of open) response.end()
    },
  }
}
