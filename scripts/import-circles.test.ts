import { dirname, join } from 'node:path'
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const PARTS = ['contract', 'db', 'payments-service', 'scripts', 'src', 'stand-ins', 'studio', 'tests']
/**
 * Every way to name another file, including type imports and `import()`. These make no cycle at run time, but files
 * that need each other's types still have to be read, moved and tested together.
 */
const IMPORT = /^(?:import|export)\s[^;'"]*?(?:from\s+)?'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm

const isTest = (file: string): boolean => /\.(test|spec)\.tsx?$/.test(file)
const files = PARTS.flatMap((part) =>
  globSync(`${part}/**/*.{ts,tsx,mjs,astro}`, { exclude: ['**/node_modules', '**/dist'] }),
)
const importsOf = new Map(
  files
    .filter((file) => !isTest(file))
    .map((file) => [
      file,
      [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, path, later = '']) =>
        join(dirname(file), path ?? later),
      ),
    ]),
)

/** The cycles reachable from a file, each once. */
function circlesFrom(file: string, way: readonly string[], done: Set<string>): string[] {
  if (way.includes(file)) return [[...way.slice(way.indexOf(file)), file].join(' → ')]
  if (done.has(file)) return []
  const found = (importsOf.get(file) ?? []).flatMap((next) => circlesFrom(next, [...way, file], done))
  done.add(file)
  return found
}

test('no file imports itself, not even for a type, however many files lie between', () => {
  expect(importsOf.size).toBeGreaterThan(800)
  const done = new Set<string>()
  expect([...importsOf.keys()].flatMap((file) => circlesFrom(file, [], done))).toEqual([])
})
