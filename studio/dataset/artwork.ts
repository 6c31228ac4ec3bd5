import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

/**
 * Draws the sample content's pictures: artwork/*.svg → assets/*.webp, at the size the drawing names. Run once after a
 * drawing was changed (`node studio/dataset/artwork.ts`); the results are committed, so nothing else needs it.
 */
const drawings = fileURLToPath(new URL('./artwork/', import.meta.url))
const assets = fileURLToPath(new URL('./assets/', import.meta.url))

for (const name of await readdir(drawings)) {
  const picture = `${assets}${name.replace(/\.svg$/, '.webp')}`
  const { width, height, size } = await sharp(drawings + name)
    .webp({ quality: 82, effort: 6 })
    .toFile(picture)
  console.log(`${picture} ${width}×${height}, ${Math.round(size / 1024)} KB`)
}
