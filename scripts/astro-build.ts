/** Astro, run over the content as it is published. */
import { cpSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { LAKE_AWAY } from '../contract/published.ts'
import type { Order } from './astro-waiting.ts'
import { BUILD_ENV, startTool, type Tool } from './processes.ts'
import { readyTool } from './ready-tool.ts'
import { LakeAway } from './builds/lake-away.ts'
import { workplaceOf } from './builds/workplace.ts'
import { root } from './settings.ts'

/** From so many documents on, a build's memory counts for more than a tenth of its time. */
const MANY = 500

/**
 * How Astro is run, here and by the bench. Thousands of pages leave buffers behind that only a collection frees: a heap
 * that at most doubles and two allocation arenas keep a build small (5,000 articles: 710 → 600 MB; growing by 15% saved
 * 30 MB more, but made the last pages take 1.7 times as long as the first). With the sample, such a heap saves 15 of
 * 460 MB and costs a seventh of the CPU time.
 */
export const astroRun = (documents: number) => ({
  node: ['--max-semi-space-size=16', ...(documents < MANY ? [] : ['--heap-growing-percent=100'])],
  env: { ...BUILD_ENV, MALLOC_ARENA_MAX: '2' },
})

/** An editor who has published something often does so again soon. */
const WAITS_MS = 15 * 60_000
const astro = readyTool(WAITS_MS)

/** Loads Astro for a build that is likely to follow the last one. */
export const awaitNextBuild = (): void => astro.prepare()

function takeAstro(contentEnv: Record<string, string>, documents: number): Tool {
  const { node, env } = astroRun(documents)
  return astro.take({
    // packages that were installed meanwhile are loaded anew
    as: JSON.stringify([contentEnv, node, statSync(join(root, 'package-lock.json')).mtimeMs]),
    start: () => startTool([...node, 'scripts/astro-waiting.ts'], { env: { ...contentEnv, ...env } }),
  })
}

/** Writes the pages into a folder. Rejects with what Astro said last, with LakeAway when it could not read. */
export async function astroBuild(
  folder: string,
  contentEnv: Record<string, string>,
  { mark, documents }: { mark: string; documents: number },
): Promise<void> {
  const outDir = workplaceOf(folder)
  rmSync(outDir, { recursive: true, force: true })
  const { child, ended } = takeAstro(contentEnv, documents)
  child.send({ outDir, mark } satisfies Order)
  const { ok, output } = await ended
  if (!ok) {
    const Fault = output.includes(LAKE_AWAY) ? LakeAway : Error
    throw new Fault(`The site could not be built:\n${output.split('\n').slice(-25).join('\n')}`)
  }
  if (outDir === folder) return
  cpSync(outDir, folder, { recursive: true })
  rmSync(outDir, { recursive: true })
}
