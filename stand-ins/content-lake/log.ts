/**
 * The append-only file behind a dataset: one line per record, `crc32 json`, fsynced in batches before any write is
 * reported as successful. A line torn by a crash is cut off at the next start; damage before the end is refused.
 */
import { open, readFile, rename, rm, truncate, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'

type Waiting = { line: string; done: () => void; failed: (cause: unknown) => void }

const sealed = (record: unknown) => {
  const json = JSON.stringify(record)
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`
}

export class Log {
  bytes = 0
  #path: string
  #file: FileHandle
  #waiting: Waiting[] = []
  #writing: Promise<void> | null = null
  #failure: unknown = null

  private constructor(path: string, file: FileHandle, bytes: number) {
    this.#path = path
    this.#file = file
    this.bytes = bytes
  }

  /** Opens (or starts) the file and hands every intact record to `replay` in order. */
  static async open(path: string, replay: (record: unknown) => void): Promise<Log> {
    const data = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT') return Buffer.alloc(0)
      throw cause
    })
    let good = 0
    for (let start = 0; start < data.length;) {
      const end = data.indexOf(10, start)
      const json = end < 0 ? null : data.toString('utf8', start + 9, end)
      if (json === null || crc32(json).toString(16).padStart(8, '0') !== data.toString('latin1', start, start + 8)) {
        if (end >= 0 && data.indexOf(10, end + 1) >= 0)
          throw new Error(
            `${path} is damaged at byte ${start}. Put back a copy, or delete the folder to import the seed again.`,
          )
        break
      }
      replay(JSON.parse(json))
      start = good = end + 1
    }
    if (good < data.length) await truncate(path, good)
    const file = await open(path, 'a')
    await syncFolder(dirname(path))
    return new Log(path, file, good)
  }

  /** Resolves when the record is on the disk. Calls resolve in the order they were made. */
  append(record: unknown): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure)
    return new Promise((done, failed) => {
      this.#waiting.push({ line: sealed(record), done, failed })
      this.#writing ??= this.#write()
    })
  }

  async #write(): Promise<void> {
    await null // let the transactions of this turn share one fsync
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0)
      try {
        if (this.#failure) throw this.#failure
        const text = batch.map((entry) => entry.line).join('')
        await this.#file.appendFile(text)
        await this.#file.datasync()
        this.bytes += Buffer.byteLength(text)
        batch.forEach((entry) => entry.done())
      } catch (cause) {
        this.#failure ??= cause
        batch.forEach((entry) => entry.failed(cause))
      }
    }
    this.#writing = null
  }

  /**
   * Replaces the file, atomically. `records` is called when everything appended before is on the disk,
   * and must describe the state of that very moment; what is appended later follows it.
   */
  async rewrite(records: () => Iterable<unknown>): Promise<void> {
    while (this.#writing) await this.#writing
    if (this.#failure) return
    let release = () => {}
    this.#writing = new Promise((resolve) => (release = resolve)) // appends made meanwhile wait
    try {
      const text = [...records()].map(sealed).join('')
      const fresh = `${this.#path}.new`
      await rm(fresh, { force: true })
      const file = await open(fresh, 'a')
      await file.appendFile(text)
      await file.datasync()
      await rename(fresh, this.#path)
      await syncFolder(dirname(this.#path))
      await this.#file.close()
      this.#file = file
      this.bytes = Buffer.byteLength(text)
    } finally {
      this.#writing = this.#waiting.length > 0 ? this.#write() : null
      release()
    }
  }

  /** Resolves when everything appended so far is written. */
  async idle(): Promise<void> {
    while (this.#writing) await this.#writing
  }

  /** Resolves when everything appended so far is on the disk, rejects when it cannot be. */
  async synced(): Promise<void> {
    await this.idle()
    if (this.#failure) throw this.#failure
  }

  /** A write has failed: memory is ahead of the disk, and nothing more is accepted until the next start. */
  get failed(): boolean {
    return this.#failure !== null
  }

  async close(): Promise<void> {
    await this.idle()
    await this.#file.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  // Windows cannot sync a folder, and does not need to.
  await folder.sync().catch(() => {})
  await folder.close()
}
