/**
 * README's chapter "Configuration" compared with the code: it names every variable that a program reads, and no other.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './settings.ts'

/** Variables of the machine or of the tools that start us, not of the product. */
const foreign = new Set([
  'PATH',
  'SUDO_USER',
  'CI',
  'DEV',
  'LIFELINE_OF',
  'NODE_COMPILE_CACHE',
  'SITE_DRAFTS',
  'BUILD_MARK',
  'SOURCE_DATE_EPOCH',
])

function readIn(code: string): string[] {
  const holder = String.raw`(?:\benv|\b[eE]nvironment|\bconfigured|\bgiven|\bshell|contentEnv)`
  const named = new RegExp(String.raw`${holder}(?:\.([A-Z][A-Z\d_]+)\b|\[\s*'([A-Z][A-Z\d_]+)')`, 'g')
  const needed = [...code.matchAll(/\b(?:need|told)\('([A-Z][A-Z\d_]+)'\)/g)].map(([, name = '']) => name)
  const taken = [...code.matchAll(/\{([^{}]*)\} = (?:process\.env|env|contentEnv)\b/g)]
  const names = [...code.matchAll(named)].map(([, dotted, quoted]) => dotted ?? quoted ?? '')
  return [
    ...names,
    ...needed,
    ...taken.flatMap(([, inside = '']) => inside.match(/\b[A-Z][A-Z\d_]+(?=\s*[=:,]|\s*$)/g) ?? []),
  ]
}

test('every variable that the code reads is in README’s table, and every one there is read', () => {
  const places = [
    '{contract,db,payments-service,scripts,src,stand-ins,studio}/**/*.{ts,tsx,mjs,astro}',
    'astro.config.mjs',
  ]
  const files = globSync(places, { cwd: root, exclude: (name) => /node_modules|dist|\.test\./.test(name) })
  expect(files.length).toBeGreaterThan(200)
  const read = new Set<string>()
  for (const file of files) for (const name of readIn(readFileSync(join(root, file), 'utf8'))) read.add(name)
  // the service reads its variables through one schema
  const config = readFileSync(join(root, 'payments-service', 'environment.ts'), 'utf8')
  for (const [, name = ''] of config.matchAll(/^ {2}([A-Z][A-Z\d_]+): /gm)) read.add(name)

  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const chapter = /\n## Configuration\n([^]*?)\n## /.exec(readme)?.[1] ?? ''
  const listed = new Set([...chapter.matchAll(/`([A-Z][A-Z\d_]{3,})`/g)].map(([, name = '']) => name))
  expect([...read].filter((name) => !listed.has(name) && !foreign.has(name)).sort()).toEqual([])
  const ofTests = ['PLAYWRIGHT_CHROMIUM', 'JOURNEY_WORKERS']
  expect([...listed].filter((name) => !read.has(name) && !ofTests.includes(name)).sort()).toEqual([])
})
