/**
 * `npm run sbom`: the bill of materials of a production install (CycloneDX). npm lists a copy of the manifests and the
 * lockfile without the development parts, because `npm sbom --omit=dev` over the whole also drops packages that one
 * workspace needs only for development while another needs them at run time (Express, Kysely, the Stripe SDK).
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Command } from 'commander'
import { root } from './settings.ts'

/** The part of CycloneDX 1.5 that is read here; `bom-ref` and `ref` are `name@version`. */
interface Bill {
  serialNumber?: string
  metadata: object
  components: { 'bom-ref': string }[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

/** A package.json, or what the lockfile keeps of one. */
interface Manifest {
  name: string
  workspaces?: string[]
  scripts?: Record<string, string>
  devDependencies?: Record<string, string>
  dev?: boolean
}

const read = <Content>(file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Content

/** Folders of the workspaces: those in a production install, and the others. */
export function workspaces(): { installed: string[]; leftOut: string[] } {
  const { workspaces: all = [], scripts = {} } = read<Manifest>('package.json')
  const command = scripts['install:production'] ?? ''
  const installed = [...command.matchAll(/--workspace=(\S+)/g)].map(([, folder = '']) => folder)
  return { installed, leftOut: all.filter((folder) => !installed.includes(folder)) }
}

function forProduction({ devDependencies: _, ...manifest }: Manifest): Manifest {
  return manifest.workspaces ? { ...manifest, workspaces: workspaces().installed } : manifest
}

/** Writes the manifests and the lockfile of a production install into a folder. */
function copyForProduction(folder: string): void {
  const write = (file: string, content: object) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), JSON.stringify(content))
  }
  const { installed, leftOut } = workspaces()
  for (const file of ['package.json', ...installed.map((one) => `${one}/package.json`)]) {
    write(file, forProduction(read<Manifest>(file)))
  }
  const away = new Set(leftOut.flatMap((one) => [one, `node_modules/${read<Manifest>(`${one}/package.json`).name}`]))
  const lock = read<{ packages: Record<string, Manifest> }>('package-lock.json')
  const kept = Object.entries(lock.packages).filter(([path, { dev }]) => !dev && !away.has(path))
  const packages = Object.fromEntries(kept.map(([path, one]) => [path, forProduction(one)]))
  write('package-lock.json', { ...lock, packages })
}

/** Throws when npm cannot list the locked packages; its own message is then on stderr. */
export function billOfMaterials(): Bill {
  const parent = mkdtempSync(join(tmpdir(), 'sbom-'))
  try {
    // npm names the project after its folder
    const folder = join(parent, read<Manifest>('package.json').name)
    copyForProduction(folder)
    const listed = spawnSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
      maxBuffer: 2 ** 27,
      shell: process.platform === 'win32',
    })
    if (listed.error) throw listed.error
    if (listed.status !== 0) throw new Error(`npm sbom ended with ${listed.status}`)
    return JSON.parse(listed.stdout) as Bill
  } finally {
    rmSync(parent, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  new Command('npm run sbom')
    .description('The bill of materials of a production install (CycloneDX), into sbom.cdx.json.')
    .showHelpAfterError()
    .parse()
  process.stdout.write(`${JSON.stringify(billOfMaterials(), null, 2)}\n`)
}
