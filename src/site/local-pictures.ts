import { getImage } from 'astro:assets'
import type { Picture } from '../../contract/content.ts'

/**
 * Content with every picture copied into the build as WebP, at most `widest` pixels wide: for pictures inside islands,
 * which receive addresses and cannot render an <Image>. No page requests another origin. (In .astro files:
 * LocalPicture.astro.)
 */
export async function withLocalPictures<T>(content: T, widest: number): Promise<T> {
  if (content === null || typeof content !== 'object') return content
  if (isPicture(content)) return (await localCopy(content, widest)) as T & Picture
  if (Array.isArray(content))
    return (await Promise.all(content.map((one: unknown) => withLocalPictures(one, widest)))) as T
  const entries = Object.entries(content).map(async ([key, value]) => [
    key,
    await withLocalPictures(value as unknown, widest),
  ])
  return Object.fromEntries((await Promise.all(entries)) as [string, unknown][]) as T
}

function isPicture(value: object): value is Picture {
  return 'url' in value && 'alt' in value && 'width' in value && 'height' in value
}

async function localCopy(picture: Picture, widest: number): Promise<Picture> {
  const width = Math.min(widest, picture.width)
  const height = Math.round((picture.height * width) / picture.width)
  const { src } = await getImage({ src: picture.url, width, height, format: 'webp' })
  return { ...picture, url: src, width, height }
}
