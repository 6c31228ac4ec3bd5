/**
 * What an article costs a phone: HTML with its styles, and every script that loads without a
 * press, compressed as served.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { builtFolder, pagesOf } from './built.ts'

const BUDGET = 15 * 1024
const folder = builtFolder()

const brotli = (text: string | Buffer) =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length

/** The scripts of a page and their static imports. */
function scriptsOf(html: string, place: string): string[] {
  const waiting = [...html.matchAll(/<script[^>]*\ssrc="([^"]+)"/g)].map(([, src = '']) => src)
  const found = new Set<string>()
  for (let src = waiting.pop(); src; src = waiting.pop()) {
    if (found.has(src)) continue
    found.add(src)
    const text = readFileSync(join(place, src), 'utf8')
    for (const [, file = ''] of text.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+)"/g)) waiting.push(`/_astro/${file}`)
  }
  return [...found]
}

describe.skipIf(!folder)(`the weight of an article${folder ? '' : ' (skipped: nothing is built)'}`, () => {
  const place = folder ?? ''
  const articles = folder ? pagesOf(folder).filter(({ html }) => html.includes('data-article=')) : []

  test('V-01 V-03 HTML, CSS and JavaScript of every article stay within 15 KB', () => {
    expect(articles.length).toBeGreaterThanOrEqual(2)
    for (const { shell, html } of articles) {
      // nothing else blocks rendering: styles are inline
      expect(html).not.toMatch(/<link[^>]*rel="stylesheet"/)
      const scripts = scriptsOf(html, place)
      const bytes = [html, ...scripts.map((src) => readFileSync(join(place, src)))].reduce(
        (sum, text) => sum + brotli(text),
        0,
      )
      expect(bytes, `/${shell}: ${bytes} bytes`).toBeLessThanOrEqual(BUDGET)
    }
  })

  test('V-01 an article brings its own pictures, in modern formats and several sizes', () => {
    for (const { shell, html } of articles) {
      expect(html, shell).toMatch(/type="image\/avif"/)
      for (const [, src = ''] of html.matchAll(/<img[^>]*\ssrc="([^"]+)"/g)) {
        expect(existsSync(join(place, src)), `${shell}: ${src}`).toBe(true)
      }
      for (const [tag] of html.matchAll(/<img[^>]*>/g))
        expect(tag, shell).toMatch(
          / width="\d+" height="\d+"|height="\d+"[^>]*width="\d+"|width="\d+"[^>]*height="\d+"/,
        )
    }
  })
})
