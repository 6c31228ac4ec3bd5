/** The files of the log, as pg_receivewal makes them. */
import { closeSync, existsSync, fdatasyncSync, ftruncateSync, openSync, readSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { PARTIAL } from './folder.ts'
import { writeAll } from './manifest.ts'
import { segmentName, writePlace } from './replication.ts'

/** What comes is not what was received before at the same place: another history of the same timeline. */
export class OtherHistory extends Error {}

/** Whether a file holds something else there; what was never written, or was lost with the machine, is zero. */
function holdsOther(file: number, piece: Buffer, at: number): boolean {
  const held = Buffer.alloc(piece.length)
  readSync(file, held, 0, held.length, at)
  return !held.equals(piece) && held.some((byte, n) => byte !== 0 && byte !== piece[n])
}

/** The files of one timeline, written one after the other. Nothing that was received before is ever changed. */
export class Files {
  /** How far it is written, and how far that is on the disk. */
  written: bigint
  flushed: bigint
  readonly #folder: string
  readonly #timeline: number
  readonly #size: bigint
  #open: { name: string; path: string; file: number; begun: boolean } | undefined

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
      const { file, begun } = this.#file()
      if (begun && holdsOther(file, piece, offset))
        throw new OtherHistory(`the log at ${writePlace(this.written)} is not the one that was received before`)
      writeAll(file, piece, offset)
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

  #file() {
    if (this.#open) return this.#open
    const name = join(this.#folder, segmentName(this.#timeline, this.written, this.#size))
    // one that was begun before comes again from its beginning
    const path = existsSync(name) ? name : name + PARTIAL
    const begun = existsSync(path)
    const file = openSync(path, begun ? 'r+' : 'wx', 0o600)
    ftruncateSync(file, Number(this.#size))
    this.#open = { name, path, file, begun }
    return this.#open
  }

  #complete(): void {
    const { name, path } = this.#file()
    this.close()
    renameSync(path, name)
    // the new name has to be on the disk before the server forgets the file
    const folder = openSync(this.#folder, 'r')
    fdatasyncSync(folder)
    closeSync(folder)
  }
}
