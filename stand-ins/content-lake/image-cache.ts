/** Transformed images on disk, limited in size: the least recently used are deleted first. */
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export const CACHE_LIMIT = 256 * 1024 * 1024
/** After how many new images the size is checked. */
const EVERY = 200
let added = 0

/** The kept bytes, or null. Reading counts as use. */
export async function cached(path: string): Promise<Buffer | null> {
  const bytes = await readFile(path).catch(() => null)
  if (bytes) void utimes(path, new Date(), new Date()).catch(() => {})
  return bytes
}

/** Puts the bytes in place atomically. */
export async function keep(folder: string, path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`
  await writeFile(temporary, bytes)
  await rename(temporary, path)
  if (++added % EVERY === 0) await prune(folder, CACHE_LIMIT)
}

/** Deletes the least recently used images until at most `limit` bytes are left. */
export async function prune(folder: string, limit: number): Promise<void> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const files: { path: string; size: number; used: number }[] = []
  for (const name of names) {
    const path = join(folder, name)
    const info = await stat(path).catch(() => null)
    if (info?.isFile()) files.push({ path, size: info.size, used: info.mtimeMs })
  }
  let size = files.reduce((sum, file) => sum + file.size, 0)
  for (const file of files.sort((a, b) => a.used - b.used)) {
    if (size <= limit) break
    await rm(file.path, { force: true })
    size -= file.size
  }
}
