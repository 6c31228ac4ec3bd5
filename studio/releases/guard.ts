import {
  createClient,
  type BaseActionOptions,
  type ClientConfig,
  type SanityClient,
  type SingleActionResult,
} from '@sanity/client'
import type { Document } from '../check/finding.ts'
import { checkDataset, CONTENT_QUERY } from '../check/rules.ts'
import { tellRefusal } from './refusals.ts'

/**
 * The Studio's own check of a release looks at each of its documents alone. “Run release” and scheduling wait here for
 * the publish check over everything as it would be then. What it finds is in a notice (`RefusalNotice.tsx`), beside the
 * Studio's own word that it failed.
 */
export const guardedClient = (config: ClientConfig): SanityClient => guarded(createClient(config))

function guarded(client: SanityClient): SanityClient {
  const { releases } = client
  const whenWhole =
    <Release extends { releaseId: string; publishAt?: string }>(
      run: (release: Release, options?: BaseActionOptions) => Promise<SingleActionResult>,
    ) =>
    async (release: Release, options?: BaseActionOptions) => {
      if (options?.dryRun === true) return mayOne(run(release, options))
      await assertWhole(client, release)
      return run(release, options)
    }
  releases.publish = whenWhole(releases.publish.bind(releases))
  releases.schedule = whenWhole(releases.schedule.bind(releases))
  const [withConfig, clone] = [client.withConfig.bind(client), client.clone.bind(client)]
  client.withConfig = (config) => guarded(withConfig(config))
  client.clone = () => guarded(clone())
  return client
}

/**
 * The Studio asks by dry runs whether an editor may, and remembers each failure as “You do not have permission” until
 * it is loaded again: also that of a release which takes away what is referred to, or of a connection that was lost.
 */
async function mayOne(dryRun: Promise<SingleActionResult>): Promise<SingleActionResult> {
  try {
    return await dryRun
  } catch (error) {
    if ((error as { details?: { type?: string } }).details?.type === 'insufficientPermissionsError') throw error
    return { transactionId: 'not-run' }
  }
}

/** Throws where the site would be broken once the release is published; the faults are in the Studio's notice. */
async function assertWhole(
  client: SanityClient,
  { releaseId: release, publishAt }: { releaseId: string; publishAt?: string },
): Promise<void> {
  tellRefusal(undefined)
  const asOf = client.withConfig({ apiVersion: '2026-03-01', perspective: [release], useCdn: false })
  const documents = await asOf.fetch<Document[]>(CONTENT_QUERY)
  const when = publishAt === undefined ? new Date() : new Date(publishAt)
  const errors = checkDataset(documents, 'all', when).filter(({ level }) => level === 'error')
  if (errors.length === 0) return
  tellRefusal({ release, errors, documents })
  const places = errors.length === 1 ? 'one place' : `${errors.length} places`
  throw new Error(`the site would be broken in ${places}, which the note names`)
}
