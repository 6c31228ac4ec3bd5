import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Scripts up to this many bytes only wait for the page's load and ask for the real one: a request each would be dearer.
 */
const STARTER_BYTES = 512

/**
 * The page with its starters inside, so that nothing but pictures and fonts is asked for before it has painted
 * (measured on a slow phone: two tiny files put the largest paint off by 0.4 s). What they import later is named from
 * the root. `attribute` says that they are ours (inline-policy.ts).
 */
export function inlineStarters(html: string, folder: string, attribute = ''): string {
  return html.replace(/<script type="module" src="(\/_astro\/[^"]+\.js)"><\/script>/g, (tag, url: string) => {
    const file = join(folder, url)
    if (!existsSync(file) || statSync(file).size > STARTER_BYTES) return tag
    const code = readFileSync(file, 'utf8')
      .trim()
      // Vite's loader, which astro.config.mjs makes as short as this
      .replace(/^import\{\w+ as (\w+)\}from"\.\/preload-helper\.[\w-]+\.js";/, 'const $1=load=>load();')
      .replace(/import\(([`"'])\.\//g, 'import($1/_astro/')
    // anything else that it needs at once keeps it a file
    if (/\bimport\s*["'{*]|\bfrom\s*["'`]|<\//.test(code)) return tag
    return `<script type="module"${attribute}>${code}</script>`
  })
}
