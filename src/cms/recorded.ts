import { AsyncLocalStorage } from 'node:async_hooks'
import { contentSource, type ContentSource } from './connection.ts'

/**
 * The draft rendering (K-04) has to say where each field of each document appears. While a page is rendered, every
 * answer of the content lake is recorded here; published builds never use this.
 */
const answers = new AsyncLocalStorage<unknown[]>()

/** Runs `render` and hands back what it read beside its result. */
export async function recording<T>(render: () => Promise<T>): Promise<{ result: T; read: readonly unknown[] }> {
  const read: unknown[] = []
  return { result: await answers.run(read, render), read }
}

/** Drafts, with every answer recorded for the page that asked. */
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
