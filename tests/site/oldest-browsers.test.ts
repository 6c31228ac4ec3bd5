/** What a visitor's browser has to know, against the oldest ones that the product promises. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { afterAll, describe, expect, test } from 'vitest'
import { BUILD_TARGETS } from '../../src/site/oldest-browsers.ts'
import { browserFiles, usesOf } from '../support/browser-apis.ts'
import { builtFolder, filesOf } from './built.ts'

describe('source', () => {
  const own = mkdtempSync(join(tmpdir(), 'eye-oldest-'))
  afterAll(() => rmSync(own, { recursive: true }))

  test('what a browser of the list lacks is found, unless the script asks for it first', () => {
    const file = join(own, 'late.ts')
    writeFileSync(
      file,
      `export const late = [AbortSignal.timeout(1), [1].toSorted(), document.adoptedStyleSheets, new CSSStyleSheet()]
      export const asked = [document.body.hidePopover?.(), navigator.wakeLock?.request('screen')]
      if ('mediaSession' in navigator) navigator.mediaSession.metadata = new MediaMetadata()
      export const old = [[1].at(0), document.body.closest('p'), structuredClone(1)]`,
    )
    const found = usesOf([file])
    expect(found.filter(({ lacking }) => lacking.length > 0).map(({ what }) => what)).toEqual([
      'AbortSignal.timeout',
      'Array.toSorted',
      'Document.adoptedStyleSheets',
      'CSSStyleSheet.CSSStyleSheet',
    ])
    expect(found.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['Array.at', 'Element.closest', 'structuredClone']),
    )
  })

  test('no script of the site calls for anything that a browser of the list lacks', () => {
    const uses = usesOf(browserFiles())
    expect(uses.filter(({ lacking }) => lacking.length > 0)).toEqual([])
    expect(new Set(uses.map(({ what }) => what)).size).toBeGreaterThan(200)
  })
})

/** esbuild leaves no `\p{…}` where a browser knows fewer names than Unicode has by now. */
const supported = { 'regexp-unicode-property-escapes': true }

const folder = builtFolder()
describe.skipIf(!folder)('built files', () => {
  const files = folder ? filesOf(folder) : []

  test('no script has syntax that a browser of the list does not know', async () => {
    const scripts = files.filter((file) => file.endsWith('.js'))
    expect(scripts.length).toBeGreaterThan(50)
    const newer = await Promise.all(
      scripts.map(async (file) => {
        const code = readFileSync(file, 'utf8')
        const [lowered, asItIs] = await Promise.all(
          [BUILD_TARGETS, 'esnext'].map((target) => transform(code, { target, supported, minify: true })),
        )
        return lowered?.code === asItIs?.code ? [] : [file]
      }),
    )
    expect(newer.flat()).toEqual([])
  })

  test('G-01 no words that a style adds are lost where it cannot say what is read aloud (Safari before 17.4)', () => {
    const sheets = files.filter((file) => /\.(html|css)$/.test(file)).map((file) => readFileSync(file, 'utf8'))
    // the same property before it, without what is read
    const lost = /[{;]content:\s*("[^"]*"|'[^']*'|[^;}"']*)\s*\//g
    const all = sheets.flatMap((text) => [...text.matchAll(lost)].map(({ index, 0: rule }) => ({ text, index, rule })))
    expect(all.length).toBeGreaterThan(0)
    const alone = all.filter(({ text, index }) => !/content:[^;{}]+$/.test(text.slice(Math.max(0, index - 40), index)))
    expect(alone.map(({ rule }) => rule)).toEqual([])
  })

  test('no style sheet asks for a width by comparison, which drops the whole rule before Safari 16.4', () => {
    const sheets = files.filter((file) => /\.(html|css)$/.test(file)).map((file) => readFileSync(file, 'utf8'))
    expect(sheets.filter((text) => text.includes('@media')).length).toBeGreaterThan(10)
    expect(sheets.flatMap((text) => text.match(/@media[^{]*\((width|height)\s*[<>=][^{]*/g) ?? [])).toEqual([])
  })
})
