import { expect, test } from 'vitest'
import { GUIDE_IDS } from '../../contract/catalogue.ts'
import { safeStore } from '../session/storage.ts'
import { cutShort, forgetPicks, ordering, readPicks, resumed, savePicks } from './picks.ts'
import { firstSelection, toggleGuide } from './selection.ts'
import { cutShortText, orderButton, orderTerms, progressText } from './upsell-text.ts'

const store = () => safeStore(() => undefined)

test('U-03 picks survive a reload of their own session, and nothing else does', () => {
  const kept = store()
  savePicks(kept, 's1', { picked: ['guide_habits'], ordering: null })
  expect(readPicks(kept, 's1')).toEqual({ picked: ['guide_habits'], ordering: null })
  expect(readPicks(kept, 's2')).toBeUndefined()
  for (const broken of ['{', '7', '{"sessionId":"s1","picked":"all","ordering":["trial_1"]}']) {
    kept.set('upsell_picks', broken)
    expect(readPicks(kept, 's1') ?? { picked: [], ordering: null }).toEqual({ picked: [], ordering: null })
  }
  savePicks(kept, 's1', { picked: [], ordering: ['bundle'] })
  expect(readPicks(kept, 's1')?.ordering).toEqual(['bundle'])
  forgetPicks(kept)
  expect(readPicks(kept, 's1')).toBeUndefined()
})

test('U-03 U-08 an order that was cut short says how far it came; what is owned is not picked again', () => {
  const all = firstSelection([], false)
  const five = ordering(all)
  expect(five.ordering).toEqual(['bundle'])
  expect(cutShort(five, { owned: [] })).toEqual({ done: 0, of: 1, left: ['bundle'] })
  expect(cutShort(five, { owned: GUIDE_IDS })).toBeNull()
  const four = ordering(toggleGuide(all, 'guide_habits'))
  const owned = ['guide_devices', 'guide_ergonomics'] as const
  const cut = cutShort(four, { owned })
  expect(cut).toEqual({ done: 2, of: 4, left: ['guide_lighting', 'guide_disorders'] })
  expect(cut && cutShortText(cut)).toBe('Your order was interrupted: 2 of 4 were added.')
  expect(resumed([...owned], four).picked).toEqual(['guide_lighting', 'guide_disorders'])
  expect(resumed([...owned], five), 'U-01: the rest of the bundle costs more').toEqual({ picked: [], owned })
  expect(cutShort({ ...four, ordering: null }, { owned: [] })).toBeNull()
})

test('U-05 H-02 the button carries the amount, and the duty to pay where the law asks for it', () => {
  expect(orderButton('Add to my order', 2499, false)).toBe('Add to my order · $24.99')
  expect(orderButton('Add to my order', 2980, true)).toBe('Order with obligation to pay $29.80')
  expect(orderButton('Add to my order', 0, true)).toBe('Add to my order')
  expect(progressText(2, 5)).toBe('Adding 2 of 5')
  const card = { type: 'card', brand: 'visa', last4: '4242', expires: '12/34' } as const
  const saved = { oneClick: true, paidWith: card, methodName: 'Visa ending in 4242' } as const
  expect(orderTerms(['guide_devices', 'guide_habits'], saved)).toBe(
    '$29.80 is charged now, once, in 2 payments, to Visa ending in 4242. No subscription.',
  )
  expect(orderTerms(['bundle'], null)).toBe(
    '$24.99 is charged now, once, to your saved payment method. No subscription.',
  )
  expect(orderTerms(['bundle'], { ...saved, oneClick: false })).toContain('You choose how to pay in the next step')
})
