/** Uploads assets and serves them: originals with ranges, images also transformed. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { storeAsset, type AssetKind } from './assets.ts'
import { badRequest, notFound, unauthorized } from './errors.ts'
import { ASSET_LIMIT, readBody, sendJson, type Call } from './http.ts'
import { transformationOf } from './image-request.ts'
import { transformed } from './images.ts'
import { mediaType } from './media.ts'
import type { Dataset } from './dataset.ts'
import type { Lake } from './lake.ts'

const FILE = /^([a-f0-9]{40})(?:-\d+x\d+)?\.([a-z0-9]{1,10})$/
/** SVG drawings may contain scripts, which must not run when one is opened as a page. */
const INERT = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

export async function upload(lake: Lake, call: Call, dataset: Dataset, kind: AssetKind): Promise<void> {
  if (!call.who.write) throw unauthorized()
  const text = (name: string) => call.query.get(name)?.slice(0, 2000) || undefined
  const [id, name] = [text('sourceId'), text('sourceName')]
  const sourceUrl = text('sourceUrl')
  const asset = await storeAsset(lake.place(dataset.name), kind, await readBody(call.req, ASSET_LIMIT), {
    filename: text('filename'),
    contentType: call.req.headers['content-type'],
    label: text('label'),
    title: text('title'),
    description: text('description'),
    creditLine: text('creditLine'),
    source: id && name ? { id, name, ...(sourceUrl ? { url: sourceUrl } : {}) } : undefined,
  })
  await dataset.commit({ author: call.who.id }, (work) => work.apply('createIfNotExists', asset)).durable
  sendJson(call.res, 200, { document: dataset.get(asset._id) })
}

/**
 * GET or HEAD of `/images|files/<project>/<dataset>/<file>`; the address contains the content's
 * hash, so it may be kept for ever.
 */
export async function serve(
  lake: Lake,
  call: Call,
  folder: 'images' | 'files',
  dataset: string,
  file: string,
): Promise<void> {
  const match = FILE.exec(file)
  if (!match) throw notFound('No such asset')
  const [, sha1 = '', extension = ''] = match
  lake.dataset(dataset)
  const path = join(lake.place(dataset).folder, folder, file)
  const info = await stat(path).catch(() => null)
  if (!info?.isFile()) throw notFound('No such asset')
  const { res, req } = call
  res.setHeader('cache-control', 'public, max-age=31536000, immutable')
  res.setHeader('content-security-policy', INERT)
  // Images are shown by pages of other origins: site, Studio.
  res.setHeader('cross-origin-resource-policy', 'cross-origin')
  const download = call.query.get('dl')
  if (download !== null) res.setHeader('content-disposition', disposition(download || file))

  const wanted = folder === 'images' ? transformationOf(call.query) : null
  if (wanted && (extension !== 'svg' || wanted.format !== null)) {
    const made = await transformed(path, extension, wanted, req.headers.accept ?? '', lake.imageCache).catch(
      (cause: unknown) => {
        if (/bad extract area|unsupported|exceeds|Input/.test((cause as Error).message))
          throw badRequest(`The image cannot be transformed so: ${(cause as Error).message}`)
        throw cause
      },
    )
    if (made.varies) res.setHeader('vary', 'origin, accept')
    res.writeHead(200, { 'content-type': made.type, 'content-length': made.bytes.length })
    return void res.end(call.method === 'HEAD' ? undefined : made.bytes)
  }
  const type = mediaType(extension)
  const headers = { 'content-type': type, 'accept-ranges': 'bytes', etag: `"${sha1}"`, 'x-sanity-sha1': sha1 }
  if (req.headers['if-none-match'] === `"${sha1}"`) return void res.writeHead(304, headers).end()
  const range = rangeOf(req.headers.range, info.size)
  if (range === 'unsatisfiable') return void res.writeHead(416, { 'content-range': `bytes */${info.size}` }).end()
  const { start, end } = range ?? { start: 0, end: info.size - 1 }
  const part = range ? { 'content-range': `bytes ${start}-${end}/${info.size}` } : {}
  res.writeHead(range ? 206 : 200, { ...headers, ...part, 'content-length': end - start + 1 })
  if (call.method === 'HEAD') return void res.end()
  await pipeline(createReadStream(path, { start, end }), res)
}

/** A single byte range, as audio players request; a request for several gets the whole file. */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return null
  const [, from = '', to = ''] = match
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return start > end || start >= size ? 'unsatisfiable' : { start, end }
}

const disposition = (name: string) =>
  `attachment; filename="${name.replace(/[^\w. -]/g, '_').slice(0, 150)}"; ` +
  `filename*=UTF-8''${encodeURIComponent(name.slice(0, 150))}`
