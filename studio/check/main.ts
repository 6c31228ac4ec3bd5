import { Command } from 'commander'
import { ContentUnavailable, contentClient, unavailable } from '../dataset/client.ts'
import { pathText, type Document, type Finding } from './finding.ts'
import { checkDataset, CONTENT_QUERY } from './rules.ts'

/**
 * `npm run content:check`: exits with 1 when content is broken, with `-- --launch` also when sample content or
 * unsourced claims are left, with 2 when the lake does not answer.
 */
const options = new Command('npm run content:check --')
  .description('The publish check over the dataset that the environment names.')
  .option('--launch', 'also fails where sample content or unsourced claims are left')
  .option('--json', 'prints the findings as JSON')
  .option('--release <name>', 'over what the dataset would be once that release is published')
  .showHelpAfterError()
  .parse()
  .opts<{ launch?: boolean; json?: boolean; release?: string }>()

try {
  const client = contentClient().withConfig({ perspective: 'published' })
  const asOf = options.release === undefined ? client : await asOfRelease(client, options.release)
  const documents = await asOf.fetch<Document[]>(CONTENT_QUERY).catch((cause: unknown) => {
    throw unavailable(client, cause)
  })
  const { token } = client.config()
  const findings = checkDataset(documents, token ? 'all' : 'public')
  if (!token) console.error('Without SANITY_TOKEN the programme (paid content) cannot be read and is not checked.')
  const errors = findings.filter(({ level }) => level === 'error')
  const launch = findings.filter(({ level }) => level === 'launch')
  if (options.json) console.log(JSON.stringify({ documents: documents.length, findings }, null, 2))
  else {
    print('Broken', errors)
    print('Before launch', launch)
    print(
      'To know',
      findings.filter(({ level }) => level === 'note'),
    )
    console.log(
      `${documents.length} documents: ${errors.length} broken, ${launch.length} to replace or source before launch.`,
    )
  }
  process.exitCode = errors.length > 0 || (options.launch && launch.length > 0) ? 1 : 0
} catch (error) {
  if (!(error instanceof ContentUnavailable)) throw error
  console.error(error.message)
  process.exitCode = 2
}

/** The whole dataset as it would be; throws for a release that is not there, or that the token may not read. */
async function asOfRelease(client: ReturnType<typeof contentClient>, name: string) {
  const known = await client
    .withConfig({ perspective: 'raw' })
    .fetch<string[]>('*[_type == "system.release" && state in ["active", "scheduled"]].name')
    .catch((cause: unknown) => {
      throw unavailable(client, cause)
    })
  if (known.includes(name)) return client.withConfig({ perspective: [name] })
  const open = known.length > 0 ? `Open releases: ${known.join(', ')}.` : 'There is no open release.'
  throw new ContentUnavailable(`There is no open release “${name}”, or SANITY_TOKEN may not read it. ${open}`)
}

function print(heading: string, findings: readonly Finding[]): void {
  if (findings.length === 0) return
  console.log(`${heading}:`)
  for (const { documentType, documentId, path, message } of findings) {
    console.log(`  ${documentType} “${documentId}”${path.length > 0 ? `, ${pathText(path)}` : ''}: ${message}`)
  }
  console.log()
}
