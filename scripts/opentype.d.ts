/** The part of opentype.js that is used (scripts/emoji-font.ts); published types are those of version 1. */
declare module 'opentype.js/dist/opentype.mjs' {
  export class Path {
    commands: unknown[]
    extend(other: Path): void
    static fromSVG(data: string, options?: { scale?: number; flipYBase?: number; x?: number }): Path
  }
  export class Glyph {
    constructor(options: { name: string; path: Path; advanceWidth: number; unicode?: number; unicodes?: number[] })
  }
  export class Font {
    constructor(options: {
      familyName: string
      styleName: string
      unitsPerEm: number
      ascender: number
      descender: number
      createdTimestamp: number
      glyphs: Glyph[]
    })
    tables: Record<string, object>
    glyphs: { length: number; get(index: number): { unicode?: number; advanceWidth: number; path: Path } }
    toArrayBuffer(): ArrayBuffer
  }
  export function parse(font: ArrayBuffer): Font
}
