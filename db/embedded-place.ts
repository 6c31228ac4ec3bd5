/** Where embedded PostgreSQL runs, and as whom: as root, its data and programs may not be below a closed folder. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, parse, resolve } from 'node:path'
import { findBinaries } from './embedded-binaries.ts'

export interface Owner {
  uid: number
  gid: number
}

/** PostgreSQL refuses to run as root, so it runs as the user postgres, or as the user nobody if there is none. */
export function ownerForRoot(): Owner | undefined {
  if (process.platform === 'win32' || process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // no such user: the next one
    }
  }
  throw new Error(
    'PostgreSQL cannot run as root and this machine has neither a user postgres nor nobody. Run as another ' +
      'user, or set DATABASE_URL.',
  )
}

/** Whether every user may enter this folder and all folders above it. */
export function traversable(path: string): boolean {
  for (let at = resolve(path); at !== parse(at).root; at = dirname(at)) {
    if (existsSync(at) && !(statSync(at).mode & 0o001)) return false
  }
  return true
}

/**
 * A folder that this user can reach, in place of one it cannot (a clone in /root). The same path always gets the same
 * folder.
 */
export function placeFor(path: string): string {
  const key = createHash('sha256').update(resolve(path)).digest('hex').slice(0, 12)
  return join('/var/tmp', `eye-funnel-${key}`)
}

/** Where the data of a cluster wanted in this folder lies: elsewhere where the owner cannot reach it. */
export function placeOfData(wanted: string, owner = ownerForRoot()): string {
  const here = !owner || traversable(dirname(resolve(wanted)))
  return here ? resolve(wanted) : join(placeFor(resolve(wanted)), 'data')
}

/** The programs of PostgreSQL where this user can run them: in place, or as a copy that the owner can reach. */
export function reachablePrograms(owner: Owner | undefined, native = findBinaries()): string {
  if (!owner || traversable(native)) return native
  const copy = join(placeFor(native), 'native')
  const version = readFileSync(join(dirname(native), 'package.json'), 'utf8')
  const marker = join(copy, 'copied-from.json')
  if (!existsSync(marker) || readFileSync(marker, 'utf8') !== version) {
    mkdirSync(dirname(copy), { recursive: true, mode: 0o755 })
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true, force: true })
    writeFileSync(marker, version)
  }
  return copy
}
