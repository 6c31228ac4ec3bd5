import { AsyncLocalStorage } from 'node:async_hooks'
import { contentSource, type ContentSource } from './connection.ts'

/**
 * The draft rendering (K-04) has to say where each field of each document appears. While a page is rendered, every
 * answer of the content lake is recorded here; published builds never use this.
 */
const rendering = new AsyncLocalStorage<{ read: unknown[]; perspective: readonly string[] }>()

const LAYER = /^(drafts|published|r(?!aw$)[A-Za-z0-9]{1,59})$/
const MOST = 10

/** What the Studio looks at, first to last: releases, drafts, or what is published; drafts for anything else. */
export function layersOf(text: string | null): readonly string[] {
  const layers = text?.slice(0, 1_000).split(',') ?? []
  return layers.length > 0 && layers.length <= MOST && layers.every((one) => LAYER.test(one)) ? layers : ['drafts']
}

/** Runs `render` on these layers of content, and hands back what it read beside its result. */
export async function recording<T>(
  render: () => Promise<T>,
  perspective: readonly string[] = ['drafts'],
): Promise<{ result: T; read: readonly unknown[] }> {
  const read: unknown[] = []
  return { result: await rendering.run({ read, perspective }, render), read }
}

/** Drafts, or what the Studio looks at, with every answer recorded for the page that asked. */
export function draftSource(): ContentSource {
  const sources = new Map<string, ContentSource>()
  const sourceOf = (layers: readonly string[]): ContentSource => {
    const key = String(layers)
    const known = sources.get(key) ?? contentSource(layers.length === 1 ? (key as 'drafts') : [...layers])
    if (sources.size > 50) sources.clear()
    sources.set(key, known)
    return known
  }
  return {
    ...sourceOf(['drafts']),
    async fetch(query, params) {
      const store = rendering.getStore()
      const answer = await sourceOf(store?.perspective ?? ['drafts']).fetch(query, params)
      store?.read.push(answer)
      return answer
    },
  }
}
