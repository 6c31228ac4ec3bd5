/**
 * What may run inline on a built page: only what our templates or Astro wrote, each listed by its hash in the page's
 * policy.
 */
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { stop as stopEsbuild } from 'esbuild'
import type { InlineHashes } from '../src/site/headers.ts'
import { paintedDirective } from '../src/site/painted-islands.ts'
import { root } from './settings.ts'

/** The attribute of our own inline scripts, with the mark of their build (src/site/build-mark.ts). */
export const markAttribute = (mark: string): string => ` data-of-build="${mark}"`

/** The scripts that Astro itself puts beside an island, as its package contains or generates them. */
export async function frameworkScripts(): Promise<ReadonlySet<string>> {
  const astro = join(root, 'node_modules', 'astro', 'dist')
  const runtime = join(astro, 'runtime')
  const directives = (await import(pathToFileURL(join(astro, 'core', 'client-directive', 'build.js')).href)) as {
    buildClientDirectiveEntrypoint: (name: string, entrypoint: string, root: URL) => Promise<string>
  }
  const { name, entrypoint } = paintedDirective
  const painted = await directives
    .buildClientDirectiveEntrypoint(name, entrypoint, pathToFileURL(`${root}/`))
    // its process would stay, and once that has died every later build of this one fails
    .finally(() => stopEsbuild())
  const files = ['client', 'server'].flatMap((folder) =>
    readdirSync(join(runtime, folder))
      .filter((name) => name.endsWith('.prebuilt.js'))
      .map((name) => join(runtime, folder, name)),
  )
  const texts = await Promise.all(
    files.map(async (file) => ((await import(pathToFileURL(file).href)) as { default: string }).default),
  )
  return new Set([...texts, painted])
}

/**
 * Removes the marks from a page and lists its inline scripts and styles for the policy. Throws for a script written
 * neither by our templates nor by Astro: it came with content, and hashing the finished page would allow it.
 */
export function inlinePolicy(
  html: string,
  known: { mark: string; framework: ReadonlySet<string> },
): { html: string; hashes: InlineHashes } {
  const mark = markAttribute(known.mark)
  for (const [, attributes = '', text = ''] of inlineScripts(html)) {
    if (attributes.includes(mark) || known.framework.has(text)) continue
    throw new Error(`An inline script that no template wrote: "${text.trim().slice(0, 80)}"`)
  }
  const clean = html.replaceAll(mark, '')
  return { html: clean, hashes: inlineHashes(clean) }
}

/**
 * CSP source expressions of everything inline that takes effect: scripts without src (except data blocks) and style
 * elements.
 */
export function inlineHashes(html: string): { scripts: string[]; styles: string[] } {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const scripts = inlineScripts(html).map(([, , text = '']) => hash(text))
  const styles = [...html.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style>/gi)].map(([, text = '']) => hash(text))
  return { scripts: [...new Set(scripts)], styles: [...new Set(styles)] }
}

function inlineScripts(html: string): RegExpExecArray[] {
  return [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)].filter(
    ([, attributes = '']) => !/\ssrc\s*=/.test(attributes) && !/type="?application\//.test(attributes),
  )
}
