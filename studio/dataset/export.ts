import { exportDataset } from '@sanity/export'
import { Command } from 'commander'
import { contentClient, ContentUnavailable, unavailable } from './client.ts'

/**
 * `npm run content:export`: the dataset as an archive that `content:import` reads.
 */
const line = new Command('npm run content:export --')
  .description('Writes all documents and assets of the dataset that the environment names into an archive.')
  .argument('[archive]', 'its file', `content-${new Date().toISOString().slice(0, 10)}.tar.gz`)
  .option('--published', 'without drafts')
  .showHelpAfterError()
  .parse()
const [outputPath] = line.processedArgs as [string]
const { published = false } = line.opts<{ published?: boolean }>()

try {
  const client = contentClient('write')
  await client.fetch('count(*)').catch((cause: unknown) => {
    throw unavailable(client, cause)
  })
  const { documentCount, assetCount } = await exportDataset({
    client,
    dataset: client.config().dataset ?? 'production',
    outputPath,
    drafts: !published,
    assets: true,
  })
  console.log(`${documentCount} documents and ${assetCount} assets in ${outputPath}.`)
} catch (error) {
  if (!(error instanceof ContentUnavailable)) throw error
  console.error(error.message)
  process.exitCode = 2
}
