import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { INTENT_STATUS } from '../../payments-service/stripe/intent-status.ts'
import { STATUS } from '../../payments-service/subscriptions/status.ts'
import { MONEY_TABLES } from '../support/money-tables.ts'

const DOC = readFileSync(new URL('../../docs/money.md', import.meta.url), 'utf8')

/** The text under a heading of the second level. */
const section = (name: string): string => DOC.split(/^## /m).find((part) => part.startsWith(`${name}\n`)) ?? ''

/** The cells of the first table of a text, without the line of dashes. */
const cellsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[\s:|-]+$/.test(line))
    .map((line) => line.slice(1, -1).split('|').map((cell) => cell.trim())) // prettier-ignore

/** The states that a section's drawing names. */
const drawn = (name: string): Set<string> => {
  const [, drawing = ''] = /```mermaid\n([\s\S]*?)```/.exec(section(name)) ?? []
  return new Set([...drawing.matchAll(/\b(\w+)\b/g)].map(([word]) => word))
}

describe('docs/money.md', () => {
  test.each(Object.keys(MONEY_TABLES))('P-10 P-12 its table of %s is the one the code goes by', (name) => {
    expect(cellsOf(section(name))).toEqual(MONEY_TABLES[name])
  })

  test('P-10 P-12 its drawings show every state of an intent and of a subscription', () => {
    expect([...Object.keys(INTENT_STATUS)].filter((state) => !drawn('Payment intents and set-ups').has(state))).toEqual(
      [],
    )
    expect([...Object.keys(STATUS)].filter((state) => !drawn('Subscriptions').has(state))).toEqual([])
  })
})
