/**
 * One process per data folder: two would overwrite each other. A socket holds the lock, so that kill -9 leaves nothing
 * behind that blocks the next start.
 */
import { createHash } from 'node:crypto'
import { realpathSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Rejects when another process holds `folder` (which must exist). Resolves to a function that releases it. */
export async function lockFolder(folder: string): Promise<() => void> {
  const name = `lake-${createHash('sha1').update(realpathSync(folder)).digest('hex').slice(0, 16)}`
  const path = process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`)
  for (let attempt = 0; attempt < 5; attempt++) {
    const server = await hold(path)
    if (server) return () => server.close()
    if (await answers(path)) break
    rmSync(path, { force: true }) // left by a process that was killed
  }
  throw new Error(`Another content lake is using ${folder}. Stop it, or set LAKE_DATA to another folder.`)
}

function hold(path: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (cause: NodeJS.ErrnoException) =>
      cause.code === 'EADDRINUSE' ? resolve(null) : reject(cause),
    )
    server.listen(path, () => {
      server.unref()
      resolve(server)
    })
  })
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
