/**
 * The release before: the newest tag, else the last commit before the newest migration, which is the oldest code that
 * may run on this schema. From the repository's history, with the packages of this checkout.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../scripts/settings.ts'

const git = (...args: string[]): Buffer =>
  execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 30 })
const said = (...args: string[]): string | undefined => {
  try {
    return (
      git(...args)
        .toString()
        .trim() || undefined
    )
  } catch {
    return undefined
  }
}

/** Its commit; undefined where there is no history (a download, a shallow clone). */
export function previousRelease(): string | undefined {
  const tag = said('describe', '--tags', '--abbrev=0', 'HEAD^')
  if (tag) return tag
  const newest = readdirSync(join(root, 'db/migrations'))
    .filter((name) => /^\d{14}-/.test(name))
    .sort()
    .at(-1)
  const added = said('log', '--diff-filter=A', '--format=%H', '-1', '--', `db/migrations/${newest}`)
  return added && said('rev-parse', '--verify', `${added}^`)
}

/** Its files in a folder of their own. Throws for a name that the history does not know. */
export function checkOut(commit: string): { folder: string; remove(): void } {
  if (!said('rev-parse', '--verify', `${commit}^{commit}`)) throw new Error(`${commit} is no commit of this repository`)
  const folder = mkdtempSync(join(tmpdir(), 'eye-previous-'))
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit), stdio: ['pipe', 'ignore', 'inherit'] })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Puts the migrations of this checkout in the place of its own: its code and its tests then meet the new schema. */
export function withNewSchema(folder: string): void {
  rmSync(join(folder, 'db/migrations'), { recursive: true })
  cpSync(join(root, 'db/migrations'), join(folder, 'db/migrations'), { recursive: true })
}
