/** The root folder of the image: Node, what it needs, the commands, and the bill of all that. */
import { chmodSync, copyFileSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { billOfMaterials } from '../sbom.ts'
import { root } from '../settings.ts'
import { bundleCommands } from './commands.ts'
import { librariesOf, type SystemPackage, systemPackagesOf } from './libraries.ts'

/** The user that everything runs as; nothing in the image is theirs. */
export const USER = 10001

const nodeFolder = join(root, 'node_modules', 'node')

/** Writes the contents of the image into an empty folder. `moment`: as the bill's date. */
export async function writeContents(folder: string, moment: Date): Promise<void> {
  const put = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const copy = (from: string, path: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    copyFileSync(from, join(folder, path))
  }
  const packages = await bundleCommands(join(folder, 'app'))
  put('app/package.json', '{ "type": "module" }\n')
  const node = join(nodeFolder, 'bin', 'node')
  const libraries = librariesOf(node)
  copy(node, 'usr/local/bin/node')
  for (const library of libraries) copy(library, library)
  put('etc/passwd', `funnel:x:${USER}:${USER}::/app:/sbin/nologin\n`)
  put('etc/group', `funnel:x:${USER}:\n`)
  put('etc/nsswitch.conf', 'hosts: files dns\n')
  mkdirSync(join(folder, 'tmp'))

  const system = systemPackagesOf(libraries)
  put('usr/share/sbom.cdx.json', `${JSON.stringify(bill(packages, system, moment), null, 1)}\n`)
  for (const { name } of system) copy(`/usr/share/doc/${name}/copyright`, `usr/share/doc/${name}/copyright`)
  for (const one of packages) {
    for (const name of globSync('{LICEN[SC]E,licen[sc]e,NOTICE}*', { cwd: join(root, one) })) {
      if (/\.[jt]s$/.test(name)) continue
      copy(join(root, one, name), `usr/share/doc/${one}/${name}`)
    }
  }
  fixModes(folder)
}

/** What was copied has the modes of this machine's files, which may differ on the next one. */
function fixModes(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    const runs = entry.isDirectory() || /(\/bin\/node|\.so[.\d]*)$/.test(path)
    chmodSync(path, runs ? 0o755 : 0o644)
  }
  chmodSync(folder, 0o755)
  chmodSync(join(folder, 'tmp'), 0o1777)
}

/** `npm run sbom`, of what the image has of it, with Node and the system's libraries. */
function bill(packages: readonly string[], system: readonly SystemPackage[], moment: Date): object {
  const manifest = (folder: string) =>
    JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { name: string; version: string }
  const refs = new Set(packages.map(manifest).map(({ name, version }) => `${name}@${version}`))
  for (const name of ['contract', 'db', 'payments-service']) refs.add(`@funnel/${name}@${manifest(name).version}`)
  const { serialNumber: _, metadata, components, dependencies, ...whole } = billOfMaterials()
  const found = components.filter((one) => refs.has(one['bom-ref']))
  const lost = [...refs].filter((ref) => !found.some((one) => one['bom-ref'] === ref))
  if (lost.length > 0) throw new Error(`No part of a production install: ${lost.join(', ')}`)
  const { version } = JSON.parse(readFileSync(join(nodeFolder, 'package.json'), 'utf8')) as { version: string }
  return {
    ...whole,
    metadata: { ...metadata, timestamp: moment.toISOString() },
    components: [
      ...found,
      { 'bom-ref': `node@${version}`, type: 'platform', name: 'node', version, purl: `pkg:generic/node@${version}` },
      ...system.map((one) => ({
        'bom-ref': `${one.name}@${one.version}`,
        type: 'library',
        ...one,
        purl: `pkg:deb/debian/${one.name}@${encodeURIComponent(one.version)}`,
      })),
    ],
    dependencies: dependencies.flatMap(({ ref, dependsOn = [] }) =>
      refs.has(ref) ? [{ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }] : [],
    ),
  }
}
