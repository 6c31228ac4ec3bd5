import { AsyncLocalStorage } from 'node:async_hooks'
import { contentSource, type ContentSource } from './connection.ts'

/**
 * The draft rendering (K-04) has to say which field of which document stands where. While a page is rendered, every
 * answer of the content lake is noted here; published builds never come this way.
 */
const answers = new AsyncLocalStorage<unknown[]>()

/** Runs `render` and hands back what it read beside its result. */
export async function recording<T>(render: () => Promise<T>): Promise<{ result: T; read: readonly unknown[] }> {
  const read: unknown[] = []
  return { result: await answers.run(read, render), read }
}

/** Drafts, with every answer noted for the page that asked. */
export function draftSource(): ContentSource {
  const source = contentSource('drafts')
  return {
    ...source,
    async fetch(query, params) {
      const answer = await source.fetch(query, params)
      answers.getStore()?.push(answer)
      return answer
    },
  }
}
