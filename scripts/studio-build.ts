/** The Studio, built once per source: static files that query the lake (or Sanity) from the browser. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { BUILD_ENV, runTool } from './processes.ts'
import { root } from './settings.ts'

const folder = join(root, 'studio')
const marker = join(root, '.data', 'studio-build')

export function studioExists(): boolean {
  return existsSync(join(folder, 'sanity.cli.ts')) || existsSync(join(folder, 'sanity.config.ts'))
}

/** Returns whether it had to be built. Rejects with the builder's own last lines. */
export async function buildStudio(contentEnv: Record<string, string>): Promise<boolean> {
  // no addresses: the program that serves it supplies them (serve-studio.ts), so one build fits every port
  const env = {
    ...BUILD_ENV,
    SANITY_STUDIO_PROJECT_ID: contentEnv['SANITY_PROJECT_ID'] ?? '',
    SANITY_STUDIO_DATASET: contentEnv['SANITY_DATASET'] ?? 'production',
  }
  const key = createHash('sha256').update(JSON.stringify(env)).update(hashOf(folder)).digest('hex')
  if (existsSync(join(folder, 'dist', 'index.html')) && existsSync(marker) && readFileSync(marker, 'utf8') === key)
    return false
  const cli = join(root, 'node_modules', 'sanity', 'bin', 'sanity')
  const { ok, output } = await runTool([cli, 'build', 'dist', '--yes'], { cwd: folder, env })
  if (!ok) throw new Error(`The Studio could not be built:\n${output.split('\n').slice(-20).join('\n')}`)
  mkdirSync(dirname(marker), { recursive: true })
  writeFileSync(marker, key)
  return true
}

function hashOf(path: string): string {
  const hash = createHash('sha256')
  const walk = (at: string) => {
    for (const name of readdirSync(at).sort()) {
      if (['node_modules', 'dist', 'dataset', '.sanity'].includes(name)) continue
      const file = join(at, name)
      if (statSync(file).isDirectory()) walk(file)
      else hash.update(relative(folder, file)).update(readFileSync(file))
    }
  }
  walk(path)
  return hash.digest('hex')
}
