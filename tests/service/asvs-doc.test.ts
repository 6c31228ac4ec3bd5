/** docs/asvs/: every requirement of OWASP ASVS 5.0.0 at levels 1 and 2 has one answer, and what it names is there. */
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/settings.ts'
import levels from '../../docs/asvs/levels.json' with { type: 'json' }
import { cellsOf, documentAt, filesIn, missingFiles, sectionOf } from '../support/documents.ts'

const STATUSES = ['met', 'not applicable', 'open'] as const
/** What counts as proof: a test, a journey, an attack run, a case of faults, a lint rule. */
const PROOF = /\.(test|spec)\.tsx?$|^tests\/(attack|faults\/cases)\/[\w-]+\.ts$|^eslint\.config\.mjs$/

interface Answer {
  id: string
  level: string
  status: string
  /** Everything after the status. */
  text: string
  file: string
}

const HEAD = /^((?:\*\*V[\d.]+\*\* \(L\d\),? )+)\*\*([^*]+)\*\*: (.*)$/

/** `- **V1.2.4** (L1), **V1.2.5** (L1) **met**: text` → one answer per requirement. */
function answersIn(file: string): Answer[] {
  const items = documentAt(file).split(/^- /m).slice(1)
  return items.flatMap((item) => {
    const [, ids, status = '', text = ''] = HEAD.exec(item.replace(/\s+/g, ' ').trim()) ?? []
    if (ids === undefined) throw new Error(`${file}: this is no answer: ${item}`)
    const named = [...ids.matchAll(/\*\*(V[\d.]+)\*\* \((L\d)\)/g)]
    return named.map(([, id = '', level = '']) => ({ id, level, status, text, file }))
  })
}

/** The reason, and what checks it. */
function partsOf({ text }: Answer): [why: string, by: string] {
  const [why = '', by = ''] = text.split(' Checked by ')
  return [why, by]
}

const chapters = globSync('docs/asvs/v*.md', { cwd: root }).sort()
const answers = chapters.flatMap(answersIn)
const expected = Object.entries(levels.sections).flatMap(([section, of]) =>
  Object.entries(of).flatMap(([level, numbers]) => numbers.map((number) => `${section}.${number} ${level}`)),
)

describe('docs/asvs', () => {
  test('every requirement of levels 1 and 2 is there once, in its chapter, with its level', () => {
    expect(expected).toHaveLength(253)
    expect(answers.map(({ id, level }) => `${id} ${level}`).sort()).toEqual([...expected].sort())
    const chapterOf = (text: string) => Number(/^v(\d+)/i.exec(text)?.[1])
    expect(answers.filter(({ id, file }) => chapterOf(id) !== chapterOf(basename(file)))).toEqual([])
  })

  test('every answer is met, not applicable or open', () => {
    expect(answers.filter(({ status }) => !STATUSES.some((one) => one === status))).toEqual([])
  })

  test('what is met names code and proof; what is not has a reason', () => {
    for (const answer of answers) {
      const [why, by] = partsOf(answer)
      expect(why.length, `${answer.id}: why`).toBeGreaterThan(12)
      if (answer.status !== 'met') continue
      expect(filesIn(why), `${answer.id}: by which file`).not.toEqual([])
      expect(filesIn(by), `${answer.id}: checked by what`).not.toEqual([])
      const odd = filesIn(by).filter((file) => !PROOF.test(file))
      expect(odd, `${answer.id}: proves nothing`).toEqual([])
    }
  })

  test('every file that is named exists, and every chapter of a document too', () => {
    expect(answers.flatMap(({ id, text }) => missingFiles(text).map((file) => `${id}: ${file}`))).toEqual([])
    for (const { id, text } of answers) {
      for (const [, file = '', names = ''] of text.matchAll(/`(docs\/[\w-]+\.md)` \(([^)]+)\)/g)) {
        for (const name of names.split(', ')) {
          expect(sectionOf(documentAt(file), name), `${id}: ${file}, ${name}`).not.toBe('')
        }
      }
    }
  })

  test('the sums are true', () => {
    const sums = ['L1', 'L2'].map((level) => [
      level,
      ...STATUSES.map((status) => String(answers.filter((one) => one.level === level && one.status === status).length)),
    ])
    expect(cellsOf(documentAt('docs/asvs/README.md'))).toEqual([['Level', ...STATUSES], ...sums])
  })
})
