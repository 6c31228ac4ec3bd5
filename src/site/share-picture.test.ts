import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawCover } from './share-picture.ts'

test('V-03 a cover without a ground of its own is shared on white, not on black', async () => {
  const background = { r: 0, g: 0, b: 0, alpha: 0 }
  const cover = await sharp({ create: { width: 60, height: 40, channels: 4, background } })
    .png()
    .toBuffer()
  const corner = { left: 1100, top: 20, width: 8, height: 8 }
  const { dominant } = await sharp(
    await sharp(await drawCover(cover))
      .extract(corner)
      .toBuffer(),
  ).stats()
  expect(Math.min(dominant.r, dominant.g, dominant.b)).toBeGreaterThan(240)
})
