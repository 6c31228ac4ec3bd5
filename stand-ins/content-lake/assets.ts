/**
 * Images and files: the bytes under their SHA-1 in the dataset's folder, and the asset documents that describe them.
 */
import { createHash } from 'node:crypto'
import { mkdir, open, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Json } from './documents.ts'
import { apiError } from './errors.ts'
import { extensionOf, mediaType } from './media.ts'

export type AssetKind = 'image' | 'file'
export type AssetPlace = { projectId: string; dataset: string; folder: string }
/** What an uploader may say about an asset (query parameters of the upload). */
export type AssetNotes = {
  filename?: string | undefined
  contentType?: string | undefined
  label?: string | undefined
  title?: string | undefined
  description?: string | undefined
  creditLine?: string | undefined
  source?: { id: string; name: string; url?: string } | undefined
}

// An image of more than 100 megapixels is rejected before it is decoded.
export const MAX_PIXELS = 100_000_000
const FORMATS: Record<string, string> = { jpeg: 'jpg', heif: 'avif' }

/**
 * Stores the bytes (once per content) and returns the asset document to create. Throws 400 for anything but an image.
 */
export async function storeAsset(
  place: AssetPlace,
  kind: AssetKind,
  bytes: Buffer,
  notes: AssetNotes,
): Promise<Json & { _id: string }> {
  if (bytes.length === 0) throw apiError(400, 'validationError', 'The file is empty')
  const sha1 = createHash('sha1').update(bytes).digest('hex')
  const image = kind === 'image' ? await describeImage(bytes) : null
  const extension = image?.extension ?? extensionOf(notes.filename ?? '', notes.contentType)
  const size = image ? `-${image.width}x${image.height}` : ''
  const file = `${sha1}${size}.${extension}`
  await writeOnce(join(place.folder, `${kind}s`), file, bytes)
  const given = Object.fromEntries(
    Object.entries({
      label: notes.label,
      title: notes.title,
      description: notes.description,
      creditLine: notes.creditLine,
      source: notes.source,
    }).filter(([, value]) => value !== undefined),
  )
  return {
    _id: `${kind}-${sha1}${size}-${extension}`,
    _type: kind === 'image' ? 'sanity.imageAsset' : 'sanity.fileAsset',
    ...given,
    assetId: sha1,
    extension,
    mimeType: mediaType(extension),
    originalFilename: notes.filename || file,
    path: `${kind}s/${place.projectId}/${place.dataset}/${file}`,
    sha1hash: sha1,
    size: bytes.length,
    uploadId: sha1.slice(0, 32),
    url: '',
    ...(image ? { metadata: image.metadata } : {}),
  }
}

async function describeImage(bytes: Buffer) {
  try {
    const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS, animated: false })
    const meta = await picture.metadata()
    // Phones store rotated images: Sanity's dimensions are those of the upright one.
    const turned = (meta.orientation ?? 1) >= 5
    const width = Math.round(turned ? meta.height : meta.width)
    const height = Math.round(turned ? meta.width : meta.height)
    const extension = FORMATS[meta.format] ?? meta.format
    const { dominant, isOpaque } = await picture
      .clone()
      .resize(200, 200, { fit: 'inside', withoutEnlargement: true })
      .stats()
    const { r, g, b } = dominant
    const background = `#${[r, g, b].map((value) => value.toString(16).padStart(2, '0')).join('')}`
    const light = 0.299 * dominant.r + 0.587 * dominant.g + 0.114 * dominant.b > 140
    const tiny = sharp(bytes, { limitInputPixels: MAX_PIXELS }).rotate().resize(20, 20, { fit: 'inside' })
    const lqip = isOpaque
      ? `data:image/jpeg;base64,${(await tiny.jpeg({ quality: 60 }).toBuffer()).toString('base64')}`
      : `data:image/png;base64,${(await tiny.png().toBuffer()).toString('base64')}`
    const swatch = {
      _type: 'sanity.imagePaletteSwatch',
      background,
      foreground: light ? '#000' : '#fff',
      title: light ? '#000' : '#fff',
      population: 1,
    }
    const metadata = {
      _type: 'sanity.imageMetadata',
      dimensions: { _type: 'sanity.imageDimensions', width, height, aspectRatio: width / height },
      hasAlpha: meta.hasAlpha ?? false,
      isOpaque,
      lqip,
      palette: { _type: 'sanity.imagePalette', dominant: swatch },
    }
    return { width, height, extension, metadata }
  } catch (cause) {
    throw apiError(400, 'validationError', `Invalid image: ${(cause as Error).message.split('\n')[0]}`)
  }
}

/** Writes under a temporary name first: a crash never leaves a partial file under the final one. */
async function writeOnce(folder: string, file: string, bytes: Buffer): Promise<void> {
  const path = join(folder, file)
  if ((await stat(path).catch(() => null))?.size === bytes.length) return
  await mkdir(folder, { recursive: true })
  const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`
  const handle = await open(temporary, 'w')
  await handle.writeFile(bytes)
  await handle.sync()
  await handle.close()
  await rename(temporary, path)
}
