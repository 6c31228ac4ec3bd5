import { describe, expect, test } from 'vitest'
import type { Charge, Claim, Ledger, Statement } from './claims.ts'
import { judge } from './judge.ts'

const at = (iso: string): number => Date.parse(iso) / 1000
const said = (when: string, claim: Claim): Statement => ({ at: at(when), source: 'page', claim })
const charge = (when: string, amount: number, more: Partial<Charge> = {}): Charge => ({
  intent: 'pi_1',
  amount,
  at: at(when),
  drawn: at(when),
  renewal: false,
  refunds: [],
  lost: false,
  ...more,
})
const renewal = (when: string, more: Partial<Charge> = {}): Charge =>
  charge(when, 3900, { intent: 'pi_2', renewal: true, ...more })
const refund = (when: string, amount: number, status = 'succeeded') => ({ amount, at: at(when), status })

const BUY = '2026-11-21T10:00:00Z'
const ORDER = charge(BUY, 100)
const PRESSED = said('2026-11-21T09:59:59Z', { kind: 'pressed', amount: 100, intent: 'pi_1' })
const NEXT = said(BUY, { kind: 'next', amount: 3900, day: '2026-11-24', intent: 'pi_1' })
const RENEWED = renewal('2026-11-24T11:00:00Z', { drawn: at('2026-11-24T10:00:00Z') })
/** A press of the button that pays what is owed, after which the page says that nothing was charged. */
const owing = (pressed: string, answered: string): Statement[] => [
  said(pressed, { kind: 'paying', amount: 3900 }),
  said(answered, { kind: 'not taken', amount: 3900, since: at(pressed) }),
]

const CONFIRMATION = 'mail order_confirmation'
const BOUGHT_TWO = { kind: 'bought', amounts: [100, 100] } as const

function lies(
  statements: Statement[],
  charges: Charge[],
  more: Partial<Ledger> & { zone?: string; end?: string } = {},
) {
  const { zone = 'UTC', end = '2026-11-27T00:00:00Z', ...ledger } = more
  const succeeded = new Set(charges.map(({ intent }) => intent))
  return judge({ statements, ledger: { charges, refused: [], succeeded, live: [], ...ledger }, zone, end: at(end) })
}
const kinds = (found: string[]) => found.map((lie) => lie.split(':')[0])

test('H-01 a truthful sale has no lie in it', () => {
  const receipt = said('2026-11-24T11:01:00Z', { kind: 'paid', amount: 3900, day: '2026-11-24' })
  expect(lies([PRESSED, NEXT, receipt], [ORDER, RENEWED], { live: ['sub_1'] })).toEqual([])
})

describe('what was said of each period', () => {
  const [SECOND, THIRD] = ['2026-12-24T11:00:00Z', '2027-01-23T11:00:00Z']
  const later = (when: string, amount: number) => said(when, { kind: 'later', amount })
  const judged = (statements: Statement[], amount: number) => {
    const next = said(SECOND, { kind: 'next', amount, day: '2027-01-23' })
    const charges = [ORDER, RENEWED, renewal(THIRD, { intent: 'pi_3', amount })]
    return kinds(lies([PRESSED, NEXT, next, ...statements], charges, { end: '2027-01-30T00:00:00Z' }))
  }
  test('H-01 A-05 holds for the charges after the next one', () => {
    expect(judged([later(BUY, 3900)], 3900)).toEqual([])
    expect(judged([later(BUY, 3900)], 4500)).toEqual(['another amount than announced'])
  })
  test('H-01 A-06 is replaced by what the operator changes, and by what is said anew', () => {
    expect(judged([later(BUY, 3900), said('2026-12-01T00:00:00Z', { kind: 'changed' })], 4500)).toEqual([])
    expect(judged([later(BUY, 3900), later(SECOND, 4500)], 4500)).toEqual([])
  })
})

describe('a fabricated lie is found', () => {
  const table: [string, string, Statement[], Charge[], Parameters<typeof lies>[2]?][] = [
    ['an order of another amount', 'another amount than shown', [PRESSED], [charge(BUY, 1767)]],
    ['an order without a press', 'a charge nobody announced', [], [ORDER]],
    [
      'a second charge for one press without a known intent',
      'a charge nobody announced',
      [said(BUY, { kind: 'pressed', amount: 100, intent: null })],
      [ORDER, charge(BUY, 100, { intent: 'pi_9' })],
    ],
    [
      'an item of an order page without its charge',
      'an item without its charge',
      [PRESSED, said(BUY, BOUGHT_TWO)],
      [ORDER],
    ],
    [
      'a cancellation that a page says was taken back, and nothing goes on',
      '"goes on" without it',
      [PRESSED, NEXT, said('2026-11-22T10:00:00Z', { kind: 'resumed', sure: true })],
      [ORDER],
      { end: BUY },
    ],
    [
      'a renewal after "nothing more" and an add-on',
      'charged after "nothing more"',
      [
        PRESSED,
        said('2026-11-22T10:00:00Z', { kind: 'nothing' }),
        said('2026-11-23T10:00:00Z', { kind: 'pressed', amount: 1490, intent: 'pi_4' }),
      ],
      [ORDER, charge('2026-11-23T10:00:01Z', 1490, { intent: 'pi_4' }), RENEWED],
    ],
    [
      'a renewal of a programme that was closed, whose buyer tried to pay in vain',
      'charged after "nothing more"',
      [
        PRESSED,
        said('2026-11-23T10:10:00Z', { kind: 'nothing', unless: 'paid' }),
        ...owing('2026-11-23T10:30:00Z', '2026-11-23T10:30:01Z'),
      ],
      [ORDER, RENEWED],
    ],
    [
      'a second charge for one press that pays what is owed',
      'charged on another day',
      [PRESSED, NEXT, said('2026-11-26T10:00:00Z', { kind: 'paying', amount: 3900 })],
      [ORDER, renewal('2026-11-26T10:00:00Z', { intent: 'pi_8' }), renewal('2026-11-26T10:00:01Z', { intent: 'pi_9' })],
    ],
    [
      'a renewal of another amount',
      'another amount than announced',
      [PRESSED, NEXT],
      [ORDER, { ...RENEWED, amount: 4500 }],
      { end: BUY },
    ],
    [
      'a renewal on another day',
      'charged on another day',
      [PRESSED, NEXT],
      [ORDER, renewal('2026-11-26T10:00:00Z')],
      { end: BUY },
    ],
    [
      'a renewal on another day of the buyer’s zone',
      'charged on another day',
      [PRESSED, NEXT],
      [ORDER, renewal('2026-11-24T20:00:00Z')],
      { end: BUY, zone: 'Asia/Tokyo' },
    ],
    ['a renewal that nothing was said about', 'a charge nobody announced', [PRESSED], [ORDER, RENEWED]],
    [
      'a renewal after the cancellation',
      'charged after "nothing more"',
      [PRESSED, NEXT, said('2026-11-24T10:15:00Z', { kind: 'nothing' })],
      [ORDER, RENEWED],
    ],
    [
      'a renewal after "nothing more", announced again unasked',
      'charged after "nothing more"',
      [
        PRESSED,
        NEXT,
        said('2026-11-22T10:00:00Z', { kind: 'nothing' }),
        said('2026-11-23T10:00:00Z', { kind: 'next', amount: 3900, day: '2026-11-24' }),
      ],
      [ORDER, RENEWED],
    ],
    [
      'a debt of another amount',
      'another amount than announced',
      [PRESSED, said(BUY, { kind: 'due', amount: 1900 })],
      [ORDER, RENEWED],
    ],
    ['an announced charge that never came', 'announced and not charged', [PRESSED, NEXT], [ORDER]],
    [
      'an announced charge that was tried on another day',
      'announced and not charged',
      [PRESSED, NEXT],
      [ORDER],
      { refused: [renewal('2026-11-26T10:00:00Z')] },
    ],
    [
      'a receipt of another sum',
      'a receipt without its charge',
      [PRESSED, said(BUY, { kind: 'paid', amount: 900, day: '2026-11-21' })],
      [ORDER],
    ],
    [
      'a receipt of another day',
      'a receipt without its charge',
      [PRESSED, said(BUY, { kind: 'paid', amount: 100, day: '2026-11-20' })],
      [ORDER],
    ],
    [
      'an invoice of another day',
      'an invoice without its charge',
      [PRESSED, said(BUY, { kind: 'invoice', amount: 100, day: '2026-11-22', refunded: 0, returned: 0 })],
      [ORDER],
    ],
    [
      'an invoice that calls refunded what the bank sent back',
      '"refunded" without it',
      [
        PRESSED,
        said('2026-11-22T10:00:00Z', { kind: 'invoice', amount: 100, day: '2026-11-21', refunded: 100, returned: 0 }),
      ],
      [charge(BUY, 100, { refunds: [refund('2026-11-22T09:00:00Z', 100, 'failed')] })],
    ],
    [
      'an invoice that says that the bank took back what was won since',
      '"refunded" without it',
      [
        PRESSED,
        said('2026-11-24T10:00:00Z', { kind: 'invoice', amount: 100, day: '2026-11-21', refunded: 0, returned: 100 }),
      ],
      [{ ...ORDER, wonBack: { lost: at('2026-11-22T09:00:00Z'), won: at('2026-11-23T09:00:00Z') } }],
    ],
    [
      'a cancelled order whose confirmation names a charge all the same',
      'charged after "nothing more"',
      [
        PRESSED,
        NEXT,
        said('2026-11-22T10:00:00Z', { kind: 'nothing' }),
        { ...said('2026-11-22T10:00:05Z', { kind: 'next', amount: 3900, day: '2026-11-24' }), source: CONFIRMATION },
      ],
      [ORDER, RENEWED],
    ],
    [
      '"you were not charged"',
      '"not charged"',
      [PRESSED, said('2026-11-21T10:05:00Z', { kind: 'uncharged', intent: null })],
      [ORDER],
    ],
    [
      '"you were not charged" about a press whose answer was lost',
      '"not charged"',
      [PRESSED, said('2026-11-24T11:00:01Z', { kind: 'not taken', amount: 3900, since: at('2026-11-24T10:59:59Z') })],
      [ORDER, RENEWED],
    ],
    [
      '"you were not charged" for a debt whose answer was lost, a second after a press that was refused',
      '"not charged"',
      [
        PRESSED,
        ...owing('2026-11-24T11:00:00Z', '2026-11-24T11:00:00Z'),
        ...owing('2026-11-24T11:00:01Z', '2026-11-24T11:00:02Z'),
      ],
      [ORDER, renewal('2026-11-24T11:00:01Z')],
    ],
    [
      '"refunded" that the bank sent back',
      '"refunded" without it',
      [PRESSED, said('2026-11-22T10:00:00Z', { kind: 'refunded', amount: 100 })],
      [charge(BUY, 100, { refunds: [refund('2026-11-22T09:00:00Z', 100, 'failed')] })],
    ],
    [
      '"refunded" before the bank did it',
      '"refunded" without it',
      [PRESSED, said('2026-11-21T10:05:00Z', { kind: 'refunded', amount: 100 })],
      [charge(BUY, 100, { refunds: [refund('2026-11-22T09:00:00Z', 100)] })],
    ],
    [
      '"refunded" of another sum',
      '"refunded" without it',
      [PRESSED, said('2026-11-22T10:00:00Z', { kind: 'refunded', amount: 100 })],
      [charge(BUY, 100, { refunds: [refund('2026-11-22T09:00:00Z', 50)] })],
    ],
    [
      'what went back before it was asked for, told again',
      '"refunded" without it',
      [
        PRESSED,
        said('2026-11-21T12:01:00Z', { kind: 'refunded', amount: 50 }),
        said('2026-11-22T10:00:00Z', { kind: 'refunded', amount: 100, since: at('2026-11-22T08:00:00Z') }),
      ],
      [charge(BUY, 100, { refunds: [refund('2026-11-21T12:00:00Z', 50), refund('2026-11-22T09:00:00Z', 50)] })],
    ],
    [
      'one refund told twice',
      '"refunded" without it',
      [
        PRESSED,
        ...['2026-11-22T10:00:00Z', '2026-11-22T11:00:00Z'].map((when) =>
          said(when, { kind: 'refunded', amount: 100 }),
        ),
      ],
      [charge(BUY, 100, { refunds: [refund('2026-11-22T09:00:00Z', 100)] })],
    ],
    [
      '"on its way" that never came',
      'a refund that never came',
      [PRESSED, said(BUY, { kind: 'refunding', amount: 100, since: at(BUY) })],
      [ORDER],
    ],
    [
      'an order that was taken back, and its money kept',
      'a refund that never came',
      [PRESSED, NEXT, said('2026-11-21T10:00:05Z', { kind: 'taken back', intent: 'pi_1' })],
      [ORDER],
    ],
    ['two live subscriptions', 'two subscriptions for one address', [PRESSED], [ORDER], { live: ['sub_1', 'sub_2'] }],
    [
      'money of an erased visitor',
      'charged after erasure',
      [PRESSED, NEXT, said('2026-11-22T10:00:00Z', { kind: 'erased' })],
      [ORDER, RENEWED],
    ],
    [
      'a charge of an erased visitor who came back and ordered nothing',
      'charged after erasure',
      [
        PRESSED,
        NEXT,
        said('2026-11-22T10:00:00Z', { kind: 'erased' }),
        said('2026-11-22T11:00:00Z', { kind: 'arrived' }),
      ],
      [ORDER, RENEWED],
      { live: ['sub_1'] },
    ],
    [
      'a next charge still shown a minute after the operator’s change',
      'announced and not charged',
      [
        PRESSED,
        NEXT,
        said('2026-11-22T10:00:00Z', { kind: 'changed' }),
        said('2026-11-22T10:01:00Z', { kind: 'next', amount: 3900, day: '2026-11-24' }),
      ],
      [ORDER],
    ],
    [
      'a subscription of an erased visitor',
      'a subscription of an erased visitor goes on',
      [PRESSED, said('2026-11-22T10:00:00Z', { kind: 'erased' })],
      [ORDER],
      { live: ['sub_1'] },
    ],
  ]
  test.each(table)('%s', (_, kind, statements, charges, more) => {
    expect(kinds(lies(statements, charges, more))).toContain(kind)
  })
})

describe('what is no lie', () => {
  const table: [string, Statement[], Charge[], Parameters<typeof lies>[2]?][] = [
    [
      'a charge that a later page moved to its day',
      [PRESSED, NEXT, said('2026-11-22T10:00:00Z', { kind: 'next', amount: 3900, day: '2026-11-26' })],
      [ORDER, renewal('2026-11-26T09:00:00Z')],
    ],
    [
      'a bill drawn in the last hour of its day',
      [PRESSED, NEXT],
      [ORDER, renewal('2026-11-25T00:30:00Z', { drawn: at('2026-11-24T23:30:00Z') })],
    ],
    [
      'a cancellation that the buyer took back',
      [
        PRESSED,
        NEXT,
        said('2026-11-22T10:00:00Z', { kind: 'nothing' }),
        said('2026-11-23T10:00:00Z', { kind: 'resumed', sure: true }),
        said('2026-11-23T10:00:01Z', { kind: 'next', amount: 3900, day: '2026-11-24' }),
      ],
      [ORDER, RENEWED],
    ],
    [
      'a programme that was closed until its buyer paid what was owed',
      [
        PRESSED,
        // of a try that failed
        said('2026-11-22T10:05:00Z', { kind: 'next', amount: 3900, day: '2026-11-23' }),
        said('2026-11-24T10:10:00Z', { kind: 'nothing', unless: 'paid' }),
        said('2026-11-24T10:30:00Z', { kind: 'paying', amount: 3900 }),
        said('2026-11-24T10:30:01Z', { kind: 'next', amount: 3900, day: '2026-11-24' }),
      ],
      [ORDER, renewal('2026-11-24T10:30:00Z', { intent: 'pi_8' }), RENEWED],
    ],
    [
      'a charge after a cancellation that went back by itself',
      [PRESSED, said('2026-11-24T10:15:00Z', { kind: 'nothing' })],
      [ORDER, { ...RENEWED, refunds: [refund('2026-11-24T11:01:00Z', 3900)] }],
    ],
    [
      'an announced charge after which it was cancelled',
      [PRESSED, NEXT, said('2026-11-22T10:00:00Z', { kind: 'nothing' })],
      [ORDER],
    ],
    ['what a page said of an order that was not paid', [NEXT], []],
    [
      'what a page said of a second order that it took back at value 0',
      [
        PRESSED,
        NEXT,
        said('2026-11-23T10:00:00Z', { kind: 'next', amount: 3900, day: '2026-11-26', intent: 'seti_2' }),
        said('2026-11-23T10:00:05Z', { kind: 'taken back', intent: 'seti_2' }),
      ],
      [ORDER, RENEWED],
      { succeeded: new Set(['pi_1', 'seti_2']) },
    ],
    [
      'what the operator changed',
      [PRESSED, NEXT, said('2026-11-22T10:00:00Z', { kind: 'changed' })],
      [ORDER, { ...RENEWED, amount: 4500 }],
    ],
    [
      'what a page showed in the minute after the operator’s change',
      [
        PRESSED,
        NEXT,
        said('2026-11-22T10:00:00Z', { kind: 'changed' }),
        said('2026-11-22T10:00:30Z', { kind: 'next', amount: 3900, day: '2026-11-24' }),
      ],
      [ORDER],
    ],
    [
      'a cancellation that the buyer took back in the minute after the operator’s change',
      [
        PRESSED,
        NEXT,
        said('2026-11-22T10:00:00Z', { kind: 'changed' }),
        said('2026-11-22T10:00:10Z', { kind: 'nothing' }),
        said('2026-11-22T10:00:20Z', { kind: 'resumed', sure: true }),
        said('2026-11-22T10:00:21Z', { kind: 'next', amount: 3900, day: '2026-11-24' }),
      ],
      [ORDER, RENEWED],
    ],
    [
      'a charge that the bank refused on its day',
      [PRESSED, NEXT, said('2026-11-26T10:00:00Z', { kind: 'due', amount: 3900 })],
      [ORDER],
      { refused: [RENEWED] },
    ],
    [
      'an order that is paid days after it was refused',
      [
        said('2026-11-16T10:00:00Z', { kind: 'pressed', amount: 100, intent: 'pi_1' }),
        said('2026-11-16T10:00:01Z', { kind: 'next', amount: 3900, day: '2026-11-19', intent: 'pi_1' }),
        PRESSED,
        NEXT,
      ],
      [ORDER, RENEWED],
    ],
    [
      'an order that was taken back, and a word that its refund failed',
      [
        PRESSED,
        said('2026-11-21T10:00:05Z', { kind: 'taken back', intent: 'pi_1' }),
        said('2026-11-22T10:00:00Z', { kind: 'unrefunded' }),
      ],
      [ORDER],
    ],
    [
      'an order after an erasure, in a new visit',
      [
        said('2026-11-20T10:00:00Z', { kind: 'erased' }),
        said('2026-11-20T11:00:00Z', { kind: 'arrived' }),
        PRESSED,
        NEXT,
      ],
      [ORDER, RENEWED],
      { live: ['sub_1'] },
    ],
    [
      '"on its way", and then a word that it is not',
      [
        PRESSED,
        said(BUY, { kind: 'refunding', amount: 100, since: at(BUY) }),
        said('2026-11-22T10:00:00Z', { kind: 'unrefunded' }),
      ],
      [ORDER],
    ],
    [
      '"refunded" while the bank had taken it',
      [PRESSED, said('2026-11-22T09:30:00Z', { kind: 'refunded', amount: 100 })],
      [
        charge(BUY, 100, {
          refunds: [{ ...refund('2026-11-22T09:00:00Z', 100, 'failed'), failedAt: at('2026-11-22T10:00:00Z') }],
        }),
      ],
    ],
    [
      '"you were not charged" for a second press, after a first that was',
      [PRESSED, said(BUY, { kind: 'not taken', amount: 100, since: at(BUY) })],
      [ORDER],
    ],
    [
      '"you were not charged" for a card that was declined, in the second in which another one paid',
      [
        { ...PRESSED, at: at(BUY) + 0.1 },
        { ...said(BUY, { kind: 'not taken', amount: 100, since: at(BUY) + 0.1, intent: 'pi_1' }), at: at(BUY) + 0.3 },
        { ...PRESSED, at: at(BUY) + 0.5 },
      ],
      [ORDER],
    ],
    [
      '"you were not charged" before the next try',
      [PRESSED, NEXT, said('2026-11-24T10:30:00Z', { kind: 'not taken', amount: 3900, since: at(BUY) })],
      [ORDER, RENEWED],
    ],
    [
      'an invoice of a charge that was lost in a dispute',
      [
        PRESSED,
        said('2026-11-22T10:00:00Z', { kind: 'invoice', amount: 100, day: '2026-11-21', refunded: 0, returned: 100 }),
      ],
      [{ ...ORDER, lost: true }],
    ],
    [
      'a subscription that was cancelled while another order was being paid, whose confirmation names its charge',
      [
        PRESSED,
        NEXT,
        { ...PRESSED, claim: { ...PRESSED.claim, intent: 'pi_3' } as Claim },
        said(BUY, { kind: 'next', amount: 3900, day: '2026-11-24', intent: 'pi_3' }),
        said('2026-11-22T10:00:00Z', { kind: 'nothing' }),
        { ...said('2026-11-22T10:00:05Z', { kind: 'next', amount: 3900, day: '2026-11-24' }), source: CONFIRMATION },
      ],
      [ORDER, charge(BUY, 100, { intent: 'pi_3' }), RENEWED],
    ],
    [
      'an order that was taken back while the buyer disputes it at the bank',
      [PRESSED, said(BUY, { kind: 'taken back', intent: 'pi_1' })],
      [{ ...ORDER, held: true }],
    ],
    [
      'an invoice of a charge that was lost in a dispute, before it was won',
      [
        PRESSED,
        said('2026-11-22T10:00:00Z', { kind: 'invoice', amount: 100, day: '2026-11-21', refunded: 0, returned: 100 }),
      ],
      [{ ...ORDER, wonBack: { lost: at('2026-11-22T09:00:00Z'), won: at('2026-11-23T09:00:00Z') } }],
    ],
    [
      'a press of another tab whose answer was lost, in the moment in which this one was refused',
      [
        said(BUY, { kind: 'pressed', amount: 1490, intent: null }),
        said('2026-11-21T10:00:01Z', { kind: 'pressed', amount: 1490, intent: null }),
        said('2026-11-21T10:00:02Z', { kind: 'not taken', amount: 1490, since: at('2026-11-21T10:00:01Z') }),
      ],
      [charge('2026-11-21T10:00:01Z', 1490)],
    ],
    [
      '"you were not charged" for a debt that another tab paid in the same moment',
      [
        PRESSED,
        said('2026-11-24T10:59:59Z', { kind: 'due', amount: 3900 }),
        said('2026-11-24T11:00:00Z', { kind: 'paying', amount: 3900 }),
        ...owing('2026-11-24T11:00:01Z', '2026-11-24T11:00:02Z'),
      ],
      [ORDER, renewal('2026-11-24T11:00:01Z')],
    ],
    [
      'a page that lists two items, both charged',
      [PRESSED, { ...PRESSED, claim: { ...PRESSED.claim, intent: 'pi_3' } as Claim }, said(BUY, BOUGHT_TWO)],
      [ORDER, charge(BUY, 100, { intent: 'pi_3' })],
    ],
    ['a day that is not over', [PRESSED, NEXT], [ORDER], { end: '2026-11-24T12:00:00Z' }],
  ]
  test.each(table)('%s', (_, statements, charges, more) => {
    expect(lies(statements, charges, more)).toEqual([])
  })
})
