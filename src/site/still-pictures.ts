import service from 'astro/assets/services/sharp'
import sharp from 'sharp'

/**
 * Astro's own image service, which reads every frame of an animated WebP: its AVIF would be a strip of all of them. The
 * id of a picture at the lake does not say that it moves, so that src/cms/picture.ts cannot ask for a still one.
 */
export default {
  ...service,
  transform: async (input, ...rest) => service.transform(await still(input), ...rest),
} satisfies typeof service

/** The first frame of an animated WebP; any other picture as it is. */
export async function still(picture: Uint8Array): Promise<Uint8Array> {
  return isAnimatedWebp(Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength))
    ? sharp(picture).webp({ lossless: true }).toBuffer()
    : picture
}

/** The second bit of the extended header says so. */
const isAnimatedWebp = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 4) === 'RIFF' &&
  bytes.toString('latin1', 8, 16) === 'WEBPVP8X' &&
  ((bytes[20] ?? 0) & 2) !== 0
