/** The manifest of a base backup: every file with its size and SHA-256, as the server read it. */
import { createHash, type Hash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { z } from 'zod'
import { type TarEntry, type TarSink, walkTar } from './tar.ts'

const Manifest = z.object({
  'System-Identifier': z.number().or(z.string()),
  Files: z.array(z.object({ Path: z.string(), Size: z.number(), Checksum: z.string() })),
  'WAL-Ranges': z.array(z.object({ Timeline: z.number(), 'Start-LSN': z.string(), 'End-LSN': z.string() })),
})

export const TAR = 'base.tar.gz'
export const MANIFEST = 'backup_manifest'

export interface WalRange {
  timeline: number
  start: string
  end: string
}

/** Throws when the manifest is not whole: its last line is the SHA-256 of all lines before it. */
function readManifest(folder: string) {
  const bytes = readFileSync(join(folder, MANIFEST))
  const last = bytes.lastIndexOf('"Manifest-Checksum"')
  const stated = /"Manifest-Checksum":\s*"([0-9a-f]{64})"/.exec(bytes.toString('latin1', last))?.[1]
  if (last < 0 || createHash('sha256').update(bytes.subarray(0, last)).digest('hex') !== stated)
    throw new Error(`${join(folder, MANIFEST)} is not whole`)
  // an identifier of 64 bits loses its end as a number of JSON
  const text = bytes.toString('utf8').replace(/("System-Identifier":\s*)(\d+)/, '$1"$2"')
  return Manifest.parse(JSON.parse(text))
}

/** The part of the log that a backup brings along, and needs. */
export function walRange(folder: string): WalRange {
  const [range, another] = readManifest(folder)['WAL-Ranges']
  if (!range || another) throw new Error(`${folder} was taken while a standby took over: take another`)
  return { timeline: range.Timeline, start: range['Start-LSN'], end: range['End-LSN'] }
}

export const systemOf = (folder: string): string => String(readManifest(folder)['System-Identifier'])

/**
 * Compares every file of a base backup with its manifest, and writes them below `target` if one is named. Throws for
 * the first file that is missing, too many or different.
 */
export async function readBase(folder: string, target?: string): Promise<{ files: number; bytes: number }> {
  const expected = new Map(readManifest(folder).Files.map((file) => [file.Path, file]))
  const total = { files: 0, bytes: 0 }
  const wrong = (name: string, what: string) => new Error(`the backup ${folder} is damaged: ${name} ${what}`)
  await walkTar(join(folder, TAR), (entry) => {
    if (entry.name.startsWith('/') || normalize(entry.name).startsWith('..')) throw wrong(entry.name, 'lies elsewhere')
    const place = target && join(target, entry.name)
    if (entry.kind === 'folder') {
      if (place) mkdirSync(place, { recursive: true, mode: 0o700 })
      return undefined
    }
    if (entry.kind === 'other') throw wrong(entry.name, 'is neither a file nor a folder')
    const known = expected.get(entry.name)
    expected.delete(entry.name)
    // the log has checksums of its own in every record, and the manifest itself comes apart
    if (!known && !entry.name.startsWith('pg_wal/')) throw wrong(entry.name, 'is not in the manifest')
    if (known && known.Size !== entry.size) throw wrong(entry.name, `has ${entry.size} bytes instead of ${known.Size}`)
    total.files += 1
    total.bytes += entry.size
    return checking(entry, place, (hash) => {
      if (known && hash.digest('hex') !== known.Checksum) throw wrong(entry.name, 'has another checksum')
    })
  })
  const [missing] = expected.keys()
  if (missing) throw wrong(missing, 'is missing')
  return total
}

function checking({ name }: TarEntry, place: string | undefined, done: (hash: Hash) => void): TarSink {
  const hash = createHash('sha256')
  if (place) mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
  const file = place ? openSync(place, 'wx', 0o600) : undefined
  return {
    write(piece) {
      hash.update(piece)
      if (file !== undefined) writeAll(file, piece)
    },
    end() {
      if (file !== undefined) closeSync(file)
      if (name !== '') done(hash)
    },
  }
}

/** Writes all of it, at `at` or at the file's position: one write may take less. */
export function writeAll(file: number, piece: Buffer, at?: number): void {
  for (let written = 0; written < piece.length;) {
    written += writeSync(file, piece, written, piece.length - written, at === undefined ? null : at + written)
  }
}
