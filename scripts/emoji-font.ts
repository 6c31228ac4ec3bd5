/**
 * The emoji of the text as a font of our own: `node scripts/emoji-font.ts` draws `src/art/emoji.woff2` anew from
 * `src/art/emoji/{code point}.svg` (paths alone, each one colour, on a grid of 32). `src/site/base.css` names its
 * signs.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Font, Glyph, Path } from 'opentype.js/dist/opentype.mjs'
import { compress } from 'woff2-encoder'
import { root } from './settings.ts'

const drawings = join(root, 'src/art/emoji')
export const emojiFont = join(root, 'src/art/emoji.woff2')

/** Whole units for a tenth of the grid. A sign is 1.2 em wide and is centred on a capital's height. */
const EM = 1100
const SCALE = 40
const MARGIN = 20
const MIDDLE = 25.6
const ADVANCE = 32 * SCALE + 2 * MARGIN
/** Asks for the sign in colour; shows nothing itself. */
const VARIATION_SELECTOR = 0xfe0f

/** The code points that are drawn, in order. */
export const drawnEmoji = (): number[] =>
  readdirSync(drawings)
    .map((name) => Number.parseInt(name, 16))
    .sort((one, other) => one - other)

function layersOf(code: number): { fill: string; path: Path }[] {
  const svg = readFileSync(join(drawings, `${code.toString(16)}.svg`), 'utf8')
  const paths = [...svg.matchAll(/<path fill="(#[0-9A-F]{6})" d="([^"]+)"\/>/g)]
  const tags = svg.match(/<[a-z]/g)?.length
  if (tags !== paths.length + 1) throw new Error(`${code.toString(16)}.svg: only <path fill="#RRGGBB" d="…"/> is drawn`)
  return paths.map(([, fill = '', d = '']) => ({
    fill,
    path: Path.fromSVG(d, { scale: SCALE, x: MARGIN, flipYBase: MIDDLE }),
  }))
}

/** COLR and CPAL, version 0: every browser draws it. Each colour of a sign is a glyph, laid on the ones before. */
export function drawFont(): ArrayBuffer {
  const codes = drawnEmoji()
  const empty = (name: string, advanceWidth: number, unicode?: number): Glyph =>
    new Glyph({ name, advanceWidth, path: new Path(), ...(unicode ? { unicode } : {}) })
  const glyphs = [empty('.notdef', ADVANCE), empty('selector', 0, VARIATION_SELECTOR)]
  const layers = codes.map((code) => layersOf(code))
  const first = glyphs.length
  // the sign's own outline, for what knows no colours, is that of all its layers
  codes.forEach((code, sign) => {
    const outline = new Path()
    for (const { path } of layers[sign] ?? []) outline.extend(path)
    glyphs.push(new Glyph({ name: `u${code.toString(16)}`, path: outline, advanceWidth: ADVANCE, unicode: code }))
  })
  const colours = [...new Set(layers.flat().map(({ fill }) => fill))]
  const baseGlyphRecords: object[] = []
  const layerRecords: object[] = []
  layers.forEach((own, sign) => {
    baseGlyphRecords.push({ glyphID: first + sign, firstLayerIndex: layerRecords.length, numLayers: own.length })
    for (const { fill, path } of own) {
      layerRecords.push({ glyphID: glyphs.length, paletteIndex: colours.indexOf(fill) })
      glyphs.push(new Glyph({ name: `layer${layerRecords.length}`, path, advanceWidth: ADVANCE }))
    }
  })
  const font = new Font({
    familyName: 'Eye funnel emoji',
    styleName: 'Regular',
    unitsPerEm: EM,
    ascender: 1045,
    descender: -275,
    createdTimestamp: 1,
    glyphs,
  })
  font.tables['colr'] = { version: 0, baseGlyphRecords, layerRecords }
  // blue, green, red, alpha
  const bgra = (fill: string) => Number.parseInt(`${fill.slice(5)}${fill.slice(3, 5)}${fill.slice(1, 3)}FF`, 16)
  font.tables['cpal'] = { version: 0, colorRecords: colours.map(bgra), colorRecordIndices: [0] }
  return font.toArrayBuffer()
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(emojiFont, await compress(drawFont()))
}
