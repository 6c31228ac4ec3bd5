import { useEffect, useState } from 'react'
import { useClient } from 'sanity'
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
}

const QUERY = '*[_id == "site.status"][0]'

/** Undefined while it is read, null where nothing was published yet (or a host builds the site). */
export function useSiteStatus(): SiteStatus | null | undefined {
  const client = useClient({ apiVersion: '2026-03-01' })
  const [status, setStatus] = useState<SiteStatus | null>()
  useEffect(() => {
    let current = true
    const read = (): void => {
      client
        .withConfig({ perspective: 'raw' })
        .fetch<SiteStatus | null>(QUERY)
        .then(
          (found) => current && setStatus(found),
          () => undefined,
        )
    }
    read()
    const changes = client
      .listen(QUERY.replace('[0]', ''), {}, { includeResult: false, visibility: 'query' })
      .subscribe({ next: read, error: () => undefined })
    return () => {
      current = false
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
