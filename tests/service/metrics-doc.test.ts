import { expect, test } from 'vitest'
import { DEFINITIONS } from '../../payments-service/numbers/definitions.ts'
import { cellsOf, documentAt, missingFiles, sectionOf } from '../support/documents.ts'

const document = documentAt('docs/metrics.md')

test('D-09 the definitions of docs/metrics.md are those of the code, word by word', () => {
  const [, ...rows] = cellsOf(sectionOf(document, 'Definitions'))
  expect(rows).toEqual(Object.values(DEFINITIONS).map(({ name, means, where }) => [name, means, where]))
})

test('D-09 docs/metrics.md names only files that exist', () => {
  expect(missingFiles(document)).toEqual([])
})
