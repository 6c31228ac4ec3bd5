/**
 * What a buyer, the operator or bad luck may do next, as plain data, so that a sequence can
 * be drawn, shrunk and printed.
 */
import fc from 'fast-check'
import type { AddOnId, ProductId } from '../../../contract/catalogue.ts'

/**
 * `closed`: the page is left before the button; `left`: in the bank's dialog; `elsewhere`: paid, and no page comes back
 * from the bank or PayPal; `unrefundable`: refunds to it fail.
 */
const CARDS = ['good', 'declined', 'bank', 'left', 'closed', 'elsewhere', 'unrefundable'] as const
const WAYS = ['card', 'paypal', 'setup'] as const
const PLACES = [
  'intent',
  'press',
  'confirm',
  'read',
  'subscription',
  'refund',
  'customer',
  'setup',
  'end',
  'invoice',
] as const
const MODES = ['drop', 'execute_then_500', '500', 'drop_before', '409', 'slow', 'hang'] as const
/** The modes that cost no waiting time. */
const QUICK = MODES.filter((mode) => mode !== 'slow' && mode !== 'hang')
/** What an operator does at Stripe. */
const DESK = [
  'price',
  'later',
  'pause',
  'resume',
  'part',
  'all',
  'cancel',
  'bad card',
  'good card',
  'asking card',
  'dispute',
  'lost',
  'won',
  'appeal',
  'inquiry',
  'end',
  'extra',
  'void',
  'delete',
  'expire',
] as const

/** What needs no more words. */
export type Act =
  | 'look'
  | 'cancel'
  | 'keep'
  | 'withdraw'
  | 'withdraw by form'
  | 'money back'
  | 'approve'
  | 'decline'
  | 'visit'
  | 'erase'
  | 'new card'
  | 'pay owed'
  | 'leave'
  | 'come back'
  | 'old tab'
  | 'old price'
  | 'late'
  | 'correct'
  | 'device'

export type Step =
  | { do: 'order'; product: ProductId; way: (typeof WAYS)[number]; card: (typeof CARDS)[number] }
  /** `paypal`: each add-on leaves for PayPal. */
  | { do: 'add'; product: AddOnId; way?: 'card' | 'paypal' }
  | { do: 'undo'; product: AddOnId }
  | { do: Act }
  /** The next two steps happen in the same moment, as from two tabs or by two people. */
  | { do: 'at once' }
  | { do: 'desk'; what: (typeof DESK)[number] }
  /** The next call to Stripe about this buyer, the service's or the page's, fails. */
  | { do: 'lose'; place: (typeof PLACES)[number]; mode: (typeof MODES)[number] }
  /** The clock moves on by this many of the world's moments. */
  | { do: 'later'; moments: number }

const of = <Name extends Step['do']>(name: Name) => fc.record({ do: fc.constant(name) })
const first = fc.constantFrom<ProductId>('trial_1', 'trial_1', 'trial_5', 'trial_1767', 'special_offer', 'monthly')
const addOn = fc.constantFrom<AddOnId>('guide_devices', 'guide_habits', 'bundle')
const card = fc.constantFrom('good', 'good', 'good', 'good', ...CARDS)
const way = fc.constantFrom('card', 'card', 'card', ...WAYS)

const order = fc.record({ do: fc.constant('order' as const), product: first, way, card })
/** A reading is sold alone, beside the programme or without it. */
const reading = fc.record({
  do: fc.constant('order' as const),
  product: fc.constantFrom<ProductId>('reading_7_days', 'reading_14_days'),
  way: fc.constantFrom('card', 'paypal'),
  card,
})
const lose = (modes: readonly (typeof MODES)[number][]) =>
  fc.record({
    do: fc.constant('lose' as const),
    place: fc.constantFrom('intent', 'intent', ...PLACES),
    mode: fc.constantFrom(...modes),
  })
const before = (hangs: boolean) =>
  fc.oneof(
    { weight: 6, arbitrary: order },
    { weight: 3, arbitrary: lose(hangs ? MODES : QUICK) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('later' as const), moments: fc.integer({ min: 1, max: 3 }) }) },
    {
      weight: 2,
      arbitrary: fc.oneof(
        of('visit'),
        of('erase'),
        of('look'),
        of('late'),
        of('at once'),
        of('device'),
        of('old tab'),
        of('old price'),
        reading,
      ),
    },
  )
const after = (hangs: boolean) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('later' as const), moments: fc.integer({ min: 1, max: 3 }) }) },
    {
      weight: 4,
      arbitrary: fc.oneof(
        of('look'),
        of('cancel'),
        of('keep'),
        of('cancel'),
        of('new card'),
        of('pay owed'),
        of('leave'),
        of('come back'),
        of('correct'),
      ),
    },
    {
      weight: 3,
      arbitrary: fc.oneof(
        of('withdraw'),
        of('withdraw by form'),
        of('money back'),
        of('approve'),
        of('approve'),
        of('decline'),
        of('erase'),
      ),
    },
    {
      weight: 3,
      arbitrary: fc.oneof(
        fc.record({ do: fc.constant('add' as const), product: addOn, way: fc.constantFrom('card', 'card', 'paypal') }),
        fc.record({ do: fc.constant('undo' as const), product: addOn }),
      ),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('desk' as const), what: fc.constantFrom(...DESK) }) },
    { weight: 2, arbitrary: lose(hangs ? MODES : QUICK) },
    { weight: 2, arbitrary: of('at once') },
    { weight: 1, arbitrary: fc.oneof(order, order, reading, of('device'), of('old tab'), of('visit')) },
  )

/** Sequences: some to-and-fro before the purchase, then what may follow one. `hangs`: answers may also take 9 s. */
export const sequences = (hangs: boolean): fc.Arbitrary<Step[]> =>
  fc
    .tuple(
      fc.array(before(hangs), { maxLength: 6, size: 'max' }),
      order,
      fc.array(after(hangs), { maxLength: 14, size: 'max' }),
    )
    .map(
      ([one, two, three]) => [...one, two, ...three] as Step[],
      (all) => {
        if (!Array.isArray(all) || all.length === 0) throw new Error('no sequence')
        const list = all as Step[]
        const at = list.findLastIndex((step) => step.do === 'order')
        return [list.slice(0, Math.max(at, 0)), list[Math.max(at, 0)], list.slice(at + 1)] as never
      },
    )

/** Steps that may happen at the same moment as another one. */
const BESIDE = new Set<Step['do']>([
  'order',
  'old tab',
  'add',
  'undo',
  'look',
  'cancel',
  'withdraw',
  'withdraw by form',
  'leave',
  'keep',
  'come back',
  'money back',
  'approve',
  'decline',
  'new card',
  'pay owed',
  'erase',
  'desk',
  'correct',
])
/**
 * A form sent while its address is being corrected names the one or the other: from outside it cannot be known which.
 */
const BY_ADDRESS = new Set<Step['do']>(['leave', 'withdraw by form', 'erase'])
/** Wishes that contradict each other: which one the service heard last, nobody outside can say. */
const AWAY = new Set<Step['do']>(['cancel', 'withdraw', 'withdraw by form', 'leave'])
const BACK = new Set<Step['do']>(['keep', 'come back'])

/** Whether two steps can be taken at once. */
export const goTogether = (one: Step, two: Step): boolean =>
  BESIDE.has(one.do) &&
  BESIDE.has(two.do) &&
  !(AWAY.has(one.do) && BACK.has(two.do)) &&
  !(BACK.has(one.do) && AWAY.has(two.do)) &&
  !(one.do === 'correct' && BY_ADDRESS.has(two.do)) &&
  !(BY_ADDRESS.has(one.do) && two.do === 'correct')

/** A sequence on one line. */
export function spell(steps: readonly Step[]): string {
  return steps
    .map((step) => {
      const { do: name, ...rest } = step
      const words = Object.values(rest).filter((value) => value !== 'card' && value !== 'good')
      return words.length ? `${name} ${words.join(' ')}` : name
    })
    .join(' → ')
}
