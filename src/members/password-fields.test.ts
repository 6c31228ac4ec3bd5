import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '..')
const files = globSync('**/*.tsx', { cwd: src }).map((file) => ({ file, code: readFileSync(join(src, file), 'utf8') }))

/** The attributes of every field that takes a password. */
const fields = files.flatMap(({ file, code }) =>
  [...code.matchAll(/<TextField([^]*?)\/>/g)]
    .map(([, attributes = '']) => ({ file, attributes }))
    .filter(({ attributes }) => /type=[^\n]*password|autoComplete="[\w-]*password"/.test(attributes)),
)

test('A-01 A-05 every password field hides what is typed and names itself to password managers', () => {
  expect(fields.length).toBeGreaterThanOrEqual(3)
  for (const { file, attributes } of fields) {
    expect(attributes, file).toMatch(/type=(\{shown \? 'text' : 'password'\}|"password")/)
    expect(attributes, file).toMatch(/autoComplete="(new|current)-password"/)
  }
})

test('A-01 A-05 nothing on any page keeps a visitor from pasting', () => {
  for (const { file, code } of files) expect(code, file).not.toMatch(/onPaste|onBeforeInput|'paste'/)
})
