import { createClient, type ClientPerspective, type QueryParams, type SanityClient } from '@sanity/client'
import { isAway, LAKE_AWAY } from '../../contract/published.ts'

/** The project id of the embedded content lake. */
const EMBEDDED_PROJECT = 'local0001'
const EMBEDDED_HOST = 'http://127.0.0.1:3334'
/** One date for every query, so that a change of Sanity's API never changes a build. */
const API_VERSION = '2026-03-01'
const TIMEOUT_MS = 15_000

/**
 * Where the content comes from. `apiHost` is null on Sanity's cloud, where the client derives it from the project id.
 */
export interface ContentAddress {
  projectId: string
  dataset: string
  apiHost: string | null
  /** Reads drafts; needed for the `drafts` perspective only. */
  token: string | null
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * SANITY_PROJECT_ID, SANITY_DATASET, SANITY_API_HOST, SANITY_TOKEN → address (K-03: embedded when no project is named).
 */
export function contentAddress(env: Env = buildEnv()): ContentAddress {
  const projectId = env['SANITY_PROJECT_ID'] || EMBEDDED_PROJECT
  const apiHost = env['SANITY_API_HOST'] || (projectId === EMBEDDED_PROJECT ? EMBEDDED_HOST : null)
  return {
    projectId,
    dataset: env['SANITY_DATASET'] || 'production',
    apiHost: apiHost?.replace(/\/{1,9}$/, '') ?? null,
    token: env['SANITY_TOKEN'] || null,
  }
}

// Astro puts .env files into import.meta.env and leaves process.env to the shell: the shell wins. The token comes from
// the shell alone, because values in import.meta.env can end up in a bundle.
function buildEnv(): Env {
  const shell: Env = typeof process === 'undefined' ? {} : process.env
  const file = (import.meta as { env?: Env }).env ?? {}
  return {
    SANITY_PROJECT_ID: shell['SANITY_PROJECT_ID'] ?? file['SANITY_PROJECT_ID'],
    SANITY_DATASET: shell['SANITY_DATASET'] ?? file['SANITY_DATASET'],
    SANITY_API_HOST: shell['SANITY_API_HOST'] ?? file['SANITY_API_HOST'],
    SANITY_TOKEN: shell['SANITY_TOKEN'],
  }
}

/** What the getters read from; tests hand in their own. */
export interface ContentSource {
  address: ContentAddress
  perspective: ClientPerspective
  fetch: (query: string, params?: QueryParams) => Promise<unknown>
}

/** The lake did not answer. Its message says where and what to do, with LAKE_AWAY where a later try may succeed. */
export class ContentUnreachable extends Error {
  override name = 'ContentUnreachable'
}

/** A client of the content lake at `address`; with a token it also sees what only editors may read. */
export function contentClient(
  perspective: ClientPerspective,
  address: ContentAddress = contentAddress(),
  options: { timeout?: number } = {},
): SanityClient {
  const { projectId, dataset, apiHost, token } = address
  return createClient({
    projectId,
    dataset,
    apiVersion: API_VERSION,
    perspective,
    useCdn: false,
    ...options,
    ...(apiHost === null ? {} : { apiHost, useProjectHostname: false }),
    ...(token === null ? {} : { token }),
  })
}

/**
 * A source over Sanity's HTTP API: `published` for builds, `drafts` for the preview deployment. `fetch` throws
 * ContentUnreachable when nothing answers or the project refuses.
 */
export function contentSource(
  perspective: ClientPerspective = 'published',
  address: ContentAddress = contentAddress(),
): ContentSource {
  const client = contentClient(perspective, address, { timeout: TIMEOUT_MS })
  return {
    address,
    perspective,
    fetch: (query, params = {}) =>
      client.fetch<unknown>(query, params).catch((cause: unknown) => {
        throw unreachable(client, address, cause)
      }),
  }
}

function unreachable(client: SanityClient, address: ContentAddress, cause: unknown): Error {
  const status = (cause as { statusCode?: unknown }).statusCode
  // a 400 is the fault of our own query, and its message says so
  if (status === 400) return cause as Error
  const where = `${client.getUrl('')} (project ${address.projectId}, dataset ${address.dataset})`
  const what = typeof status === 'number' ? `answered ${status}` : 'does not answer'
  const todo =
    address.apiHost === null
      ? 'Check SANITY_PROJECT_ID, SANITY_DATASET and SANITY_TOKEN, and that the dataset is public.'
      : 'Start it with `npm start`, or set SANITY_API_HOST to the address of a running content lake.'
  const reason = cause instanceof Error ? ` (${cause.message.split('\n')[0]})` : ''
  const mark = isAway(status) ? ` ${LAKE_AWAY}` : ''
  return new ContentUnreachable(`The content lake at ${where} ${what}${reason}. ${todo}${mark}`, { cause })
}
