/** What the lake has published when a build begins, and how that differs from the build before. */
import { messageOf } from '../../db/command.ts'
import type { Difference } from '../../contract/builds.ts'
import type { BuildRecord } from './builds.ts'
import { IS_CONTENT, isAway } from '../../contract/published.ts'
import { LakeAway } from './lake-away.ts'

export interface PublishedDocument {
  _id: string
  _rev: string
  _type: string
  title?: unknown
  name?: unknown
}

/** What differs from the build before: what an operator goes by who takes a publish back. */
export function changesOf(
  documents: readonly PublishedDocument[],
  sources: string,
  before: BuildRecord | undefined,
): Difference[] {
  if (!before) return [{ words: 'everything' }]
  const here = new Set(documents.map(({ _id }) => _id))
  const changed = documents.filter(({ _id, _rev }) => before.documents[_id] !== _rev).map(differenceOf)
  const gone = Object.keys(before.documents).filter((id) => !here.has(id))
  return [
    ...(before.sources === sources ? [] : [{ words: 'the programs' }]),
    ...changed,
    ...gone.map((id) => ({ words: `without ${id}` })),
  ]
}

const differenceOf = (document: PublishedDocument): Difference => ({
  words: nameOf(document),
  document: { id: document._id, type: document._type },
})

function nameOf({ _id, _type, title, name }: PublishedDocument): string {
  const words = [title, name].find((one) => typeof one === 'string')
  if (words !== undefined) return `${_type} “${words as string}”`
  return _id === _type ? _id : `${_type} ${_id}`
}

/** All published content. Rejects, naming the program or project; with LakeAway when it does not answer. */
export async function readContent(env: Record<string, string>): Promise<PublishedDocument[]> {
  const { SANITY_API_HOST, SANITY_PROJECT_ID = '', SANITY_DATASET = 'production' } = env
  if (!SANITY_API_HOST && !SANITY_PROJECT_ID) return []
  const host = SANITY_API_HOST ?? `https://${SANITY_PROJECT_ID}.api.sanity.io`
  const url = new URL(`/v2025-02-19/data/query/${SANITY_DATASET}`, host)
  url.searchParams.set('query', `*[${IS_CONTENT}] | order(_id) {_id, _rev, _type, title, name}`)
  url.searchParams.set('perspective', 'published')
  const headers = {
    'X-Sanity-Project-ID': SANITY_PROJECT_ID,
  }
  let answer: Response
  try {
    answer = await fetch(url, { headers, signal: AbortSignal.timeout(20_000) })
  } catch (error) {
    const reason = messageOf(error)
    throw new LakeAway(`The content at ${host} does not answer (${reason}). Is the content lake, or the network, up?`, {
      cause: error,
    })
  }
  if (!answer.ok) {
    throw new (isAway(answer.status) ? LakeAway : Error)(
      `The content at ${host} answered ${answer.status}: ${(await answer.text()).slice(0, 300)}. Check ` +
        `SANITY_PROJECT_ID and SANITY_DATASET.`,
    )
  }
  const { result } = (await answer.json()) as { result: PublishedDocument[] }
  if (!result.length) throw new Error(`The dataset ${SANITY_DATASET} at ${host} is empty: there is nothing to build.`)
  return result
}
