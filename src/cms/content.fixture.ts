import { readdirSync, readFileSync } from 'node:fs'
import { evaluate, parse } from 'groq-js'
import type { ContentSource } from './connection.ts'

/**
 * The shipped sample dataset as a content source: real queries over the real NDJSON, without a server. For tests only.
 */

export type SampleDocument = Record<string, unknown> & { _id: string; _type: string }

const FOLDER = new URL('../../studio/dataset/', import.meta.url)
const ADDRESS = { projectId: 'local0001', dataset: 'production', apiHost: 'http://lake.test', token: null }

export function sampleDocuments(): SampleDocument[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.ndjson'))
    .flatMap((name) => readFileSync(new URL(name, FOLDER), 'utf8').split('\n').filter(Boolean))
    .map((line) => uploaded(JSON.parse(line)) as SampleDocument)
}

// does what @sanity/import does with `_sanityAsset`, as far as queries can tell
function uploaded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(uploaded)
  if (typeof value !== 'object' || value === null) return value
  const { _sanityAsset: asset, ...rest } = value as Record<string, unknown>
  const fields = Object.fromEntries(Object.entries(rest).map(([name, field]) => [name, uploaded(field)]))
  if (typeof asset !== 'string') return fields
  const _ref = asset.startsWith('image@') ? 'image-abc123-1200x900-webp' : 'file-abc123-mp3'
  return { ...fields, asset: { _type: 'reference', _ref } }
}

/** Documents → source; `change` sees each document first and may break it. */
export function sampleSource(change: (document: SampleDocument) => void = () => {}): ContentSource {
  const file = { _id: 'file-abc123-mp3', _type: 'sanity.fileAsset', url: 'http://lake.test/files/abc123.mp3' }
  const dataset = [...sampleDocuments(), file]
  for (const document of dataset) change(document)
  return {
    address: ADDRESS,
    perspective: 'published',
    fetch: async (query, params = {}) =>
      (await evaluate(parse(query, { params }), { dataset, params })).get() as unknown,
  }
}
