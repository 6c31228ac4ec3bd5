/** What editors hear beside the outcome of a publish. */
import type { SanityClient } from '@sanity/client'
import { SITE_STATUS_ID, type SiteStatus } from './site-status.ts'

/** A site that shows everything at its first look has nothing to report. */
const noReportYet = (): void => undefined

/** No news to editors, except that nothing is being built any more. */
export const tellQuietly = (client: SanityClient, good: Pick<SiteStatus, 'goodAt'>): Promise<unknown> =>
  client
    .patch(SITE_STATUS_ID)
    .set({ building: null, ...good })
    .commit()
    .catch(noReportYet)

/** Editors read that their change is being built. What is tried again by itself is no news; no build waits for it. */
export const tellBuilding = (client: SanityClient): Promise<unknown> =>
  client.patch(SITE_STATUS_ID).set({ building: new Date().toISOString() }).commit().catch(noReportYet)
