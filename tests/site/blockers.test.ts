/** Ad blockers hide elements by their names: EasyList took the label, the text and the way on out of each article. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { builtFolder, filesOf, pagesOf } from './built.ts'

const AS_AN_ADVERT = /^(ads?|adv|advert\w*|sponsor\w*|promo\w*|banner)([-_]|$)/i

/** Class names and ids in markup and in compiled JSX. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/\b(?:class|className|id)(?:=|:)["'`]([^"'`]+)["'`]/g)].flatMap(([, names = '']) =>
    names.split(/\s+/),
  )
}

const folder = builtFolder()

describe.skipIf(!folder)('the built site', () => {
  test('V-01 no element is named as an advertisement is', () => {
    const pages = folder ? pagesOf(folder).map(({ html }) => html) : []
    const scripts = folder ? filesOf(folder).filter((file) => file.endsWith('.js')) : []
    const names = new Set([...pages, ...scripts.map((file) => readFileSync(file, 'utf8'))].flatMap(namesIn))
    expect(names).toContain('story')
    expect(names).toContain('addon-head')
    expect([...names].filter((name) => AS_AN_ADVERT.test(name))).toEqual([])
  })
})
