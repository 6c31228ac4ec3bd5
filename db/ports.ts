/** Ports of this machine for programs that are about to listen, and that stay theirs while such a program is down. */
import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Shared by all clones and runs on this machine: a file for each port that was given, with the process it went to. */
const FOLDER = join(tmpdir(), 'eye-funnel-ports')
const mine = new Set<number>()

/**
 * A port on which a program of this process may listen, now and again until the process ends: a replica that is killed
 * and started anew would else find another run's service in its place, and its visitors would be asked to begin afresh.
 * Below the ports that the system gives to outgoing connections: one of hundreds could take it meanwhile.
 */
export async function anyPort(draw = () => randomInt(20_000, 32_000)): Promise<number> {
  for (let tries = 0; tries < 1_000; tries++) {
    const port = draw()
    if (reserve(port) && (await isFree(port))) return port
  }
  throw new Error('No free port on this machine')
}

/** Free on loopback and on all addresses: a program of another clone may listen on either. */
export async function isFree(port: number): Promise<boolean> {
  if (port === 0) return true
  return (await listens(port, '127.0.0.1')) && (await listens(port))
}

function listens(port: number, host?: string): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(false))
    server.listen({ port, ...(host ? { host } : {}), exclusive: true }, () => {
      server.close(() => done(true))
    })
  })
}

/** False when the port is another living process's. Where no file can be written, this cannot be known. */
function reserve(port: number): boolean {
  if (mine.has(port)) return false
  const file = join(FOLDER, String(port))
  for (const again of [true, false]) {
    try {
      mkdirSync(FOLDER, { recursive: true, mode: 0o777 })
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      if (mine.size === 0) process.once('exit', release)
      mine.add(port)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return true
      if (!again || !isLeft(file)) return false
      rmSync(file, { force: true })
    }
  }
  return false
}

function release(): void {
  for (const port of mine) rmSync(join(FOLDER, String(port)), { force: true })
}

/** Whether the process of a file is gone. */
function isLeft(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0)
    return false
  } catch (error) {
    // just released, or of a process that has ended; another user's is alive
    return ['ENOENT', 'ESRCH', 'ERR_INVALID_ARG_TYPE'].includes((error as NodeJS.ErrnoException).code ?? '')
  }
}
