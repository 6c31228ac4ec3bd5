import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GUIDE_IDS, product, type GuideId } from '../../contract/catalogue.ts'
import {
  afterPurchase,
  bundleSaving,
  charges,
  firstSelection,
  isBundleOffered,
  isBundlePicked,
  kept,
  ownedGuides,
  toggleBundle,
  toggleGuide,
  totalOf,
  type Selection,
} from './selection.ts'

type Step = GuideId | 'bundle'
const steps = fc.array(fc.constantFrom<Step>('bundle', ...GUIDE_IDS), { maxLength: 30 })
const owned = fc.subarray([...GUIDE_IDS])
const walk = (from: Selection, taken: readonly Step[]): Selection =>
  taken.reduce((now, step) => (step === 'bundle' ? toggleBundle(now) : toggleGuide(now, step)), from)

describe('the selection of add-ons', () => {
  test('H-05 U-08 what was taken back is not owned while its refund is under way', () => {
    const items = [
      { productId: 'trial_1', undoing: false },
      { productId: 'bundle', undoing: true },
      { productId: 'guide_habits', undoing: false },
    ] as const
    expect(ownedGuides(kept(items))).toEqual(['guide_habits'])
  })

  test('U-08 where a guide is owned there is no bundle to pick, and none that would save anything', () => {
    const some: Selection = { picked: ['guide_habits', 'guide_lighting'], owned: ['guide_devices'] }
    expect(isBundleOffered(some)).toBe(false)
    expect(toggleBundle(some)).toEqual(some)
    expect(bundleSaving({ picked: GUIDE_IDS.slice(1), owned: GUIDE_IDS.slice(0, 1) })).toBe(0)
    expect(bundleSaving(firstSelection([], false))).toBe(0)
  })

  test('U-09 a link that asks for no guide there is opens with everything', () => {
    for (const link of ['0', '1', '5', '22', '12', '0x2', '2.0', '3 ', 'x', '']) {
      expect(charges(firstSelection([], false, link)), link).toEqual(['bundle'])
    }
  })

  test('U-01 U-08 everything is pre-selected, as the bundle; nothing for a buyer who owns a guide already', () => {
    expect(charges(firstSelection([], false))).toEqual(['bundle'])
    expect(totalOf(firstSelection([], false))).toBe(2499)
    expect(charges(firstSelection(['guide_habits'], false))).toEqual([])
    expect(charges(firstSelection(['guide_habits'], false, '2'))).toEqual(['guide_devices'])
  })

  test('H-02 nothing is pre-selected where the law forbids it', () => {
    for (const link of [null, '1', '3']) expect(charges(firstSelection([], true, link))).toEqual([])
  })

  test('U-09 links pick the bundle or one of the first three guides', () => {
    expect(charges(firstSelection([], false, '1'))).toEqual(['bundle'])
    expect(charges(firstSelection([], false, '2'))).toEqual(['guide_devices'])
    expect(charges(firstSelection([], false, '4'))).toEqual(['guide_habits'])
    expect(charges(firstSelection([], false, '9'))).toEqual(['bundle'])
    expect(charges(firstSelection(['guide_habits'], false, '4'))).toEqual([])
  })

  test('U-02 whatever is clicked: the bundle is picked exactly when all five are, and is charged alone', () => {
    fc.assert(
      fc.property(steps, owned, fc.boolean(), (taken, has, strict) => {
        const end = walk(firstSelection(has, strict), taken)
        const all = GUIDE_IDS.every((id) => end.picked.includes(id))
        expect(isBundlePicked(end)).toBe(all && isBundleOffered(end))
        expect(charges(end)).toEqual(isBundlePicked(end) ? ['bundle'] : end.picked)
        expect(totalOf(end)).toBe(isBundlePicked(end) ? 2499 : end.picked.length * 1490)
      }),
    )
  })

  test('U-08 whatever is clicked: nothing owned is ever charged again', () => {
    fc.assert(
      fc.property(steps, owned, (taken, has) => {
        const end = walk(firstSelection(has, false), taken)
        const charged = charges(end)
        expect(charged.filter((id) => has.includes(id as GuideId))).toEqual([])
        if (has.length > 0) expect(charged).not.toContain('bundle')
      }),
    )
  })

  test('U-02 the bundle selects or clears all, taking one away clears the bundle, the fifth brings it back', () => {
    fc.assert(
      fc.property(steps, fc.constantFrom(...GUIDE_IDS), (taken, id) => {
        const start = walk(firstSelection([], false), taken)
        const toggled = toggleBundle(start)
        expect(toggled.picked).toHaveLength(isBundlePicked(start) ? 0 : 5)
        const full = firstSelection([], false)
        const less = toggleGuide(full, id)
        expect(isBundlePicked(less)).toBe(false)
        expect(less.picked).toHaveLength(4)
        expect(toggleGuide(less, id)).toEqual(full)
        expect(toggleGuide(toggleGuide(start, id), id)).toEqual(start)
      }),
    )
  })

  test('U-02 says when the bundle is cheaper than what is picked', () => {
    const two = walk(firstSelection([], true), ['guide_devices', 'guide_habits'])
    expect(bundleSaving(two)).toBe(2 * 1490 - product('bundle').price)
    expect(bundleSaving(walk(firstSelection([], true), ['guide_devices']))).toBe(0)
    expect(bundleSaving(firstSelection([], false))).toBe(0)
  })

  test('U-03 U-08 after a part was bought it is owned, the rest stays picked and the bundle is gone', () => {
    const four = toggleGuide(firstSelection([], false), 'guide_habits')
    fc.assert(
      fc.property(fc.subarray([...four.picked]), (bought) => {
        const rest = afterPurchase(four, bought)
        expect(rest.owned).toEqual(bought)
        expect([...rest.picked, ...rest.owned].sort()).toEqual([...four.picked].sort())
      }),
    )
    expect(ownedGuides(['bundle', 'trial_1'])).toEqual(GUIDE_IDS)
    expect(charges(afterPurchase(firstSelection([], false), ['bundle']))).toEqual([])
  })

  test('U-01 U-08 the bundle with a guide that is owned is not turned into the dearer rest of its guides', () => {
    expect(afterPurchase(firstSelection([], false), ['trial_1', 'guide_habits'])).toEqual({
      picked: [],
      owned: ['guide_habits'],
    })
  })
})
