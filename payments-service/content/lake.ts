import { createClient } from '@sanity/client'
import type { Config } from '../config.ts'

/** The content lake as the service reads it: with its own token, so that programme documents are there too. */
export interface Lake {
  /** Runs a query over published documents. Throws when the lake does not answer. */
  fetch(query: string, params?: Record<string, unknown>): Promise<unknown>
  /** An asset's bytes; `range` is the browser's own header. Throws TypeError for an address outside the lake. */
  file(url: string, range: string | undefined, signal: AbortSignal): Promise<Response>
}

const API_VERSION = '2026-03-01'
const TIMEOUT = 10_000
/** Where Sanity's cloud keeps files. */
const CLOUD_FILES = 'cdn.sanity.io'

/** Null config (no project named): null, and whatever needs content says that it cannot be had now. */
export function createLake(config: Config['sanity']): Lake | null {
  if (!config) return null
  const client = createClient({
    projectId: config.projectId,
    dataset: config.dataset,
    apiVersion: API_VERSION,
    token: config.token,
    perspective: 'published',
    useCdn: false,
    timeout: TIMEOUT,
    ...(config.apiHost ? { apiHost: config.apiHost, useProjectHostname: false } : {}),
  })
  const fileHost = config.apiHost ? new URL(config.apiHost).host : CLOUD_FILES
  return {
    fetch: (query, params = {}) => client.fetch<unknown>(query, params),
    file: (url, range, signal) => {
      // an address typed into a document must not make the service fetch what lies inside its network
      if (!URL.canParse(url) || new URL(url).host !== fileHost) throw new TypeError('an asset outside the content lake')
      return fetch(url, { signal, redirect: 'error', headers: range ? { range } : {} })
    },
  }
}
