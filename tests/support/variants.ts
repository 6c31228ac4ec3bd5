/** Builds of the site that differ as a change of the programs makes them differ: some hashed files have other names. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { hashedIn, recordOf, writeRecord } from '../../scripts/builds/builds.ts'
import { linkOrCopy } from '../../scripts/builds/live.ts'

/** Replaces the number of a build, in names and texts. */
const NUMBER = '-0NUMBER0'

/** The number of the build that a page is of. */
export const numberOf = (html: string) => Number(/<!--build-(\d+)-->$/.exec(html)?.[1] ?? NaN)

/**
 * Makes copies of `dist` in `builds`: one in six of its scripts, and every file that mentions one of those, has the
 * number of the copy in its name, as new contents would give it a new hash.
 */
export function variantsOf(dist: string, builds: string): (number: number) => string {
  const from = realpathSync(dist)
  const hashed = recordOf(from)?.files ?? hashedIn(from)
  const names = renamed(from, hashed)
  const whole: string[] = []
  const texts = new Map<string, string>()
  /** Inline scripts that name changed files, as they are and as they become. */
  const inline = new Map<string, string>()
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const path = relative(from, join(entry.parentPath, entry.name))
    const isOthers = dirname(path) === '_astro' && !hashed.includes(entry.name)
    // the compressed copies of what changes are made of what it becomes
    const original = entry.name.replace(/\.(br|gz)$/, '')
    const changes = original.endsWith('.html') || original === 'csp.json' || names.has(original)
    if (!entry.isFile() || isOthers || (changes && original !== entry.name)) continue
    if (!changes) whole.push(path)
    else {
      const before = readFileSync(join(from, path), 'utf8')
      const become = (one: string) => [...names].reduce((text, [old, fresh]) => text.replaceAll(old, fresh), one)
      let text = become(before)
      if (path.endsWith('.html')) {
        text += `<!--build${NUMBER}-->`
        for (const [, script = ''] of before.matchAll(/<script[^>]*>([^<]+)<\/script>/g))
          inline.set(script, become(script))
      }
      texts.set(join(dirname(path), names.get(entry.name) ?? entry.name), text)
    }
  }
  return (number) => {
    const folder = join(builds, number.toString(16).padStart(16, '0'))
    // never half a build among the builds
    const work = `${folder}.making`
    const place = (path: string) => {
      const to = join(work, path)
      mkdirSync(dirname(to), { recursive: true })
      return to
    }
    for (const path of whole) linkOrCopy(join(from, path), place(path))
    for (const [path, text] of texts) {
      if (path === 'csp.json') continue
      const to = place(path.replace(NUMBER, `-${number}`))
      const own = text.replaceAll(NUMBER, `-${number}`)
      writeFileSync(to, own)
      writeFileSync(`${to}.gz`, gzipSync(own, { level: 1 }))
    }
    let policies = texts.get('csp.json') ?? '{}'
    for (const [before, text] of inline) {
      if (text !== before) policies = policies.replaceAll(hashOf(before), hashOf(text.replaceAll(NUMBER, `-${number}`)))
    }
    writeFileSync(place('csp.json'), policies)
    writeRecord(folder, {
      built: new Date().toISOString(),
      sources: basename(folder),
      documents: {},
      changed: [`variant ${number}`],
      files: hashedIn(work),
    })
    renameSync(work, folder)
    return folder
  }
}

const hashOf = (script: string) => `sha256-${createHash('sha256').update(script).digest('base64')}`

function renamed(dist: string, hashed: readonly string[]): Map<string, string> {
  const scripts = hashed.filter((one) => one.endsWith('.js')).sort()
  const names = new Map<string, string>()
  const rename = (one: string) => names.set(one, one.replace(/\.js$/, `${NUMBER}.js`))
  for (const [index, one] of scripts.entries()) if (index % 6 === 0) rename(one)
  const texts = scripts.map((one) => [one, readFileSync(join(dist, '_astro', one), 'utf8')] as const)
  // a file that names a changed file has changed
  for (let before = 0; before !== names.size;) {
    before = names.size
    for (const [one, text] of texts) {
      if (!names.has(one) && [...names.keys()].some((name) => text.includes(name))) rename(one)
    }
  }
  return names
}
