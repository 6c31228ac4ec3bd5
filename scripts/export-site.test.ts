import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { exportTo } from './site-build.ts'

const place = mkdtempSync(join(tmpdir(), 'eye-export-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

test('N-03 an export puts the new build in place of the old one; one that fails leaves the old one served', () => {
  const [build, dist] = [join(place, 'build'), join(place, 'dist')]
  for (const [folder, text] of [
    [build, 'new'],
    [dist, 'old'],
  ] as const) {
    mkdirSync(folder)
    writeFileSync(join(folder, 'index.html'), text)
  }
  writeFileSync(join(dist, 'left.html'), 'of the old build')
  expect(() => exportTo(join(place, 'none'), dist)).toThrow(/ENOENT/)
  expect(readFileSync(join(dist, 'index.html'), 'utf8')).toBe('old')
  exportTo(build, dist)
  expect(readFileSync(join(dist, 'index.html'), 'utf8')).toBe('new')
  expect([readdirSync(dist), readdirSync(place).sort()]).toEqual([['index.html'], ['build', 'dist']])
})
