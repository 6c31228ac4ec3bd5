import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sanityImport } from '@sanity/import'
import { Command, Option } from 'commander'
import { addBranch, BRANCH_RELEASE } from './branch.ts'
import { contentClient, ContentUnavailable, unavailable } from './client.ts'

/**
 * `npm run content:import`: the sample content, or an export, into the dataset that SANITY_PROJECT_ID, SANITY_DATASET,
 * SANITY_API_HOST and SANITY_TOKEN name (K-07). Nothing is ever deleted. `--branch` is in branch.ts. Exits with 1 when
 * something could not be imported.
 */
const line = new Command('npm run content:import --')
  .description('Loads the sample content, or an export, into the dataset that the environment names.')
  .argument('[archive]', 'of npm run content:export')
  .option('--replace', 'replaces documents that exist; without it they are kept')
  .addOption(
    new Option('--branch', 'imports nothing, and makes a release with a branch of the quiz').conflicts('replace'),
  )
  .showHelpAfterError()
  .parse()
const options = line.opts<{ replace?: boolean; branch?: boolean }>()

try {
  const client = contentClient('write')
  const { projectId, dataset } = client.config()
  // one question before hundreds of writes: a wrong address or token is said at once
  await client.fetch('count(*)').catch((cause: unknown) => {
    throw unavailable(client, cause)
  })
  if (options.branch) {
    const made = await addBranch(client)
    console.log(
      `The release ${BRANCH_RELEASE} ${made ? 'is ready' : 'is there already'}: see “Releases” in the Studio.`,
    )
    process.exit()
  }
  const { numDocs, warnings } = await sanityImport(await source(line.args[0]), {
    client,
    operation: options.replace ? 'createOrReplace' : 'createIfNotExists',
    onProgress: ({ step, current, total }) => {
      if (total !== undefined && current === total) console.log(`${step}: ${total}`)
    },
  })
  for (const warning of warnings) console.warn(`warning: ${warning.message}`)
  console.log(`${numDocs} documents in ${projectId}/${dataset}.`)
  process.exitCode = warnings.length > 0 ? 1 : 0
} catch (error) {
  if (!(error instanceof ContentUnavailable)) throw error
  console.error(error.message)
  process.exitCode = 2
}

/** An archive as it is; else all documents of this folder in one import, because they refer to each other. */
async function source(archive: string | undefined) {
  if (archive !== undefined) {
    return createReadStream(archive)
  }
  const folder = fileURLToPath(new URL('./', import.meta.url))
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ndjson')).sort()
  const text = (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('')
  // assets are named relative to this folder; an import of documents in memory needs their whole addresses
  const assets = pathToFileURL(join(folder, 'assets/')).href
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line.replaceAll('file://./assets/', assets)) as never)
}
