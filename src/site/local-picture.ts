import { getImage } from 'astro:assets'
import type { Picture } from '../../contract/content.ts'

/**
 * The files of a picture in the build: every size in both formats, and the one for browsers that know neither srcset.
 */
export interface PictureFiles {
  avif: string
  webp: string
  src: string
}

const known = new Map<string, Promise<PictureFiles>>()

/** Made once per picture and its sizes, however many pages show it: thousands of articles share a few (V-03). */
export function pictureFiles({ url, width, height }: Picture, widths: readonly number[]): Promise<PictureFiles> {
  const fitting = widths.filter((one) => one <= width)
  const key = `${url} ${width}x${height} ${fitting.join()}`
  const files = known.get(key) ?? make({ src: url, width, height, widths: fitting })
  known.set(key, files)
  // the page that asked gets the error, and the next one tries again
  files.catch(() => known.delete(key))
  return files
}

async function make(options: { src: string; width: number; height: number; widths: number[] }): Promise<PictureFiles> {
  const [avif, webp] = await Promise.all([
    getImage({ ...options, format: 'avif' }),
    getImage({ ...options, format: 'webp' }),
  ])
  return { avif: avif.srcSet.attribute || avif.src, webp: webp.srcSet.attribute, src: webp.src }
}
