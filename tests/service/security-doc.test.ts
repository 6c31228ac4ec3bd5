/**
 * docs/security.md and docs/security-data.md against the code: limits, tables, the browser's keys, the service's keys.
 */
import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/settings.ts'
import { LIMITS, type LimitRule } from '../../payments-service/http/limits.ts'
import * as keys from '../../src/session/keys.ts'
import * as visitKeys from '../../src/session/visit-keys.ts'
import { cellsOf, codesIn, documentAt, missingFiles, sectionOf } from '../support/documents.ts'
import { SECRET_NAMES } from '../support/secret-names.ts'

const SECURITY = documentAt('docs/security.md')
const DATA = documentAt('docs/security-data.md')
const rowsOf = (text: string): string[][] => cellsOf(text).slice(1)
const classes = rowsOf(sectionOf(DATA, 'Classes')).map(([name = '']) => name)

/** What is in backticks in one column of a table. */
const named = (text: string, column: number): string[] => rowsOf(text).flatMap((row) => codesIn(row[column] ?? ''))

describe('docs/security.md', () => {
  test('its links lead to documents', () => {
    for (const file of ['docs/security.md', 'docs/security-data.md', 'docs/asvs/README.md', 'SECURITY.md']) {
      const links = [...documentAt(file).matchAll(/\]\((?!https:)([^)#]+)\)/g)].map(([, link = '']) => link)
      expect(
        links.filter((link) => !existsSync(join(root, dirname(file), link))),
        file,
      ).toEqual([])
    }
  })

  test('N-01 the files and variables that it names are there', () => {
    const variables = documentAt('README.md')
    for (const text of [SECURITY, DATA]) {
      expect(missingFiles(text)).toEqual([])
      const unknown = codesIn(text).filter(
        (code) => /^[A-Z][A-Z_]{4,}$/.test(code) && !variables.includes(`\`${code}\``),
      )
      expect(unknown).toEqual([])
    }
  })

  test('N-01 its plan for an incident looks at the shop itself, not at stand-ins, by metrics that are there', () => {
    const plan = sectionOf(SECURITY, 'When something has happened')
    // these start a stack of their own, and say nothing of the shop
    expect(plan.match(/npm (start|test|run (faults|rehearse|attack|mutants|bench|stripe:parity))/g)).toBeNull()
    const metrics = [...plan.matchAll(/`(funnel_\w+)`/g)].map(([, name = '']) => name)
    expect(metrics.length).toBeGreaterThan(0)
    const facts = documentAt('payments-service/metrics/facts.ts')
    expect(metrics.filter((name) => !facts.includes(`name: '${name}'`))).toEqual([])
  })

  test('P-02 H-04 its table of limits is the one the service goes by', () => {
    const words = (of?: { points: number; seconds: number }) => (of ? `${of.points} in ${of.seconds} s` : '')
    const rules: LimitRule[] = Object.values(LIMITS)
    expect(rowsOf(sectionOf(SECURITY, 'Limits'))).toEqual(
      rules.map((rule) => [
        `\`${rule.name}\``,
        words(rule.perAddress),
        words(rule.perCaller),
        rule.shared ? 'yes' : '',
      ]),
    )
    // and each way in names one of them
    expect(named(sectionOf(SECURITY, 'Ways in'), 3).filter((name) => !(name in LIMITS))).toEqual([])
  })

  test('its inventory of keys names every purpose for which the service derives one', () => {
    const union = /export type KeyPurpose =([^]*?)\n\n/.exec(documentAt('payments-service/keys/keys.ts'))?.[1] ?? ''
    const purposes = [...union.matchAll(/'([^']+)'/g)].map(([, purpose = '']) => purpose)
    expect(purposes.length).toBeGreaterThan(4)
    const listed = codesIn(sectionOf(SECURITY, 'Cryptography'))
    expect(purposes.filter((purpose) => !listed.includes(purpose))).toEqual([])
  })

  test('N-01 every secret that a build is searched for has its origin and its replacement', () => {
    // the embedded lake's is random for each clone
    const real = SECRET_NAMES.filter((name) => name !== 'LAKE_TOKEN')
    expect(real.length).toBeGreaterThan(5)
    expect(named(sectionOf(SECURITY, 'Secrets'), 0).sort()).toEqual(real.sort())
  })
})

describe('docs/security-data.md', () => {
  test('N-01 a restricted Stripe key may do what the service asks of Stripe, and no more', () => {
    const files = globSync('payments-service/stripe/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
    const rights = new Map<string, string>()
    for (const [, resource = '', method = ''] of files
      .map(documentAt)
      .join()
      .matchAll(/\bsdk\.(\w+)\.(\w+)\(/g)) {
      // this one is computed here
      if (method === 'constructEvent') continue
      const reads = method === 'list' || method === 'retrieve'
      if (!reads || !rights.has(resource)) rights.set(resource, reads ? 'read' : 'write')
    }
    expect(rights.size).toBeGreaterThan(10)
    const rows = rowsOf(sectionOf(SECURITY, 'A restricted key of Stripe'))
    const listed = rows.flatMap(([right, resources = '']) => codesIn(resources).map((one) => [one, right]))
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(rights))
  })

  test('D-12 every table has a class and an end, and no other is named', () => {
    const types = /export interface DB \{([^}]*)\}/.exec(documentAt('db/types.ts'))?.[1] ?? ''
    const tables = [...types.matchAll(/^\s+(\w+):/gm)].map(([, table = '']) => table)
    expect(tables.length).toBeGreaterThan(30)
    const rows = rowsOf(sectionOf(DATA, 'Tables'))
    expect(rows.map(([table = '']) => table)).toEqual(tables.map((table) => `\`${table}\``))
    const ends = ['erased', 'emptied', 'kept', 'months', 'itself']
    const odd = rows.filter(([, of = '', end = '']) => !classes.includes(of) || !ends.includes(end))
    expect(odd).toEqual([])
  })

  test('D-08 events are kept for as long as it says', () => {
    const [, months] =
      /EVENT_RETENTION_MONTHS: [^\n]*\.default\((\d+)\)/.exec(documentAt('payments-service/environment.ts')) ?? []
    expect(DATA).toContain(`\`EVENT_RETENTION_MONTHS\` (${months})`)
    // and the sample's privacy page
    expect(documentAt('studio/dataset/legal.ndjson')).toContain(
      `the faults that they reported: at most ${months} months.`,
    )
  })

  test.each([
    ['localStorage', keys],
    ['sessionStorage', visitKeys],
  ])('Q-14 every key of %s has a class', (storage, known) => {
    const table = cellsOf(sectionOf(DATA, 'In the browser'))
    const from = table.findIndex(([, head]) => head === storage)
    const rows = table.slice(from + 1).slice(0, table.slice(from + 1).findIndex(([of]) => of === 'Class') >>> 0)
    expect(rows.flatMap(([, cell = '']) => codesIn(cell)).sort()).toEqual(Object.values(known).sort())
    expect(rows.filter(([of = '']) => !classes.includes(of))).toEqual([])
  })
})
