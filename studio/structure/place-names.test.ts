import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Document } from '../check/finding.ts'
import { checkDataset } from '../check/rules.ts'
import { placeNames } from './place-names.ts'

const folder = join(import.meta.dirname, '..', 'dataset')
const documents = readdirSync(folder)
  .filter((name) => name.endsWith('.ndjson'))
  .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
  .map((line) => JSON.parse(line) as Document)

test('K-05 the list before a launch names places as editors do: steps by number, people by name', () => {
  const findings = checkDataset(documents)
  const names = [...placeNames(findings, documents, (type) => `(${type})`).values()]
  expect(names).toHaveLength(findings.length)
  expect(names).toContain('(quiz), step 6: You are far from alone with tired eyes')
  expect(names).toContain('(testimonial): J. S.')
  expect(names).toContain('(checkout)')
  expect(names.filter((name) => /undefined|programme\.|[a-z]+-[a-z]+-/.test(name))).toEqual([])
})
