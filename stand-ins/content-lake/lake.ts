/** All datasets of the project under one folder, and the location of their assets. */
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Dataset } from './dataset.ts'
import { badRequest, notFound } from './errors.ts'
import { CACHE_LIMIT, prune } from './image-cache.ts'
import { lockFolder } from './lock.ts'
import type { AssetPlace } from './assets.ts'
import type { Doc } from './documents.ts'

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/
const MAX_DATASETS = 20

export class Lake {
  readonly projectId: string
  readonly folder: string
  /** The public address of this lake; asset addresses begin with it. */
  readonly publicUrl: string
  #datasets = new Map<string, Dataset>()
  #unlock: () => void

  private constructor(projectId: string, folder: string, publicUrl: string, unlock: () => void) {
    this.projectId = projectId
    this.folder = folder
    this.publicUrl = publicUrl
    this.#unlock = unlock
  }

  static async open(projectId: string, folder: string, publicUrl: string): Promise<Lake> {
    const root = join(folder, 'datasets')
    await mkdir(root, { recursive: true })
    const lake = new Lake(projectId, folder, publicUrl, await lockFolder(folder))
    try {
      for (const entry of await readdir(root, { withFileTypes: true }))
        if (entry.isDirectory() && NAME.test(entry.name)) await lake.create(entry.name)
    } catch (cause) {
      await lake.close()
      throw cause
    }
    void prune(lake.imageCache, CACHE_LIMIT)
    return lake
  }

  get imageCache(): string {
    return join(this.folder, 'cache', 'images')
  }

  names(): string[] {
    return [...this.#datasets.keys()].sort()
  }

  /** The dataset; throws Sanity's 404. */
  dataset(name: string): Dataset {
    const dataset = this.#datasets.get(name)
    if (!dataset) throw notFound(`Dataset "${name.slice(0, 64)}" not found for project ID "${this.projectId}"`)
    return dataset
  }

  async create(name: string): Promise<Dataset> {
    const known = this.#datasets.get(name)
    if (known) return known
    if (!NAME.test(name)) throw badRequest('A dataset name holds lower-case letters, digits, - and _ only, at most 64')
    if (this.#datasets.size >= MAX_DATASETS) throw badRequest(`There are ${MAX_DATASETS} datasets already`)
    const dataset = await Dataset.open(name, join(this.folder, 'datasets', name), (doc) => this.#withAddress(doc, name))
    this.#datasets.set(name, dataset)
    return dataset
  }

  async remove(name: string): Promise<void> {
    const dataset = this.dataset(name)
    this.#datasets.delete(name)
    await dataset.close()
    await rm(dataset.folder, { recursive: true, force: true })
  }

  place(dataset: string): AssetPlace {
    return { projectId: this.projectId, dataset, folder: join(this.folder, 'datasets', dataset, 'assets') }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#datasets.values()].map((dataset) => dataset.close()))
    this.#unlock()
  }

  /** The port may differ at the next start, so an asset's address is computed when its document is loaded. */
  #withAddress(doc: Doc, dataset: string): Doc {
    if (doc._type !== 'sanity.imageAsset' && doc._type !== 'sanity.fileAsset') return doc
    const { path } = doc
    if (typeof path !== 'string' || path.split('/').slice(1, 3).join('/') !== `${this.projectId}/${dataset}`) return doc
    return { ...doc, url: `${this.publicUrl}/${path}` }
  }
}
