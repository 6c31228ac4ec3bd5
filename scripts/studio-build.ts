/** The Studio, built once per source: static files that query the lake (or Sanity) from the browser. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { keptBuild } from './kept-build.ts'
import { BUILD_ENV, runTool } from './processes.ts'
import { root } from './settings.ts'

const source = join(root, 'studio')
/** What a Studio is made of: itself, what it imports of the product, and its packages. */
export const STUDIO_SOURCES = ['studio', 'contract', 'src/artwork', 'package-lock.json'] as const

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
  const key = createHash('sha256').update(JSON.stringify(env)).update(hashOfSources()).digest('hex').slice(0, 16)
  return keptBuild(join(root, '.data', 'studio'), key, async (work) => {
    const cli = join(root, 'node_modules', 'sanity', 'bin', 'sanity')
    const { ok, output } = await runTool([cli, 'build', work, '--yes'], { cwd: source, env })
    if (!ok) throw new Error(`The Studio could not be built:\n${output.split('\n').slice(-20).join('\n')}`)
  })
}

function hashOfSources(): string {
  const hash = createHash('sha256')
  const walk = (file: string) => {
    if (!statSync(file).isDirectory()) return void hash.update(relative(root, file)).update(readFileSync(file))
    for (const name of readdirSync(file).sort())
      if (!['node_modules', 'dist', 'dataset', '.sanity'].includes(name)) walk(join(file, name))
  }
  for (const one of STUDIO_SOURCES) walk(join(root, one))
  return hash.digest('hex')
}
