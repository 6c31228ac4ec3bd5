/**
 * `npm run licences`: the licences of everything in a production install, as a table; exits with 1 when one is not
 * allowed.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Command } from 'commander'
import { root } from './settings.ts'

/**
 * Licences that let us sell a service built with the package. LGPL and MPL require only the library's own source to be
 * available, and we use it unchanged.
 */
const ALLOWED = new Set([
  ...['MIT', 'MIT-0', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0', 'Python-2.0'],
  ...['CC0-1.0', 'Unlicense', 'Public Domain', 'CC-BY-4.0', 'OFL-1.1', 'MPL-2.0', 'LGPL-3.0-or-later'],
])
/** Packages whose manifest names its licence in an older way. */
const READ_BY_HAND: Readonly<Record<string, string>> = { 'md5-o-matic': 'MIT' }

export interface LockedPackage {
  /** Set when the folder has another name. */
  name?: string
  version?: string
  license?: string
  dev?: boolean
  link?: boolean
  hasInstallScript?: boolean
}

/** The packages of the lockfile by their folder (`node_modules/…`), without the parts of this repository. */
export function lockedPackages(): [folder: string, LockedPackage][] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  return Object.entries(lock.packages).filter(([folder, { link }]) => folder.includes('node_modules/') && !link)
}

export const nameOf = (folder: string): string => folder.slice(folder.lastIndexOf('node_modules/') + 13)

/** An SPDX expression: one of `OR`, all of `AND`. */
export function isAllowed(licence: string): boolean {
  const parts = (text: string, word: string) => text.replace(/[()]/g, '').split(` ${word} `)
  return parts(licence, 'OR').some((one) => parts(one, 'AND').every((part) => ALLOWED.has(part)))
}

/** Licence → packages, of a production install. */
export function licences(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [folder, { license, dev, version }] of lockedPackages()) {
    if (dev) continue
    const licence = license ?? READ_BY_HAND[nameOf(folder)] ?? 'none named'
    found.set(licence, [...(found.get(licence) ?? []), `${nameOf(folder)} ${version}`])
  }
  return found
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  new Command('npm run licences')
    .description('The licences of everything in a production install; fails on one that is not allowed.')
    .showHelpAfterError()
    .parse()
  for (const [licence, packages] of [...licences()].sort()) {
    const mark = isAllowed(licence) ? '' : '  NOT ALLOWED'
    process.stdout.write(`${String(packages.length).padStart(5)}  ${licence}${mark}\n`)
    if (mark || packages.length < 4) process.stdout.write(packages.map((one) => `         ${one}\n`).join(''))
    if (mark) process.exitCode = 1
  }
}
