import { parseArgs } from 'node:util'
import { exportDataset } from '@sanity/export'
import { contentClient, ContentUnavailable, unavailable } from './client.ts'

/**
 * `npm run content:export -- content.tar.gz`: all documents (drafts too, with `--published` without them) and assets of
 * the dataset that the environment names, as an archive that `content:import` reads.
 */
const { values: options, positionals } = parseArgs({
  options: { published: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const outputPath = positionals[0] ?? `content-${new Date().toISOString().slice(0, 10)}.tar.gz`

try {
  const client = contentClient('write')
  await client.fetch('count(*)').catch((cause: unknown) => {
    throw unavailable(client, cause)
  })
  const { documentCount, assetCount } = await exportDataset({
    client,
    dataset: client.config().dataset ?? 'production',
    outputPath,
    drafts: !options.published,
    assets: true,
  })
  console.log(`${documentCount} documents and ${assetCount} assets in ${outputPath}.`)
} catch (error) {
  if (!(error instanceof ContentUnavailable)) throw error
  console.error(error.message)
  process.exitCode = 2
}
