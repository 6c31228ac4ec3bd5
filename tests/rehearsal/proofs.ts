/** What tests prove by themselves, in their long form: a row of the table each. */
import { join } from 'node:path'
import { runTool } from '../../scripts/processes.ts'
import { contentEnv } from '../../scripts/programs.ts'
import { root } from '../../scripts/settings.ts'
import { buildSite } from '../../scripts/site-build.ts'
import type { Row, Scene } from './row.ts'

interface Proof {
  name: string
  title: string
  project: 'programs' | 'built'
  file: string
  env?: (scene: Scene) => Promise<Record<string, string>>
  /** Of what the test prints. */
  figures?: RegExp
}

const PROOFS: readonly Proof[] = [
  {
    name: 'swaps',
    title: 'K-04 the site is swapped 100 times under visitors, forwards and back: no page and no file is missing',
    project: 'built',
    file: 'tests/site/swaps.test.ts',
    env: async ({ stage }) => ({ SITE_DIST: await siteOf(stage.parts!), SWAPS: '100' }),
    figures: /^.* swaps behind .*$/m,
  },
  {
    name: 'publishers',
    title:
      'K-04 K-06 whichever publisher builds is killed, five times: the site stays whole, and the publish goes live',
    project: 'built',
    file: 'tests/site/publishers.test.ts',
    env: async ({ stage }) => ({ SITE_DIST: await siteOf(stage.parts!), DEATHS: '5' }),
    figures: /^.* publishers killed .*$/m,
  },
  {
    name: 'drill',
    title: 'P-02 database and disk are lost while buyers buy; restored, no charge is unknown and none is made twice',
    project: 'programs',
    file: 'tests/service/restore-drill.test.ts',
  },
  {
    name: 'frozen',
    title: 'D-11 a PostgreSQL that answers nothing: /readyz answers within 2 s and says why',
    project: 'programs',
    file: 'tests/service/readiness.test.ts',
  },
  {
    name: 'full log',
    title: 'N-03 the disk of the log is full or nobody reads it: answers go on, and what is lost is counted',
    project: 'programs',
    file: 'payments-service/http/log-destination.test.ts',
  },
]

async function siteOf(parts: NonNullable<Scene['stage']['parts']>): Promise<string> {
  const { folder } = await buildSite(contentEnv(parts), join(root, '.data', 'builds'))
  return folder
}

export const proofs: readonly Row[] = PROOFS.map(({ name, title, project, file, env, figures }) => ({
  name,
  title,
  long: true,
  async run(scene) {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const own = await env?.(scene)
    const { ok, output } = await runTool([vitest, 'run', '--project', project, file], {
      env: { NO_COLOR: '1', ...own },
    })
    const passed = /Tests +(\d+) passed/.exec(output)?.[1]
    const violations = ok && passed ? [] : [output.slice(-2_000)]
    return { figures: figures?.exec(output)?.[0].trim() ?? `${passed ?? 'no'} tests passed`, violations }
  },
}))
