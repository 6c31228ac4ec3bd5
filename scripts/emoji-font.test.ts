import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'opentype.js/dist/opentype.mjs'
import { decompress } from 'woff2-encoder'
import { expect, test } from 'vitest'
import { drawFont, drawnEmoji, emojiFont } from './emoji-font.ts'
import { root } from './settings.ts'

/** What a font shows, without the time of its making. */
function shown(font: ArrayBuffer) {
  const { glyphs, tables } = parse(font)
  const signs = Array.from({ length: glyphs.length }, (_, index) => glyphs.get(index))
  return {
    signs: signs.map(({ unicode, advanceWidth, path }) => ({ unicode, advanceWidth, path: path.commands })),
    colours: [tables['colr'], tables['cpal']],
  }
}

test('S-09 U-01 A-03 the font of emoji is that of its drawings: else run node scripts/emoji-font.ts', async () => {
  const kept = await decompress(readFileSync(emojiFont))
  expect(shown(new Uint8Array(kept).buffer)).toEqual(shown(drawFont()))
})

test('S-09 U-01 A-03 the pages fetch the font for every drawn emoji, and for no other sign', () => {
  const face = /'Drawn emoji';[^}]*unicode-range:([^;]*);/.exec(readFileSync(join(root, 'src/site/base.css'), 'utf8'))
  const range = (face?.[1] ?? '').split(',').map((code) => Number.parseInt(code.trim().slice(2), 16))
  expect(range.sort((one, other) => one - other)).toEqual([...drawnEmoji(), 0xfe0f].sort((one, other) => one - other))
})

test('S-09 U-01 A-03 every emoji of the texts that come with the product is drawn', () => {
  const folder = join(root, 'studio/dataset')
  const texts = [join(root, 'src/account/receipt.ts')]
    .concat(readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => /\.(ndjson|ts)$/.test(path))
    .map((path) => readFileSync(path, 'utf8'))
  // © and ™ are letters to a font
  const used = new Set(texts.join('').match(/(?![\u00a9\u00ae\u2122])\p{Extended_Pictographic}/gu) ?? [])
  expect([...used].map((sign) => sign.codePointAt(0)).sort((one, other) => one! - other!)).toEqual(drawnEmoji())
})
