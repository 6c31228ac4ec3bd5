import { ClientError, createClient } from '@sanity/client'
import type { Config } from '../config.ts'

/** The content lake, read with the service's own token, so that programme documents are included. */
export interface Lake {
  /** Runs a query over published documents. Throws when the lake does not answer. */
  fetch(query: string, params?: Record<string, unknown>): Promise<unknown>
  /** The user whose token it is, as the lake describes them; undefined: it knows no such token. */
  person(token: string): Promise<unknown>
  /** An asset's bytes; `range` is the header sent by the browser. Throws TypeError for an address outside the lake. */
  file(url: string, range: string | undefined, signal: AbortSignal): Promise<Response>
}

const API_VERSION = '2026-03-01'
const TIMEOUT = 10_000
/** The host on which Sanity's cloud keeps files. */
const CLOUD_FILES = 'cdn.sanity.io'

/** Null without a config (no project named); then whatever needs content reports that it is unavailable. */
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
    person: async (token) => {
      try {
        return await client.withConfig({ token }).users.getById('me')
      } catch (error) {
        if (error instanceof ClientError && (error.statusCode === 401 || error.statusCode === 403)) return undefined
        throw error
      }
    },
    file: (url, range, signal) => {
      // an address typed into a document must not make the service fetch what lies inside its network
      if (!URL.canParse(url) || new URL(url).host !== fileHost) throw new TypeError('an asset outside the content lake')
      return fetch(url, { signal, redirect: 'error', headers: range ? { range } : {} })
    },
  }
}
