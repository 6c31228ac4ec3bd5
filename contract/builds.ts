/** What the publisher tells editors about the builds of a site that serves itself, and what it is asked to do. */

/** A difference of a build from the one before, in words; of a document that is there, which one. */
export interface Difference {
  words: string
  document?: { id: string; type: string }
}

export interface BuildView {
  name: string
  /** ISO 8601; null where nothing says it. */
  built: string | null
  /** `broken`: parts of it are missing; `gone`: it was live, and is no longer kept. */
  state: 'live' | 'kept' | 'broken' | 'gone'
  /** What differs from the build before. */
  changed: Difference[]
  /** What was done with it last; null: it was never live. */
  last: { what: 'published' | 'held back' | 'rolled back' | 'pinned' | 'unpinned'; at: string; who: string } | null
}

export interface BuildsView {
  /** The newest first. */
  builds: BuildView[]
  /** Since when and by whom the site stays at a build; null while it follows publishes. */
  pin: { since: string; by: string } | null
  /** After a change: how long it took. */
  milliseconds?: number
}

/** Of the publisher: GET for the list, POST below it for a change; `rollback` takes `{ build }`. */
export const BUILDS_PATH = '/builds'
export const BUILD_CHANGES = ['rollback', 'pin', 'unpin'] as const
export type BuildChange = (typeof BUILD_CHANGES)[number]
