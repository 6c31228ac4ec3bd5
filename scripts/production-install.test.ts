/** What a production install includes and leaves out, by npm's own reading of the lockfile. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockedPackages, nameOf } from './licences.ts'
import { billOfMaterials, workspaces } from './sbom.ts'
import { root } from './settings.ts'

type Needs = Partial<Record<'dependencies' | 'devDependencies', Record<string, string>>>
const needs = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Needs

test('a production install names every workspace of the product, and the stand-ins alone are left out', () => {
  expect(workspaces()).toEqual({ installed: ['contract', 'db', 'payments-service', 'studio'], leftOut: ['stand-ins'] })
})

test('the stand-ins ask for packages of development only, and what nobody else needs is no part of an install', () => {
  const { dependencies, devDependencies } = needs('stand-ins')
  expect(dependencies).toBeUndefined()
  const others = new Set(['.', ...workspaces().installed].flatMap((one) => Object.keys(needs(one).dependencies ?? {})))
  const theirs = Object.keys(devDependencies ?? {}).filter((name) => !others.has(name))
  expect(theirs).toEqual(expect.arrayContaining(['smtp-server', 'postal-mime', '@stripe/cli']))
  const installed = new Set(lockedPackages().flatMap(([folder, { dev }]) => (dev ? [] : [nameOf(folder)])))
  // the product depends on these too: Astro bundles, the Studio evaluates GROQ
  const shared = ['ajv', 'esbuild', 'groq-js', '@sanity/mutator']
  expect(theirs.filter((name) => installed.has(name) && !shared.includes(name))).toEqual([])
})

test('the bill of materials has the product with all its packages, and no stand-in', { timeout: 120_000 }, () => {
  const refs = new Set(billOfMaterials().components.map((one) => one['bom-ref']))
  const names = new Set([...refs].map((ref) => ref.slice(0, ref.lastIndexOf('@'))))
  const ours = ['contract', 'db', 'payments-service', 'studio'].map((folder) => `@funnel/${folder}`)
  expect(
    [...ours, 'astro', 'express', 'kysely', 'pg', 'sanity', 'sharp', 'stripe', 'zod'].filter((one) => !names.has(one)),
  ).toEqual([])
  expect(['@funnel/stand-ins', 'smtp-server', 'postal-mime', '@stripe/cli'].filter((one) => names.has(one))).toEqual([])
  const locked = lockedPackages().flatMap(([folder, { dev, name, version }]) =>
    dev ? [] : [`${name ?? nameOf(folder)}@${version}`],
  )
  expect(locked.filter((one) => !refs.has(one))).toEqual([])
  expect(refs.size).toBe(new Set(locked).size + ours.length)
})
