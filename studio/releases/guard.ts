import { createClient, type ClientConfig, type SanityClient } from '@sanity/client'
import { pathText, type Document, type Finding } from '../check/finding.ts'
import { checkDataset, CONTENT_QUERY } from '../check/rules.ts'

/**
 * The Studio's own check of a release looks at each of its documents alone. “Run release” and scheduling wait here for
 * the publish check over everything as it would be then; what it finds is what the Studio says of why it failed.
 */
export const guardedClient = (config: ClientConfig): SanityClient => guarded(createClient(config))

/** Faults that are told; the others are counted. */
const TOLD = 3

function guarded(client: SanityClient): SanityClient {
  const { releases } = client
  const [publish, schedule] = [releases.publish.bind(releases), releases.schedule.bind(releases)]
  releases.publish = async (release, options) => {
    // the Studio asks whether somebody may, before they press
    if (options?.dryRun !== true) await assertWhole(client, release.releaseId)
    return publish(release, options)
  }
  releases.schedule = async (release, options) => {
    if (options?.dryRun !== true) await assertWhole(client, release.releaseId)
    return schedule(release, options)
  }
  const [withConfig, clone] = [client.withConfig.bind(client), client.clone.bind(client)]
  client.withConfig = (config) => guarded(withConfig(config))
  client.clone = () => guarded(clone())
  return client
}

/** Throws what would be wrong with the site once the release is published, in words for an editor. */
async function assertWhole(client: SanityClient, release: string): Promise<void> {
  const asOf = client.withConfig({ apiVersion: '2026-03-01', perspective: [release], useCdn: false })
  const errors = checkDataset(await asOf.fetch<Document[]>(CONTENT_QUERY)).filter(({ level }) => level === 'error')
  if (errors.length === 0) return
  const more = errors.length > TOLD ? ` And ${errors.length - TOLD} more.` : ''
  throw new Error(`the site would be broken. ${errors.slice(0, TOLD).map(wordsOf).join(' ')}${more}`)
}

function wordsOf({ documentType, documentId, path, message }: Finding): string {
  const name = documentId === documentType ? documentType : `${documentType} “${documentId}”`
  return `${name}${path.length > 0 ? `, ${pathText(path)}` : ''}: ${message}`
}
