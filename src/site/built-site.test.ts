import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { builtSite } from './built-site.ts'

test('K-04 a server not asked between a publish and its rollback finds the files that were added meanwhile', () => {
  const place = mkdtempSync(join(tmpdir(), 'eye-built-'))
  onTestFinished(() => rmSync(place, { recursive: true }))
  const build = join(place, 'build')
  mkdirSync(join(build, '_astro'), { recursive: true })
  writeFileSync(join(build, 'index.html'), 'one')
  utimesSync(join(build, '_astro'), 1_700_000_000, 1_700_000_000)
  symlinkSync('build', join(place, 'site'))
  const site = builtSite(join(place, 'site'))
  expect(site()?.keeps('/_astro/of-the-other.js')).toBe(false)
  // the link went to another build and came back to this one, with its files
  writeFileSync(join(build, '_astro', 'of-the-other.js'), '')
  expect(site(true)?.keeps('/_astro/of-the-other.js')).toBe(true)
})
