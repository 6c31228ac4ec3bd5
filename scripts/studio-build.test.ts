/** When a Studio is built anew. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { STUDIO_SOURCES } from './studio-build.ts'

test('K-03 a Studio is built anew when anything that it imports has changed, not its own folder alone', () => {
  const files = globSync('studio/**/*.{ts,tsx}', { exclude: ['**/node_modules', '**/dist', '**/*.test.ts'] })
  const imported = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) => join(dirname(file), path)),
  )
  const isSource = (path: string): boolean => STUDIO_SOURCES.some((one) => path.startsWith(`${one}/`))
  expect(imported.filter((path) => path.startsWith('contract/')).length).toBeGreaterThan(10)
  expect(imported.filter((path) => !isSource(path))).toEqual([])
})
