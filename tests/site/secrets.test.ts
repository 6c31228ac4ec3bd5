/** N-01: every file that visitors can fetch is searched for secrets. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { builtFolder, filesOf } from './built.ts'
import { CANARIES, SECRET_NAMES } from '../support/secret-names.ts'

/** Secrets by their form: Stripe's keys and webhook secrets, Sanity's tokens, passwords in addresses, private keys. */
const FORMS = [
  /\b[sr]k_(test|live)_[0-9A-Za-z]{8,}/,
  /\bwhsec_[0-9A-Za-z+/=]{8,}/,
  /\bsk[A-Za-z0-9]{80,}\b/,
  /\b(postgres(ql)?|smtps?):\/\/[^\s"'/]*:[^\s"'/]*@/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\bEAA[0-9A-Za-z]{60,}/,
]
const NAMES = new RegExp(`\\b(${SECRET_NAMES.join('|')})\\b`)

/** Values that were set while the site was built: those of `npm test`, and this process's own secrets. */
const VALUES = [
  ...Object.values(CANARIES),
  ...Object.entries(process.env).flatMap(([name, value]) =>
    NAMES.test(name) && value && value.length >= 8 ? [value] : [],
  ),
]

/** What in a file looks like a secret; undefined when nothing does. */
function secretIn(content: string): string | undefined {
  for (const form of [...FORMS, NAMES]) {
    const [found] = form.exec(content) ?? []
    if (found) return found
  }
  return VALUES.find((value) => content.includes(value))
}

test('N-01 the search finds a planted secret of every kind', () => {
  const place = mkdtempSync(join(tmpdir(), 'secrets-'))
  const file = join(place, 'chunk.js')
  for (const planted of [
    'const a="sk_test_51Habcdefgh"',
    'b="whsec_abcdefgh12"',
    `c="sk${'a1'.repeat(60)}"`,
    'd="postgres://shop:hunter2@db/shop"',
    '-----BEGIN RSA PRIVATE KEY-----',
    `e="EAA${'b2'.repeat(40)}"`,
    'import.meta.env.TOKEN_SECRET',
    `f="${CANARIES['TOKEN_SECRET']}"`,
  ]) {
    writeFileSync(file, planted)
    expect(secretIn(readFileSync(file, 'utf8')), planted).toBeDefined()
  }
  expect(secretIn('pk_test_51Habcdefgh is public, and so is /api/config')).toBeUndefined()
  rmSync(place, { recursive: true })
})

const folder = builtFolder()

test.runIf(folder)('N-01 no file of the built site holds a secret', () => {
  const files = filesOf(folder ?? '')
  expect(files.filter((file) => file.endsWith('.js')).length).toBeGreaterThan(10)
  const found = files.flatMap((file) => {
    const secret = secretIn(readFileSync(file, 'latin1'))
    return secret ? [`${relative(folder ?? '', file)}: ${secret.slice(0, 12)}…`] : []
  })
  expect(found).toEqual([])
})
