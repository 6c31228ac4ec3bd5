import { existsSync, readFileSync } from 'node:fs'
import { createClient, type SanityClient } from '@sanity/client'

const EMBEDDED_PROJECT = 'local0001'

/** The dataset could not be read or written; the message says where and what to do. */
export class ContentUnavailable extends Error {
  override name = 'ContentUnavailable'
}

/**
 * A client that reads and writes everything, from SANITY_PROJECT_ID (embedded lake when unset, that of `npm start`
 * with its token), SANITY_DATASET, SANITY_API_HOST and SANITY_TOKEN. Writing, drafts and programme documents need the
 * token (the embedded lake's own is LAKE_TOKEN); without one, published pages can be read from the embedded lake.
 * Throws ContentUnavailable when there is no token and a real project is named, or `access` is 'write'.
 */
export function contentClient(access: 'read' | 'write' = 'read', env: NodeJS.ProcessEnv = process.env): SanityClient {
  const projectId = env['SANITY_PROJECT_ID'] || EMBEDDED_PROJECT
  const embedded = projectId === EMBEDDED_PROJECT
  const started = embedded && !env['SANITY_API_HOST'] ? startedLake() : undefined
  const apiHost = env['SANITY_API_HOST'] || (embedded ? (started?.host ?? 'http://127.0.0.1:3334') : undefined)
  const token = env['SANITY_TOKEN'] || started?.token
  if (!token && (!embedded || access === 'write')) {
    throw new ContentUnavailable(
      embedded
        ? 'Set SANITY_TOKEN to the LAKE_TOKEN with which the content lake was started.'
        : `Project ${projectId} needs a token: create one with editor rights at https://www.sanity.io/manage ` +
            `and set SANITY_TOKEN.`,
    )
  }
  const client = createClient({
    projectId,
    dataset: env['SANITY_DATASET'] || 'production',
    apiVersion: '2026-03-01',
    perspective: 'raw',
    useCdn: false,
    ...(token ? { token } : {}),
    ...(apiHost === undefined ? {} : { apiHost, useProjectHostname: false }),
  })
  return client
}

/** The lake that `npm start` of this clone runs, and its token; undefined where it never ran one. */
function startedLake(): { host: string; token: string } | undefined {
  const { lake } = kept<{ lake?: string }>('addresses.json')
  const { lakeToken } = kept<{ lakeToken?: string }>('secrets.json')
  return lake && lakeToken ? { host: lake, token: lakeToken } : undefined
}

function kept<Content extends object>(name: string): Partial<Content> {
  const file = new URL(`../../.data/${name}`, import.meta.url)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Content) : {}
}

/** A failed call in words: the address, what it answered, what to do. */
export function unavailable(client: SanityClient, cause: unknown): ContentUnavailable {
  const { projectId, dataset } = client.config()
  const status = (cause as { statusCode?: unknown }).statusCode
  const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause)
  const todo =
    projectId === EMBEDDED_PROJECT
      ? status === 401 || status === 403
        ? 'Set SANITY_TOKEN to the LAKE_TOKEN with which it was started.'
        : 'Start it with `npm start`, or set SANITY_API_HOST to the address of a running content lake.'
      : 'Check SANITY_PROJECT_ID, SANITY_DATASET and the rights of SANITY_TOKEN.'
  return new ContentUnavailable(
    `The content lake at ${client.getUrl('')} (project ${projectId}, dataset ${dataset}) ` +
      `${typeof status === 'number' ? `answered ${status}` : 'does not answer'}: ${reason}. ${todo}`,
    { cause },
  )
}
