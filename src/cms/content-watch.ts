import type { AstroIntegration } from 'astro'
import { contentAddress, contentClient } from './connection.ts'

/** Several documents published together are one change. */
const SETTLE_MS = 150
const RETRY_MS = 2_000

/**
 * `npm run dev` has no publisher: when something is published, the dev server forgets its list of pages and open
 * browsers reload (K-04). The content of a page is fetched with every request anyway.
 */
export function contentWatch(): AstroIntegration {
  return {
    name: 'content-watch',
    hooks: {
      'astro:server:setup'({ server }) {
        const client = contentClient('raw', { ...contentAddress(), token: null })
        let settling: NodeJS.Timeout | undefined
        let retry: NodeJS.Timeout | undefined
        const tell = (): void => {
          // the event name that Astro itself uses
          for (const { hot } of Object.values(server.environments)) hot.send('astro:content-changed', {})
          server.environments['client']?.hot.send({ type: 'full-reload', path: '*' })
        }
        const listen = () =>
          client.listen('*[!(_id in path("drafts.**"))]', {}, { includeResult: false, visibility: 'query' }).subscribe({
            next() {
              clearTimeout(settling)
              settling = setTimeout(tell, SETTLE_MS)
            },
            // the lake is down: pages report that themselves
            error: () => void (retry = setTimeout(() => (subscription = listen()), RETRY_MS)),
          })
        let subscription = listen()
        server.httpServer?.once('close', () => {
          clearTimeout(settling)
          clearTimeout(retry)
          subscription.unsubscribe()
        })
      },
    },
  }
}
