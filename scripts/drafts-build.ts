/**
 * The draft deployment, built once per source: it reads content when a page is requested, so the build contains none.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { BUILD_ENV, mustRun } from './processes.ts'
import { hashOfSources } from './site-build.ts'

const KEPT = 2

/** Makes sure a build of this source exists under `draftsDir`. Rejects with the builder's own last lines. */
export async function buildDrafts(draftsDir: string): Promise<{ folder: string; fresh: boolean }> {
  const key = createHash('sha256').update(hashOfSources()).digest('hex').slice(0, 16)
  const folder = join(draftsDir, key)
  if (existsSync(join(folder, 'server', 'entry.mjs'))) {
    utimesSync(folder, new Date(), new Date())
    return { folder, fresh: false }
  }
  mkdirSync(draftsDir, { recursive: true })
  const work = join(draftsDir, `${key}.${process.pid}`)
  try {
    await mustRun('The build of the draft deployment', {
      args: ['node_modules/astro/bin/astro.mjs', 'build', '--outDir', work],
      env: { SITE_RENDER: 'drafts', ...BUILD_ENV },
    })
    rmSync(folder, { recursive: true, force: true })
    renameSync(work, folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  const age = (name: string) => statSync(join(draftsDir, name)).mtimeMs
  const builds = readdirSync(draftsDir).filter((name) => /^[0-9a-f]{16}$/.test(name))
  for (const name of builds.sort((a, b) => age(b) - age(a)).slice(KEPT)) {
    rmSync(join(draftsDir, name), { recursive: true, force: true })
  }
  return { folder, fresh: true }
}
