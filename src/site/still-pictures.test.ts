import sharp from 'sharp'
import { expect, test } from 'vitest'
import { still } from './still-pictures.ts'

const frame = (background: string) => ({ create: { width: 8, height: 6, channels: 3 as const, background } })
const red = () => sharp(frame('#f00')).png().toBuffer()
const blue = () => sharp(frame('#00f')).png().toBuffer()

test('K-01 K-06 of an animated WebP a build shows the first frame, as it does of a GIF', async () => {
  const animated = await sharp([await red(), await blue()], { join: { animated: true } })
    .webp()
    .toBuffer()
  expect((await sharp(animated, { pages: -1 }).metadata()).pages).toBe(2)
  const picture = await still(animated)
  // as Astro reads it
  const read = sharp(picture, { pages: -1 })
  expect(await read.metadata()).toMatchObject({ format: 'webp', width: 8, height: 6 })
  const { dominant } = await read.stats()
  expect(dominant.r).toBeGreaterThan(dominant.b)
})

test.each(['webp', 'jpeg', 'png'] as const)(
  'K-01 K-06 a still picture stays as it was uploaded: %s',
  async (format) => {
    const uploaded = await sharp(await red())
      .toFormat(format)
      .toBuffer()
    expect(await still(uploaded)).toBe(uploaded)
  },
)
