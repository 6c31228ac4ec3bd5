/**
 * The weight of every page, against floors built here: `npm test` fails when one grows past it. What moves on them is a
 * journey's (nothing-moves), how soon they paint the bench's (whole).
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { builtFolder, pagesOf } from '../site/built.ts'
import { inlineScripts, islandFloor, pageOf, weigh } from './weights.ts'

const folder = builtFolder()
const dist = folder ?? ''
let floor = 0

beforeAll(async () => {
  floor = weigh(await islandFloor(), '').script
})

test('the floor is React and little else', () => {
  expect(floor).toBeGreaterThan(50_000)
  expect(floor).toBeLessThan(64_000)
})

describe.skipIf(!folder)(`page weight${folder ? '' : ' (skipped: nothing is built)'}`, () => {
  test('L-01 L-02 L-03 L-04 the landing page stays within 13 KB, its script within 2.5 KB', () => {
    const { total, script } = weigh(dist, '')
    expect(script).toBeGreaterThan(500)
    expect(script, `${script} bytes of script`).toBeLessThanOrEqual(2.5 * 1024)
    expect(total, `${total} bytes`).toBeLessThanOrEqual(13 * 1024)
  })

  test('L-01 V-01 no public page asks for a script before it has loaded', () => {
    const asking = pagesOf(dist).filter(({ html }) => /<script[^>]*\ssrc=/.test(html))
    expect(asking.map(({ shell }) => shell)).toEqual([])
  })

  test('S-00 S-01 the quiz needs at most 1.25 times the script of a bare React island for its first answer', () => {
    const { script } = weigh(dist, 'quiz')
    expect(script, `${script} bytes against ${floor}`).toBeLessThanOrEqual(1.25 * floor)
    // the first screen is readable before any of it
    const html = pageOf(dist, 'quiz')
    expect(html).toMatch(/<h1[^>]*>[^<]{10,}/)
    // and none of it is requested before that has been painted
    expect([...html.matchAll(/<astro-island[^>]*\sclient="([^"]+)"/g)].map(([, when]) => when)).toEqual(['painted'])
    expect(html).not.toMatch(/rel="(modulepreload|preload)"/)
    // with its 1.1 KB of headers the page fits into the first ten packets; anything beyond costs a round trip
    expect(weigh(dist, 'quiz').html).toBeLessThanOrEqual(13_400)
  })

  test('C-12 before its dialog the checkout needs at most 1.26 times the script of a bare React island', () => {
    const html = pageOf(dist, 'checkout')
    const { script } = weigh(dist, 'checkout')
    expect(inlineScripts(html).length).toBeGreaterThan(0)
    expect(script, `${script} bytes against ${floor}`).toBeLessThanOrEqual(1.26 * floor)
    // and is painted before it is started
    expect([...html.matchAll(/<astro-island[^>]*\sclient="([^"]+)"/g)].map(([, when]) => when)).toEqual(['painted'])
  })

  test.each([
    // shell, times the script of a bare React island
    ['special-offer-intro', 1.29],
    ['special-offer-details', 1.29],
    ['payment', 1.61],
    ['summary', 1.3],
    ['multi-upsell', 1.43],
    ['user-creation', 1.3],
    ['thank-you', 1.34],
    ['app', 1.45],
  ])('O-01 U-05 A-01 A-03 A-05 %s keeps its weight, and is painted before its script is asked for', (shell, times) => {
    const { html, script } = weigh(dist, shell)
    expect(script, `${script} bytes against ${floor}`).toBeLessThanOrEqual(times * floor)
    expect(html, `${html} bytes`).toBeLessThanOrEqual(10 * 1024)
    const page = pageOf(dist, shell)
    expect([...page.matchAll(/<astro-island[^>]*\sclient="([^"]+)"/g)].map(([, when]) => when)).toEqual(['painted'])
    // its frame and words are in the page, for as long as the rest is on its way
    expect(page).toMatch(/<header class="[^"]*site-header/)
    const words = /<astro-island[^>]*>([\s\S]*?)<\/astro-island>/.exec(page)?.[1]?.replace(/<[^>]*>/g, ' ')
    expect(words).toMatch(/\p{L}{3,}/u)
  })
})
