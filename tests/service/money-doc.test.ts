import { describe, expect, test } from 'vitest'
import { INTENT_STATUS } from '../../payments-service/stripe/intent-status.ts'
import { STATUS } from '../../payments-service/stripe/subscription-status.ts'
import { cellsOf, documentAt, sectionOf } from '../support/documents.ts'
import { MONEY_TABLES } from '../support/money-tables.ts'

const section = (name: string) => sectionOf(documentAt('docs/money.md'), name)

/** The states named in a section's diagram. */
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
