/** What editors hear beside the outcome of a publish. */
import type { SanityClient } from '@sanity/client'
import { SITE_STATUS_ID, SITE_STATUS_TYPE, type SiteStatus } from './site-status.ts'

/** What is tried again by itself is no news; no build waits for it. */
const noReportYet = (): void => undefined

/**
 * No news to editors, except that nothing is being built any more. What is sound is the first report of a new dataset:
 * without one, the first publish could not be told as being built.
 */
export const tellQuietly = (client: SanityClient, sound: SiteStatus | undefined): Promise<unknown> => {
  const told = client.transaction()
  if (sound) told.createIfNotExists({ _id: SITE_STATUS_ID, _type: SITE_STATUS_TYPE, ...sound })
  return told
    .patch(SITE_STATUS_ID, { set: { building: null, ...(sound && { goodAt: sound.at }) } })
    .commit()
    .catch(noReportYet)
}

/** Editors read that their change is being built. */
export const tellBuilding = (client: SanityClient): Promise<unknown> =>
  client.patch(SITE_STATUS_ID).set({ building: new Date().toISOString() }).commit().catch(noReportYet)

/** Whether there is a fault, or editors still read of one that was put right while no publisher ran. */
export const concernsFault = async (client: SanityClient, { state }: SiteStatus): Promise<boolean> =>
  state === 'broken' || (await client.getDocument<SiteStatus>(SITE_STATUS_ID))?.state === 'broken'
