import { createHash } from 'node:crypto'
import sharp from 'sharp'
import type { Picture } from '../../contract/content.ts'

/**
 * The pictures that networks show beside a shared link (Open Graph), 1200 × 630, drawn when the site is built. They
 * contain no text: the build machine may have no fonts, and every network prints the page's title beside the picture.
 */
const WIDTH = 1200
const HEIGHT = 630

/** The address of an article's picture; articles with one cover share it. Without a cover: the site's own. */
export function coverPicture(cover: Pick<Picture, 'url'> | null): `/${string}` {
  return cover ? `/og/${coverName(cover)}.jpg` : '/og.png'
}

export function coverName({ url }: Pick<Picture, 'url'>): string {
  // without the host, so that a build says the same wherever the content is read from
  return createHash('sha256')
    .update(new URL(url).pathname + new URL(url).search)
    .digest('hex')
    .slice(0, 16)
}

const mark = `
  <rect x="520" y="235" width="160" height="160" rx="40" fill="#fff"/>
  <rect x="530" y="245" width="140" height="140" rx="32" fill="#1A75FF"/>
  <path fill="#fff" d="M546 315C564 284 582 275 600 275S636 284 654 315C636 346 618 355 600 355S564 346 546 315Z"/>
  <circle cx="600" cy="315" r="26" fill="#0B1B33"/>
  <circle cx="609" cy="306" r="9" fill="#FFB454"/>`
const svg = (inside: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" ` +
      `height="${HEIGHT}">${inside}</svg>`,
  )

/** The cover of an article under the mark. Rejects when `cover` is not a picture. */
export function drawCover(cover: Uint8Array): Promise<Buffer> {
  return (
    sharp(cover)
      .autoOrient()
      // a JPEG has no transparent ground: it would be black
      .flatten({ background: '#fff' })
      .resize(WIDTH, HEIGHT, { fit: 'cover' })
      .composite([{ input: svg(`<g transform="translate(-480 195)">${mark}</g>`) }])
      .jpeg({ quality: 82, mozjpeg: true })
      .toBuffer()
  )
}

/** The mark on quiet sheets of paper: legal texts. */
export function drawLegal(): Promise<Buffer> {
  const lines = [150, 190, 230, 400, 440, 480].map(
    (y, index) =>
      `<rect x="420" y="${y}" width="${[360, 320, 350, 340, 360, 220][index]}" height="14" rx="7" fill="#DCE5F2"/>`,
  )
  const sheets = `
    <rect width="1200" height="630" fill="#EAF2FF"/>
    <circle cx="1040" cy="90" r="190" fill="#DCE9FF"/><circle cx="120" cy="600" r="230" fill="#DCE9FF"/>
    <rect x="390" y="76" width="420" height="560" rx="20" fill="#CFE0FB" transform="rotate(-5 600 350)"/>
    <rect x="380" y="86" width="440" height="580" rx="20" fill="#fff"/>`
  return sharp(svg(`${sheets}${lines.join('')}${mark}`))
    .jpeg({ quality: 85, mozjpeg: true })
    .toBuffer()
}
