/** The Studio, built once per source: static files that query the lake (or Sanity) from the browser. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { keptBuild } from './kept-build.ts'
import { BUILD_ENV, runTool } from './processes.ts'
import { root } from './settings.ts'

const source = join(root, 'studio')

export function studioExists(): boolean {
  return existsSync(join(source, 'sanity.cli.ts')) || existsSync(join(source, 'sanity.config.ts'))
}

/** Makes sure a build of this source exists. Rejects with the builder's own last lines. */
export function buildStudio(contentEnv: Record<string, string>): Promise<{ folder: string; fresh: boolean }> {
  // no addresses: the program that serves it supplies them (serve-studio.ts), so one build fits every port
  const env = {
    ...BUILD_ENV,
    SANITY_STUDIO_PROJECT_ID: contentEnv['SANITY_PROJECT_ID'] ?? '',
    SANITY_STUDIO_DATASET: contentEnv['SANITY_DATASET'] ?? 'production',
  }
  const key = createHash('sha256').update(JSON.stringify(env)).update(hashOf(source)).digest('hex').slice(0, 16)
  return keptBuild(join(root, '.data', 'studio'), key, async (work) => {
    const cli = join(root, 'node_modules', 'sanity', 'bin', 'sanity')
    const { ok, output } = await runTool([cli, 'build', work, '--yes'], { cwd: source, env })
    if (!ok) throw new Error(`The Studio could not be built:\n${output.split('\n').slice(-20).join('\n')}`)
  })
}

function hashOf(path: string): string {
  const hash = createHash('sha256')
  const walk = (at: string) => {
    for (const name of readdirSync(at).sort()) {
      if (['node_modules', 'dist', 'dataset', '.sanity'].includes(name)) continue
      const file = join(at, name)
      if (statSync(file).isDirectory()) walk(file)
      else hash.update(relative(source, file)).update(readFileSync(file))
    }
  }
  walk(path)
  return hash.digest('hex')
}
