import { dirname, join } from 'node:path'
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const PARTS = ['contract', 'db', 'payments-service', 'src', 'studio']
/**
 * Imports that are there at run time: those of types alone are erased, those by `import()` come when they are needed.
 */
const STATIC = /^(?:import|export)\s+(?!type\b)[^;'"]*?(?:from\s+)?'(\.[^']+)'/gm

const isTest = (file: string): boolean => /\.(test|spec)\.tsx?$/.test(file)
const files = PARTS.flatMap((part) =>
  globSync(`${part}/**/*.{ts,tsx,mjs}`, { exclude: ['**/node_modules', '**/dist'] }),
)
const importsOf = new Map(
  files
    .filter((file) => !isTest(file))
    .map((file) => [
      file,
      [...readFileSync(file, 'utf8').matchAll(STATIC)].map(([, path = '']) => join(dirname(file), path)),
    ]),
)

/** The first circle that is found from a file, in the order of its imports. */
function circleFrom(file: string, way: readonly string[], done: Set<string>): string | undefined {
  if (way.includes(file)) return [...way.slice(way.indexOf(file)), file].join(' → ')
  if (done.has(file)) return undefined
  for (const next of importsOf.get(file) ?? []) {
    const circle = circleFrom(next, [...way, file], done)
    if (circle) return circle
  }
  done.add(file)
  return undefined
}

test('no file of the product imports itself at run time, however many files lie between', () => {
  expect(importsOf.size).toBeGreaterThan(500)
  const done = new Set<string>()
  expect([...importsOf.keys()].flatMap((file) => circleFrom(file, [], done) ?? [])).toEqual([])
})
