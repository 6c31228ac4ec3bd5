import { useEffect, useState } from 'react'
import { useClient } from 'sanity'
import { WAITING } from '../../contract/published.ts'
import type { Document } from '../check/finding.ts'

/** The publisher's report of the last publish (scripts/publisher/site-status.ts writes it). */
export interface SiteStatus {
  _rev: string
  state: 'live' | 'broken'
  at: string
  milliseconds: number
  problems: { _key: string; documentId: string; documentType: string; path: string; message: string }[]
  /** The site stays at the build of that time, whatever is published. */
  pin?: { built: string; since: string; by: string } | null
  /** What was published first since the publisher last looked; it looks within seconds, unless it is down. */
  waiting?: { since: string; seconds: number } | null
  /** Since when what is published is being built. */
  building?: string | null
}

const STATUS = '*[_id == "site.status"]'
const QUERY = `${STATUS}[0]{..., "waiting": ${WAITING}}`
/** That the publisher is down is reported by no program. */
const LOOK_MS = 20_000
/** Longer than any build takes. */
const LATE_SECONDS = 60

/** Since when something published waits in vain for the publisher; undefined where all goes well. */
export const lateSince = ({ waiting }: SiteStatus): string | undefined =>
  waiting && waiting.seconds >= LATE_SECONDS ? waiting.since : undefined

/** Longer than any build: the program that began it is gone. */
const STALE_MS = 600_000

export const isBuilding = ({ building }: SiteStatus): boolean =>
  typeof building === 'string' && Date.now() - Date.parse(building) < STALE_MS

/** What is said once: the outcome of a publish, who holds the site, or that no publisher runs. */
export const newsOf = (status: SiteStatus): string => lateSince(status) ?? `${status.at} ${status.pin?.since ?? ''}`

/** Undefined while it is read, null where nothing was published yet (or a host builds the site). */
export function useSiteStatus(): SiteStatus | null | undefined {
  const client = useClient({ apiVersion: '2026-03-01' })
  const [status, setStatus] = useState<SiteStatus | null>()
  useEffect(() => {
    let current = true
    let asked = 0
    const read = (): void => {
      const mine = ++asked
      client
        .withConfig({ perspective: 'raw' })
        .fetch<SiteStatus | null>(QUERY)
        .then(
          // an answer may be overtaken by the next one
          (found) => current && mine === asked && setStatus(found),
          () => undefined,
        )
    }
    read()
    const changes = client
      // "welcome": what changed before the connection, and while it was broken, came as no mutation
      .listen(STATUS, {}, { includeResult: false, visibility: 'query', events: ['mutation', 'welcome'] })
      .subscribe({ next: read, error: () => undefined })
    const looks = setInterval(read, LOOK_MS)
    return () => {
      current = false
      clearInterval(looks)
      changes.unsubscribe()
    }
  }, [client])
  return status
}

const NO_DOCUMENTS: readonly Document[] = []

/** The documents that a broken publish names, as they are published: their places are called by their words. */
export function useProblemDocuments(status: SiteStatus | null | undefined): readonly Document[] {
  const client = useClient({ apiVersion: '2026-03-01' })
  const [documents, setDocuments] = useState(NO_DOCUMENTS)
  const ids = [...new Set(status?.problems?.map(({ documentId }) => documentId))].join(' ')
  const revision = status?._rev
  useEffect(() => {
    if (ids === '') return
    let current = true
    client
      .withConfig({ perspective: 'published' })
      .fetch<Document[]>('*[_id in $ids]', { ids: ids.split(' ') })
      .then(
        (found) => current && setDocuments(found),
        () => undefined,
      )
    return () => {
      current = false
    }
  }, [client, ids, revision])
  return documents
}
