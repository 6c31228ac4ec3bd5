import { describe, expect, test } from 'vitest'
import { CARDS } from '../../stand-ins/stripe/cards.ts'
import { DECLINED_CARDS } from '../support/declined-cards.ts'
import { cellsOf, codesIn, documentAt, sectionOf } from '../support/documents.ts'

const text = documentAt('docs/qa.md')
const digits = (cell: string): string => cell.replace(/\D/g, '')

describe('docs/qa.md', () => {
  test('P-11 its table of refused cards is the one that a journey pays with', () => {
    const [, ...rows] = cellsOf(sectionOf(text, 'Cards that are refused'))
    expect(rows.map(([card = '', words]) => [digits(card), words])).toEqual(Object.entries(DECLINED_CARDS))
  })

  test('the sandbox knows every card that it names as one that pays', () => {
    const [, ...rows] = cellsOf(sectionOf(text, 'Cards that pay'))
    expect(rows.length).toBeGreaterThan(5)
    const paying = CARDS.filter(({ charge }) => !charge).map(({ number }) => number)
    expect(rows.map(([card = '']) => digits(card)).filter((number) => !paying.includes(number))).toEqual([])
  })

  test('N-03 Stripe’s test mode begins with a database of its own: it knows no customer of the sandbox', () => {
    const [, steps = ''] = sectionOf(text, 'Setting up').split("**Stripe's test mode.**")
    const [first = ''] = /^1\. [^]*?(?=^2\. )/m.exec(steps) ?? []
    expect(codesIn(first)).toContain('DATABASE_URL')
    expect(first).not.toContain('STRIPE_SECRET_KEY')
  })

  test('every variable that it names is in the README', () => {
    const readme = documentAt('README.md')
    const variables = codesIn(text).flatMap((code) => /^[A-Z][A-Z]+_[A-Z_]+/.exec(code)?.[0] ?? [])
    expect(variables.filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
  })
})
