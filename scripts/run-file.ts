/** One run of a clone at a time: who runs it stands in `.data/run.json`. */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Runner {
  pid: number
  /** When that process began: its number may be another one's after a crash or a restart of the machine. */
  began?: string | undefined
}

/**
 * Notes this process as the one that runs the clone; what a killed run left is taken over. Returns what takes the note
 * away again. Throws when another process runs the clone.
 */
export function claimRun(dataDir: string): () => void {
  const file = join(dataDir, 'run.json')
  const note = JSON.stringify({ pid: process.pid, began: beginOf(process.pid) } satisfies Runner)
  for (;;) {
    try {
      // only one of two that start at the same moment makes the file
      writeFileSync(file, note, { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const other = read<Runner>(file)
    if (other && runs(other)) {
      const site = read<{ site?: string }>(join(dataDir, 'addresses.json'))?.site
      const where = `process ${other.pid}${site ? `, ${site}` : ''}`
      throw new Error(`This clone runs already (${where}). Stop that one first.`)
    }
    rmSync(file, { force: true })
  }
}

/** What a file says; undefined where it is missing or was cut off. */
function read<Content>(file: string): Content | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Content
  } catch {
    return undefined
  }
}

function runs({ pid, began }: Runner): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // of another user, but there
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return began === undefined || began === beginOf(pid)
}

/** When a process began, to the second; undefined where the system has no `ps` that says so. */
function beginOf(pid: number): string | undefined {
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, LC_ALL: 'C' } }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], options as { encoding: 'utf8' }).trim() || undefined
  } catch {
    return undefined
  }
}
