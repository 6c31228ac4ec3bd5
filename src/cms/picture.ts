import { createImageUrlBuilder } from '@sanity/image-url'
import type { Pictures } from '../../contract/content.ts'
import type { ContentAddress } from './connection.ts'

/** Formats that a build reads as they are. */
const READ = /^(jpe?g|png|webp)$/
/** Those of cameras and scanners, which would be many times as large as a PNG. */
const PHOTOGRAPHS = /^(heic|heif|tiff?)$/
const ASSET_ID = /^image-[A-Za-z0-9]+-(\d+)x(\d+)-([a-z]+)$/

/**
 * Image field → address and size in pixels after the editor's crop. Undefined when the asset id is not a Sanity image.
 * The page may add sizes and formats to `url` (`?w=…&fm=webp`), as @sanity/image-url does.
 */
export function pictures({ projectId, dataset, apiHost }: ContentAddress): Pictures {
  // a build may use a constant host name for the lake's pictures (src/site/steady-pictures.ts)
  const host = apiHost === null ? undefined : (process.env['PICTURE_HOST'] ?? apiHost)
  const builder = createImageUrlBuilder({ projectId, dataset, ...(host === undefined ? {} : { baseUrl: host }) })
  return (image) => {
    const [, width, height, format] = ASSET_ID.exec(image.asset._ref) ?? []
    if (width === undefined || height === undefined || format === undefined) return undefined
    const crop = image.crop ?? { left: 0, right: 0, top: 0, bottom: 0 }
    const source = {
      asset: image.asset,
      ...(image.crop ? { crop: image.crop } : {}),
      ...(image.hotspot ? { hotspot: image.hotspot } : {}),
    }
    const picture = builder.image(source)
    return {
      // a build takes no SVG, reads no HEIC and stacks the frames of a GIF: the lake makes one still picture of these,
      // and crops an SVG only then
      url: (READ.test(format) ? picture : picture.format(PHOTOGRAPHS.test(format) ? 'jpg' : 'png')).url(),
      width: Math.round(Number(width) * (1 - crop.left - crop.right)),
      height: Math.round(Number(height) * (1 - crop.top - crop.bottom)),
      alt: image.alt?.trim() ?? '',
    }
  }
}
