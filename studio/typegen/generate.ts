import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Command } from 'commander'
import { GENERATED, sourcesFingerprint, stamped, unstamped } from './fingerprint.ts'

/**
 * `npm run content:types`: schemas and queries → src/cms/types.generated.ts (K-06). Takes up
 * to a minute, needs no network.
 */
export async function generateTypes(): Promise<void> {
  const studio = fileURLToPath(new URL('../', import.meta.url))
  const sanity = fileURLToPath(new URL('../../node_modules/sanity/bin/sanity', import.meta.url))
  const run = (...words: string[]) =>
    promisify(execFile)(process.execPath, [sanity, ...words], {
      cwd: studio,
      env: {
        ...process.env,
        SANITY_CLI_TELEMETRY_DISABLED: '1',
        DO_NOT_TRACK: '1',
        NO_COLOR: '1',
        NO_UPDATE_NOTIFIER: '1',
      },
    })
  const sources = await sourcesFingerprint()
  await run('schema', 'extract', '--path', '.sanity/schema.json', '--force')
  await run('typegen', 'generate')
  const { text } = unstamped(await readFile(GENERATED, 'utf8'))
  await writeFile(GENERATED, stamped(text, sources))
}

if (import.meta.main) {
  new Command('npm run content:types')
    .description('Generates the types of schemas and queries; takes up to a minute.')
    .showHelpAfterError()
    .parse()
  await generateTypes()
}
