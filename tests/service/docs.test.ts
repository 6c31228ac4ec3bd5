/** Every document of the repository against the repository: files, links and commands that it names. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/settings.ts'
import { documentAt, filesIn } from '../support/documents.ts'

const documents = globSync(['*.md', '*/README.md', 'stand-ins/*/README.md', 'docs/**/*.md'], {
  cwd: root,
  exclude: (name) => name.includes('node_modules'),
})
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
const isThere = (document: string, path: string) =>
  existsSync(join(root, path)) || existsSync(join(root, dirname(document), path))

test('N-03 every file, link and command that a document names is there', () => {
  expect(documents.length).toBeGreaterThan(40)
  const missing = documents.flatMap((document) => {
    const text = documentAt(document)
    const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, path = '']) => path)
    const files = filesIn(text).filter((file) => file.includes('/') && !file.startsWith('.data/'))
    const commands = [...text.matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, name = '']) => name)
    return [
      ...[...files, ...links].filter((path) => !isThere(document, path)),
      ...commands.filter((name) => !(name in scripts)).map((name) => `npm run ${name}`),
    ].map((what) => `${document}: ${what}`)
  })
  expect(missing).toEqual([])
})

test('N-03 no entry of the decisions is torn: after a sentence that ends its line comes another', () => {
  const torn = documents
    .filter((document) => document.startsWith('docs/decisions/'))
    .flatMap((document) =>
      [...documentAt(document).matchAll(/\.\)?\n( +[a-z].*)/g)].map(([, line = '']) => `${document}: ${line.trim()}`),
    )
  expect(torn).toEqual([])
})
