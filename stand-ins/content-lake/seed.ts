/**
 * The sample content: NDJSON with assets in the format of `@sanity/import` (`"_sanityAsset":
 * "image@file://./assets/x.png"`), imported as one transaction.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { storeAsset, type AssetKind, type AssetPlace } from './assets.ts'
import { SEED_AUTHOR, type Dataset } from './dataset.ts'
import { assignKeys, type Json } from './documents.ts'

const REFERENCE = /^(image|file)@(file:\/\/.+)$/
type Source = { folder: string; files: string[] }

/** A file, or a folder whose *.ndjson are read in the order of their names. */
async function sourceOf(seed: string): Promise<Source> {
  const path = resolve(seed)
  if (!(await stat(path)).isDirectory()) return { folder: dirname(path), files: [path] }
  const names = (await readdir(path)).filter((name) => name.endsWith('.ndjson')).sort()
  if (names.length === 0) throw new Error(`${path} holds no .ndjson file`)
  return { folder: path, files: names.map((name) => join(path, name)) }
}

async function read({ folder, files }: Source) {
  const hash = createHash('sha256')
  const docs: (Json & { _id: string })[] = []
  const seen = new Map<string, string>()
  for (const file of files) {
    const text = await readFile(file, 'utf8')
    hash.update(text)
    for (const [i, line] of text.split('\n').entries()) {
      if (line.trim() === '') continue
      const where = `${relative(process.cwd(), file)}:${i + 1}`
      let doc: Json
      try {
        doc = JSON.parse(line) as Json
      } catch (cause) {
        throw new Error(`${where} is not JSON: ${(cause as Error).message}`, { cause })
      }
      if (typeof doc._id !== 'string' || typeof doc._type !== 'string') throw new Error(`${where} needs _id and _type`)
      const twin = seen.get(doc._id)
      if (twin) throw new Error(`${where} repeats the document ${doc._id} of ${twin}`)
      seen.set(doc._id, where)
      docs.push(doc as Json & { _id: string })
    }
  }
  const assets = new Map<string, Buffer>()
  for (const reference of docs.flatMap(assetReferences)) {
    if (assets.has(reference)) continue
    const path = assetPath(reference, folder)
    const bytes = await readFile(path).catch(() => {
      throw new Error(`The asset ${reference} is missing at ${path}`)
    })
    hash.update(bytes)
    assets.set(reference, bytes)
  }
  return { docs, assets, hash: hash.digest('hex') }
}

function assetReferences(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(assetReferences)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) =>
    key === '_sanityAsset' && typeof child === 'string' ? [child] : assetReferences(child),
  )
}

function assetPath(reference: string, folder: string): string {
  const url = REFERENCE.exec(reference)?.[2]
  if (!url) throw new Error(`${reference} must be written image@file://./… or file@file://./…`)
  return url.startsWith('file://./') ? join(folder, decodeURIComponent(url.slice(9))) : fileURLToPath(url)
}

/** Replaces `_sanityAsset` by a reference to the stored asset, `_type` first as the Studio writes it. */
function withAssets(value: unknown, ids: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withAssets(item, ids))
  if (typeof value !== 'object' || value === null) return value
  const { _sanityAsset, ...rest } = value as Json
  const copy = Object.fromEntries(Object.entries(rest).map(([key, child]) => [key, withAssets(child, ids)]))
  if (typeof _sanityAsset !== 'string') return copy
  const id = ids.get(_sanityAsset) as string
  return { _type: id.split('-')[0], ...copy, asset: { _type: 'reference', _ref: id } }
}

export type SeedOutcome = 'imported' | 'renewed' | 'unchanged' | 'kept-edits'

/**
 * Imports the seed into an empty dataset. If the seed has changed since and nothing else was ever written, the dataset
 * becomes the new seed (documents that left it are deleted). Once someone has edited, their work is kept and the new
 * seed is not imported.
 */
export async function seedDataset(dataset: Dataset, seed: string, place: AssetPlace): Promise<SeedOutcome> {
  const { docs, assets, hash } = await read(await sourceOf(seed))
  if (dataset.seed === hash) return 'unchanged'
  if (dataset.edited || (dataset.size > 0 && dataset.seed === null)) return 'kept-edits'
  const renewed = dataset.size > 0
  const ids = new Map<string, string>()
  const wanted: (Json & { _id: string })[] = []
  for (const [reference, bytes] of assets) {
    const kind = reference.split('@')[0] as AssetKind
    const filename = basename(assetPath(reference, '/'))
    const asset = await storeAsset(place, kind, bytes, { filename })
    ids.set(reference, asset._id)
    if (!wanted.some((doc) => doc._id === asset._id)) wanted.push(asset)
  }
  for (const doc of docs) {
    const key = (path: string) => createHash('sha1').update(`${doc._id}${path}`).digest('hex').slice(0, 12)
    wanted.push(assignKeys(withAssets(doc, ids) as Json & { _id: string }, key))
  }
  const keep = new Set(wanted.map((doc) => doc._id))
  // the same revisions in each fresh lake, so that a site built of one is known to show what another one has
  const transactionId = `seed-${hash.slice(0, 24)}-${dataset.version}`
  const { durable } = dataset.commit({ author: SEED_AUTHOR, seed: hash, transactionId }, (work) => {
    for (const doc of wanted) work.apply('createOrReplace', doc)
    for (const doc of [...dataset.docs()]) if (!keep.has(doc._id)) work.apply('delete', { id: doc._id })
  })
  await durable
  return renewed ? 'renewed' : 'imported'
}
