/**
 * The draft deployment, built once per source: it reads content when a page is requested, so the build contains none.
 */
import { createHash } from 'node:crypto'
import { keptBuild } from './kept-build.ts'
import { BUILD_ENV, mustRun } from './processes.ts'
import { hashOfSources } from './site-build.ts'

/** Makes sure a build of this source exists under `draftsDir`. Rejects with the builder's own last lines. */
export function buildDrafts(draftsDir: string): Promise<{ folder: string; fresh: boolean }> {
  const key = createHash('sha256').update(hashOfSources()).digest('hex').slice(0, 16)
  return keptBuild(draftsDir, key, (work) =>
    mustRun('The build of the draft deployment', {
      args: ['node_modules/astro/bin/astro.mjs', 'build', '--outDir', work],
      env: { SITE_RENDER: 'drafts', ...BUILD_ENV },
    }),
  )
}
