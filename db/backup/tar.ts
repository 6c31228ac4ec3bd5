/** The tar files that PostgreSQL's BASE_BACKUP sends: plain ustar, names below 100 characters, no file of 8 GB. */
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

const BLOCK = 512

export interface TarEntry {
  name: string
  size: number
  kind: 'file' | 'folder' | 'other'
}

/** Takes the content of one file. */
export interface TarSink {
  write(piece: Buffer): void
  end(): void
}

function readHeader(block: Buffer): TarEntry {
  const text = (from: number, length: number) => block.toString('utf8', from, from + length).split('\0', 1)[0] ?? ''
  const flag = text(156, 1)
  return {
    name: text(0, 100),
    size: Number.parseInt(text(124, 12), 8) || 0,
    kind: flag === '5' ? 'folder' : flag === '0' || flag === '' ? 'file' : 'other',
  }
}

/** Reads a compressed tar from end to end; `open` says where the content of an entry goes. */
export async function walkTar(file: string, open: (entry: TarEntry) => TarSink | undefined): Promise<void> {
  let block = Buffer.alloc(0)
  let sink: TarSink | undefined
  /** Bytes of content still to come, and those that fill its last block. */
  let content = 0
  let filler = 0

  const begin = (header: Buffer): void => {
    // two empty blocks end the archive
    if (header.every((byte) => byte === 0)) return
    const entry = readHeader(header)
    sink = open(entry)
    content = entry.size
    filler = (BLOCK - (entry.size % BLOCK)) % BLOCK
    if (content === 0) finish()
  }
  const finish = (): void => {
    sink?.end()
    sink = undefined
  }

  await pipeline(createReadStream(file), createGunzip(), async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      let rest = chunk
      const take = (most: number): Buffer => {
        const piece = rest.subarray(0, most)
        rest = rest.subarray(piece.length)
        return piece
      }
      while (rest.length > 0) {
        if (content > 0) {
          const piece = take(content)
          content -= piece.length
          sink?.write(piece)
          if (content === 0) finish()
        } else if (filler > 0) filler -= take(filler).length
        else {
          block = Buffer.concat([block, take(BLOCK - block.length)])
          if (block.length < BLOCK) continue
          begin(block)
          block = Buffer.alloc(0)
        }
      }
    }
  })
  if (content > 0 || block.length > 0) throw new Error(`${file} ends in the middle`)
}
