import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { GENERATED, sourcesFingerprint, unstamped } from './fingerprint.ts'
import { generateTypes } from './generate.ts'

/**
 * Fails when src/cms/types.generated.ts no longer follows from schemas and queries (K-06). Compares fingerprints, which
 * takes milliseconds; `--full` generates anew, which takes a minute, and compares the text.
 */
const { full } = new Command('node studio/typegen/check.ts')
  .option('--full', 'generates anew, which takes a minute')
  .showHelpAfterError()
  .parse()
  .opts<{ full?: boolean }>()

const before = await readFile(GENERATED, 'utf8')
const { sources, untouched } = unstamped(before)
let problem: string | undefined
if (!untouched) problem = 'was edited by hand'
else if (sources !== (await sourcesFingerprint())) problem = 'is older than the schemas or queries it follows from'
else if (full) {
  await generateTypes()
  if ((await readFile(GENERATED, 'utf8')) !== before)
    problem = 'differs from what is generated now (the new text is in place)'
}
if (problem !== undefined) {
  console.error(`src/cms/types.generated.ts ${problem}. Run: node studio/typegen/generate.ts`)
  process.exitCode = 1
}
