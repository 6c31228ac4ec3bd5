/**
 * The transformations of Sanity's image pipeline that `@sanity/image-url` requests
 * (https://www.sanity.io/docs/apis-and-sdks/image-urls), made by sharp and cached on disk under a hash of the request.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { MAX_PIXELS } from './assets.ts'
import { cached, keep } from './image-cache.ts'
import type { Format, Rect, Transformation } from './image-request.ts'
import { mediaType } from './media.ts'

/** The transformed image, from the cache when it was made before. `accept` matters with auto=format only. */
export async function transformed(
  original: string,
  extension: string,
  wanted: Transformation,
  accept: string,
  cache: string,
): Promise<{ bytes: Buffer; type: string; varies: boolean }> {
  const format = outputFormat(extension, wanted, accept)
  const name = createHash('sha256')
    .update(JSON.stringify([original, wanted, format]))
    .digest('hex')
  const ending = format === 'pjpg' ? 'jpg' : format
  const path = join(cache, name.slice(0, 2), `${name}.${ending}`)
  const type = mediaType(ending)
  const kept = await cached(path)
  if (kept) return { bytes: kept, type, varies: wanted.auto }
  const bytes = await limited(() => render(original, wanted, format))
  await keep(cache, path, bytes)
  return { bytes, type, varies: wanted.auto }
}

function outputFormat(extension: string, { format, auto }: Transformation, accept: string): Format | 'gif' {
  if (auto && /image\/avif/.test(accept)) return 'avif'
  if (auto && /image\/webp/.test(accept)) return 'webp'
  if (format) return format
  if (extension === 'gif' || extension === 'png' || extension === 'webp' || extension === 'avif') return extension
  return extension === 'svg' ? 'png' : 'jpg'
}

async function render(original: string, wanted: Transformation, format: Format | 'gif'): Promise<Buffer> {
  // rotate() turns a phone's picture upright before anything is measured.
  const upright = await sharp(original, { limitInputPixels: MAX_PIXELS }).rotate().toBuffer({ resolveWithObject: true })
  const box = within(wanted.rect, upright.info.width, upright.info.height)
  let image: Sharp = sharp(upright.data, { limitInputPixels: MAX_PIXELS }).extract(box)
  if (format === 'json')
    return Buffer.from(
      JSON.stringify({ 'Content-Type': 'application/json', PixelWidth: box.width, PixelHeight: box.height }),
    )
  image = resize(image, box, wanted)
  if (wanted.orientation || wanted.flip) {
    image = sharp(await image.png().toBuffer()).rotate(wanted.orientation)
    if (wanted.flip.includes('h')) image = image.flop()
    if (wanted.flip.includes('v')) image = image.flip()
  }
  if (wanted.blur > 0) image = image.blur(Math.max(0.3, wanted.blur / 20))
  if (wanted.sharpen > 0) image = image.sharpen({ sigma: 1, m1: wanted.sharpen / 25, m2: wanted.sharpen / 12 })
  if (wanted.invert) image = image.negate({ alpha: false })
  if (wanted.saturation !== null) image = image.modulate({ saturation: Math.max(0.0001, 1 + wanted.saturation / 100) })
  const background = wanted.background
    ? `#${wanted.background}`
    : format === 'jpg' || format === 'pjpg'
      ? '#ffffff'
      : null
  if (wanted.pad > 0) {
    const { pad } = wanted
    image = image.extend({
      top: pad,
      bottom: pad,
      left: pad,
      right: pad,
      background: background ?? { r: 0, g: 0, b: 0, alpha: 0 },
    })
  }
  if (background) image = sharp(await image.png().toBuffer()).flatten({ background })
  return encode(image, format, wanted.quality).toBuffer()
}

function within(rect: Rect | null, width: number, height: number): Rect {
  if (!rect) return { left: 0, top: 0, width, height }
  const left = Math.min(rect.left, width - 1)
  const top = Math.min(rect.top, height - 1)
  return {
    left,
    top,
    width: Math.max(1, Math.min(rect.width || width, width - left)),
    height: Math.max(1, Math.min(rect.height || height, height - top)),
  }
}

function resize(image: Sharp, box: Rect, wanted: Transformation): Sharp {
  const { width, height, fit } = wanted
  if (width === null && height === null) return image
  const size = { ...(width === null ? {} : { width }), ...(height === null ? {} : { height }) }
  const background = wanted.background ? `#${wanted.background}` : { r: 255, g: 255, b: 255, alpha: 1 }
  if (width === null || height === null)
    return image.resize({ ...size, withoutEnlargement: fit === 'max' || fit === 'fillmax' })
  switch (fit) {
    case 'clip':
      return image.resize({ ...size, fit: 'inside' })
    case 'max':
      return image.resize({ ...size, fit: 'inside', withoutEnlargement: true })
    case 'fill':
      return image.resize({ ...size, fit: 'contain', background })
    case 'fillmax': {
      const scale = Math.min(1, width / box.width, height / box.height)
      const w = Math.max(1, Math.round(box.width * scale))
      const h = Math.max(1, Math.round(box.height * scale))
      const [x, y] = [width - w, height - h]
      return image
        .resize(w, h, { fit: 'fill' })
        .extend({ left: x >> 1, right: x - (x >> 1), top: y >> 1, bottom: y - (y >> 1), background })
    }
    case 'scale':
      return image.resize({ ...size, fit: 'fill' })
    case 'min': {
      // Like crop, but never enlarged: the asked proportions at the largest size the original has.
      const shrink = Math.min(1, box.width / width, box.height / height)
      return cropped(
        image,
        box,
        wanted,
        Math.max(1, Math.round(width * shrink)),
        Math.max(1, Math.round(height * shrink)),
      )
    }
    case 'crop':
      return cropped(image, box, wanted, width, height)
  }
}

function cropped(image: Sharp, box: Rect, { crop, focal }: Transformation, width: number, height: number): Sharp {
  if (crop === 'entropy') return image.resize(width, height, { fit: 'cover', position: sharp.strategy.entropy })
  const scale = Math.max(width / box.width, height / box.height)
  const w = Math.max(width, Math.round(box.width * scale))
  const h = Math.max(height, Math.round(box.height * scale))
  const place = (room: number, size: number, at: number, low: string, high: string) => {
    const part = crop === 'focalpoint' ? null : crop.includes(low) ? 0 : crop.includes(high) ? 1 : 0.5
    const start = part === null ? at * (room + size) - size / 2 : part * room
    return Math.round(Math.min(Math.max(0, start), room))
  }
  const left = place(w - width, width, focal.x, 'left', 'right')
  const top = place(h - height, height, focal.y, 'top', 'bottom')
  return image.resize(w, h, { fit: 'fill' }).extract({ left, top, width, height })
}

function encode(image: Sharp, format: Format | 'gif', quality: number): Sharp {
  switch (format) {
    case 'jpg':
      return image.jpeg({ quality: Math.max(1, quality) })
    case 'pjpg':
      return image.jpeg({ quality: Math.max(1, quality), progressive: true })
    case 'png':
      return image.png()
    case 'webp':
      return image.webp({ quality: Math.max(1, quality) })
    case 'avif':
      // AVIF looks like JPEG 75 at about 50, and effort 2 keeps the first request short.
      return image.avif({ quality: Math.max(1, Math.round(quality * 0.7)), effort: 2 })
    case 'gif':
      return image.gif()
    case 'json':
      return image
  }
}

let running = 0
const queue: (() => void)[] = []
/** Renders at most three images at once: the lake shares its machine. */
async function limited<T>(work: () => Promise<T>): Promise<T> {
  if (running >= 3) await new Promise<void>((next) => queue.push(next))
  else running++
  try {
    return await work()
  } finally {
    const next = queue.shift()
    if (next) next()
    else running--
  }
}
