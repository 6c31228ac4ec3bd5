import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** What the generated types follow from. */
const SOURCES = [
  'src/cms/queries.ts',
  'studio/schemas',
  'studio/sanity.cli.ts',
  'contract/catalogue.ts',
  'contract/condition.ts',
  'contract/drawings.ts',
]
export const GENERATED = join(ROOT, 'src/cms/types.generated.ts')
const STAMP = /^\/\/ follows from: (\w+), text: (\w+)\n/

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 24)

/** One number for all sources; file names count, line ends do not. */
export async function sourcesFingerprint(): Promise<string> {
  const files = (await Promise.all(SOURCES.map((source) => below(join(ROOT, source))))).flat().sort()
  const texts = await Promise.all(
    files.map(async (file) => {
      const name = relative(ROOT, file).replaceAll('\\', '/')
      return `${name}\n${(await readFile(file, 'utf8')).replaceAll('\r\n', '\n')}`
    }),
  )
  return hash(texts.join('\0'))
}

const isSource = (name: string) => /\.tsx?$/.test(name) && !/\.test\.ts$/.test(name)

async function below(path: string): Promise<string[]> {
  if (isSource(path)) return [path]
  const entries = await readdir(path, { withFileTypes: true })
  const inside = await Promise.all(
    entries.map((entry) => (entry.isDirectory() || isSource(entry.name) ? below(join(path, entry.name)) : [])),
  )
  return inside.flat()
}

export function stamped(text: string, sources: string): string {
  return `// follows from: ${sources}, text: ${hash(text)}\n${text}`
}

/** The generated text without its stamp, what it says it follows from, and whether it was not edited by hand. */
export function unstamped(whole: string): { text: string; sources: string | undefined; untouched: boolean } {
  const text = whole.replaceAll('\r\n', '\n').replace(STAMP, '')
  const [, sources, own] = STAMP.exec(whole.replaceAll('\r\n', '\n')) ?? []
  return { text, sources, untouched: own === hash(text) }
}
