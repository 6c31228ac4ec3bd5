/** Uploads and image addresses as @sanity/client and @sanity/image-url make them. */
import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createImageUrlBuilder } from '@sanity/image-url'
import sharp from 'sharp'
import { prune } from './image-cache.ts'
import { failure, testLake, type TestLake } from './fixture.ts'

let lake: TestLake
let picture: { _id: string; url: string }
/** 400 × 200: left half red, right half blue. */
const source = async () =>
  sharp({ create: { width: 400, height: 200, channels: 3, background: '#ff0000' } })
    .composite([
      { input: { create: { width: 200, height: 200, channels: 3, background: '#0000ff' } }, left: 200, top: 0 },
    ])
    .png()
    .toBuffer()

beforeAll(async () => {
  lake = await testLake()
  picture = await lake.client.assets.upload('image', await source(), { filename: 'Halves.PNG', title: 'Halves' })
})
afterAll(() => lake.stop())

const build = () =>
  createImageUrlBuilder({ baseUrl: lake.lake.url, projectId: 'local0001', dataset: 'production' }).image({
    asset: { _ref: picture._id },
  })
async function load(url: string, accept = '*/*') {
  const answer = await fetch(url, { headers: { accept } })
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { answer, bytes, type: answer.headers.get('content-type') }
}
async function seen(url: string) {
  const { bytes, type } = await load(url)
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) =>
    [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)]
      .map((value) => (value > 200 ? 'F' : value < 55 ? '0' : 'm'))
      .join('')
  return {
    size: `${info.width}x${info.height}`,
    type,
    left: at(0, info.height >> 1),
    right: at(info.width - 1, info.height >> 1),
    top: at(info.width >> 1, 0),
  }
}
const [RED, BLUE, WHITE] = ['F00', '00F', 'FFF']

describe('uploads', () => {
  test('an image is described as Sanity does, once per content', async () => {
    const sha1 = createHash('sha1')
      .update(await source())
      .digest('hex')
    const doc = await lake.client.getDocument(picture._id)
    expect(doc).toMatchObject({
      _id: `image-${sha1}-400x200-png`,
      _type: 'sanity.imageAsset',
      originalFilename: 'Halves.PNG',
      title: 'Halves',
      mimeType: 'image/png',
      extension: 'png',
      assetId: sha1,
      sha1hash: sha1,
      path: `images/local0001/production/${sha1}-400x200.png`,
      url: `${lake.lake.url}/images/local0001/production/${sha1}-400x200.png`,
      metadata: {
        dimensions: { width: 400, height: 200, aspectRatio: 2 },
        isOpaque: true,
        lqip: expect.stringMatching(/^data:image\/jpeg;base64,/),
        palette: { dominant: { background: expect.stringMatching(/^#[0-9a-f]{6}$/) } },
      },
    })
    expect((await lake.client.assets.upload('image', await source())) as object).toMatchObject({
      _id: picture._id,
      originalFilename: 'Halves.PNG',
    })
  })
  test('drawings, animations, WebP, turned photographs', async () => {
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="10"><script>alert(1)</script></svg>',
    )
    const drawing = await lake.client.assets.upload('image', svg, { filename: 'a.svg' })
    expect(drawing._id).toMatch(/-30x10-svg$/)
    const { answer, bytes, type } = await load(`${drawing.url}?auto=format&w=20`)
    expect([type, bytes.equals(svg)]).toEqual(['image/svg+xml', true])
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    // as the site asks for it (src/cms/picture.ts)
    expect(await seen(`${drawing.url}?rect=15,0,15,10&fm=png`)).toMatchObject({ size: '15x10', type: 'image/png' })
    const frames = [
      await source(),
      await sharp(await source())
        .negate()
        .png()
        .toBuffer(),
    ]
    const moving = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    const animation = await lake.client.assets.upload('image', moving, { filename: 'a.gif' })
    expect(animation._id).toMatch(/-400x200-gif$/)
    expect(await seen(`${animation.url}?fm=png`)).toMatchObject({ size: '400x200', type: 'image/png', left: RED })
    const webp = await lake.client.assets.upload(
      'image',
      await sharp(await source())
        .webp()
        .toBuffer(),
    )
    expect(webp._id).toMatch(/-400x200-webp$/)
    const turned = await lake.client.assets.upload(
      'image',
      await sharp(await source())
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer(),
    )
    expect(turned._id).toMatch(/-200x400-jpg$/)
  })
  test('audio is served with its type and by ranges', async () => {
    const audio = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 256))
    const file = await lake.client.assets.upload('file', audio, { filename: 'Day 1.mp3' })
    expect(file).toMatchObject({
      _id: expect.stringMatching(/^file-[0-9a-f]{40}-mp3$/),
      mimeType: 'audio/mpeg',
      size: 1000,
    })
    const part = await fetch(file.url, { headers: { range: 'bytes=10-19' } })
    expect([part.status, part.headers.get('content-range'), part.headers.get('content-type')]).toEqual([
      206,
      'bytes 10-19/1000',
      'audio/mpeg',
    ])
    expect(Buffer.from(await part.arrayBuffer()).equals(audio.subarray(10, 20))).toBe(true)
    const tail = await fetch(file.url, { headers: { range: 'bytes=-5' } })
    expect(Buffer.from(await tail.arrayBuffer()).equals(audio.subarray(995))).toBe(true)
    expect((await fetch(file.url, { headers: { range: 'bytes=2000-' } })).status).toBe(416)
    expect((await fetch(`${file.url}?dl=Tag%201.mp3`)).headers.get('content-disposition')).toContain('Tag 1.mp3')
    expect((await fetch(file.url, { method: 'HEAD' })).headers.get('content-length')).toBe('1000')
  })
  test('what is no image, what is empty, what is too large', async () => {
    expect((await failure(lake.client.assets.upload('image', Buffer.from('no image')))).status).toBe(400)
    expect((await failure(lake.client.assets.upload('file', Buffer.alloc(0)))).status).toBe(400)
    const large = fetch(`${lake.lake.url}/v1/assets/files/production`, {
      method: 'POST',
      headers: { authorization: 'Bearer token-of-the-tests' },
      body: Buffer.alloc(51 * 1024 * 1024),
    })
    // The answer comes while the body is still being sent; some clients then see a closed connection.
    expect(await large.then((answer) => answer.status).catch(() => 413)).toBe(413)
  })
  test('addresses of nothing and outside the folder', async () => {
    const base = `${lake.lake.url}/images/local0001/production`
    for (const path of ['nothing.png', `${'0'.repeat(40)}-1x1.png`, '..%2F..%2Flog.ndjson', '%2e%2e/log.ndjson'])
      expect((await fetch(`${base}/${path}`)).status).toBe(404)
  })
})

describe('transformations', () => {
  test('sizes by fit', async () => {
    const sized = (query: string) => seen(`${picture.url}?${query}`)
    expect(await seen(build().width(100).url())).toMatchObject({
      size: '100x50',
      left: RED,
      right: BLUE,
      type: 'image/png',
    })
    expect((await seen(build().height(100).url())).size).toBe('200x100')
    expect((await seen(build().width(100).height(100).fit('crop').url())).size).toBe('100x100')
    expect((await seen(build().width(100).dpr(2).url())).size).toBe('200x100')
    // The builder adds a rectangle with the requested proportions; these requests go without it.
    expect((await sized('w=100&h=100')).size).toBe('100x50')
    expect((await sized('w=100&h=100&fit=clip')).size).toBe('100x50')
    expect((await sized('w=100&h=100&fit=crop')).size).toBe('100x100')
    expect(await sized('w=100&h=100&fit=scale')).toMatchObject({ size: '100x100', left: RED, right: BLUE })
    expect(await sized('w=100&h=100&fit=fill&bg=ffffff')).toMatchObject({ size: '100x100', top: WHITE, left: RED })
    expect((await sized('w=800&h=800&fit=max')).size).toBe('400x200')
    expect((await sized('w=800&fit=max')).size).toBe('400x200')
    expect((await sized('w=800&h=800&fit=min')).size).toBe('200x200')
    expect(await sized('w=600&h=600&fit=fillmax&bg=fff')).toMatchObject({ size: '600x600', left: WHITE })
    expect((await sized('w=300&max-w=120')).size).toBe('120x60')
  })
  test('crops: side, rectangle, focal point, hotspot of the Studio', async () => {
    expect(await seen(build().width(100).height(100).fit('crop').crop('left').url())).toMatchObject({
      left: RED,
      right: RED,
    })
    expect(await seen(build().width(100).height(100).fit('crop').crop('right').url())).toMatchObject({
      left: BLUE,
      right: BLUE,
    })
    expect(await seen(build().rect(200, 0, 100, 100).url())).toMatchObject({ size: '100x100', left: BLUE })
    expect(
      await seen(build().width(100).height(100).fit('crop').crop('focalpoint').focalPoint(0.9, 0.5).url()),
    ).toMatchObject({ left: BLUE, right: BLUE })
    const image = {
      asset: { _ref: picture._id },
      crop: { left: 0, right: 0, top: 0, bottom: 0 },
      hotspot: { x: 0.1, y: 0.5, width: 0.1, height: 0.1 },
    }
    const url = createImageUrlBuilder({ baseUrl: lake.lake.url, projectId: 'local0001', dataset: 'production' })
      .image(image)
      .width(100)
      .height(100)
      .url()
    expect(await seen(url)).toMatchObject({ size: '100x100', left: RED, right: RED })
  })
  test('formats, by name and by what the browser takes', async () => {
    expect((await load(build().format('jpg').quality(40).url())).type).toBe('image/jpeg')
    expect((await load(build().format('webp').url())).type).toBe('image/webp')
    const auto = build().width(50).auto('format').url()
    expect((await load(auto, 'image/avif,image/webp,*/*')).type).toBe('image/avif')
    expect((await load(auto, 'image/webp,*/*')).type).toBe('image/webp')
    const plain = await load(auto, 'image/png')
    expect([plain.type, plain.answer.headers.get('vary')]).toEqual(['image/png', 'origin, accept'])
    expect(JSON.parse((await load(`${picture.url}?fm=json`)).bytes.toString())).toMatchObject({ PixelWidth: 400 })
  })
  test('turned, mirrored, blurred, sharpened, saturated, inverted, padded', async () => {
    expect((await seen(build().orientation(90).url())).size).toBe('200x400')
    expect(await seen(build().flipHorizontal().url())).toMatchObject({ left: BLUE, right: RED })
    expect(await seen(build().invert(true).url())).toMatchObject({ left: '0FF' })
    expect((await seen(build().width(100).pad(10).url())).size).toBe('120x70')
    for (const url of [build().blur(50).url(), build().sharpen(20).url(), build().saturation(-100).url()])
      expect((await load(url)).answer.status).toBe(200)
  })
  test('kept on disk, and the same bytes again', async () => {
    const url = build().width(77).url()
    const first = await load(url)
    const folder = join(lake.folder, 'cache', 'images')
    const count = async () => (await readdir(folder, { recursive: true })).filter((name) => name.includes('.')).length
    const files = await count()
    expect((await load(url)).bytes.equals(first.bytes)).toBe(true)
    expect(await count()).toBe(files)
    expect(first.answer.headers.get('cache-control')).toContain('immutable')
  })
  test('the cache is bounded: what was not used for longest goes', async () => {
    const folder = join(lake.folder, 'cache', 'images')
    const files = async () => (await readdir(folder, { recursive: true })).filter((name) => name.includes('.'))
    const before = await files()
    const newest = build().width(33).url()
    await load(newest)
    const [fresh] = (await files()).filter((name) => !before.includes(name))
    const { size } = await stat(join(folder, fresh as string))
    await prune(folder, size)
    expect(await files()).toEqual([fresh])
    expect((await load(newest)).answer.status).toBe(200)
  })
  test.each(['w=0', 'w=abc', 'w=99999', 'fit=nope', 'rect=1,2', 'q=101', 'fm=exe', 'bg=zz', 'dpr=9', 'blur=-1'])(
    '%s is refused with the name of the parameter',
    async (query) => {
      const { answer, bytes } = await load(`${picture.url}?${query}`)
      expect(answer.status).toBe(400)
      expect(bytes.toString()).toContain(`\\"${query.split('=')[0]}\\"`)
    },
  )
})
