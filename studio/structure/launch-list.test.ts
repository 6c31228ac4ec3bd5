import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkDocument } from '../check/rules.ts'
import type { Document, Finding } from '../check/finding.ts'
import { launchList } from './launch-list.ts'

const text = readFileSync(join(import.meta.dirname, '..', 'dataset', 'settings.ndjson'), 'utf8')
const settings = JSON.parse(text.split('\n')[0] ?? '') as Document
const listed = (findings: Finding[]) => launchList(findings).flatMap((part) => part.findings)

test('K-05 the list before a launch holds whatever stops one, advertorials without a label among it', () => {
  const findings = checkDocument({ ...settings, advertorialLabel: '' })
  expect(findings.map(({ code }) => code)).toContain('no_label')
  const stops = findings.filter(({ level }) => level !== 'note')
  expect(new Set(listed(findings))).toEqual(new Set(stops))
})

test('K-05 a shop is ready for its launch where there is nothing but notes', () => {
  const note: Finding = { level: 'note', code: 'n', documentId: 'a', documentType: 'quiz', path: [], message: 'Know.' }
  expect(launchList([note])).toEqual([])
  expect(launchList([{ ...note, level: 'error' }, note])).toHaveLength(1)
})
