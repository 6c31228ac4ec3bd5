/** The files of the log, as pg_receivewal makes them. */
import { closeSync, existsSync, fdatasyncSync, ftruncateSync, openSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { PARTIAL } from './folder.ts'
import { writeAll } from './manifest.ts'
import { segmentName, writePlace } from './replication.ts'

/** The files of one timeline, written one after the other. */
export class Files {
  /** How far it is written, and how far that is on the disk. */
  written: bigint
  flushed: bigint
  readonly #folder: string
  readonly #timeline: number
  readonly #size: bigint
  #open: { name: string; file: number } | undefined

  constructor(folder: string, timeline: number, size: bigint, from: bigint) {
    this.#folder = folder
    this.#timeline = timeline
    this.#size = size
    this.written = from
    this.flushed = from
  }

  write(at: bigint, data: Buffer): void {
    if (at !== this.written) throw new Error(`the log goes on at ${writePlace(at)}, not at ${writePlace(this.written)}`)
    for (let rest = data; rest.length > 0;) {
      const offset = Number(this.written % this.#size)
      const piece = rest.subarray(0, Number(this.#size) - offset)
      writeAll(this.#file(), piece, offset)
      this.written += BigInt(piece.length)
      rest = rest.subarray(piece.length)
      if (this.written % this.#size === 0n) this.#complete()
    }
  }

  flush(): void {
    if (this.#open) fdatasyncSync(this.#open.file)
    this.flushed = this.written
  }

  close(): void {
    this.flush()
    if (this.#open) closeSync(this.#open.file)
    this.#open = undefined
  }

  #file(): number {
    if (this.#open) return this.#open.file
    const name = join(this.#folder, segmentName(this.#timeline, this.written, this.#size))
    const partial = name + PARTIAL
    // one that was begun before is written again from its beginning, with what it holds already
    const file = openSync(partial, existsSync(partial) ? 'r+' : 'wx', 0o600)
    ftruncateSync(file, Number(this.#size))
    this.#open = { name, file }
    return file
  }

  #complete(): void {
    const { name } = this.#open ?? { name: '' }
    this.close()
    renameSync(name + PARTIAL, name)
    // the new name has to be on the disk before the server forgets the file
    const folder = openSync(this.#folder, 'r')
    fdatasyncSync(folder)
    closeSync(folder)
  }
}
