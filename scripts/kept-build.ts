/** Builds that are made once per source and kept under their key, however many processes ask for them at once. */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { withLease } from './builds/lease.ts'

const KEPT = 2

/**
 * Makes sure that the build `key` (hex digits) lies under `folder`. `build` writes it into the folder that it is given;
 * a caller that asks meanwhile waits for it, and none ever sees half of it or loses it while serving it.
 */
export function keptBuild(
  folder: string,
  key: string,
  build: (work: string) => Promise<void>,
): Promise<{ folder: string; fresh: boolean }> {
  const kept = join(folder, key)
  return withLease(folder, 'build', async () => {
    if (existsSync(kept)) {
      utimesSync(kept, new Date(), new Date())
      return { folder: kept, fresh: false }
    }
    const work = join(folder, `${key}.${randomUUID()}`)
    try {
      mkdirSync(work)
      await build(work)
      renameSync(work, kept)
    } finally {
      rmSync(work, { recursive: true, force: true })
    }
    prune(folder)
    return { folder: kept, fresh: true }
  })
}

function prune(folder: string): void {
  const age = (name: string) => statSync(join(folder, name)).mtimeMs
  const builds = readdirSync(folder).filter((name) => /^[0-9a-f]+$/.test(name))
  for (const name of builds.sort((a, b) => age(b) - age(a)).slice(KEPT)) {
    rmSync(join(folder, name), { recursive: true, force: true })
  }
}
