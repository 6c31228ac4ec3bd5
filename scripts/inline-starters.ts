import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Scripts up to this many bytes only wait for the page's load and import the real one: a request each would cost more.
 */
const STARTER_BYTES = 512

/**
 * The page with its starters inlined, so that only pictures and fonts are requested before the first paint (measured on
 * a slow phone: two tiny files delayed the largest paint by 0.4 s). Their imports become root-relative. `attribute`
 * marks them as ours (inline-policy.ts).
 */
export function inlineStarters(html: string, folder: string, attribute = ''): string {
  return html.replace(/<script type="module" src="(\/_astro\/[^"]+\.js)"><\/script>/g, (tag, url: string) => {
    const file = join(folder, url)
    if (!existsSync(file) || statSync(file).size > STARTER_BYTES) return tag
    const code = readFileSync(file, 'utf8')
      .trim()
      // Vite's loader, which astro.config.mjs makes this short
      .replace(/^import\{\w+ as (\w+)\}from"\.\/preload-helper\.[\w-]+\.js";/, 'const $1=load=>load();')
      .replace(/import\(([`"'])\.\//g, 'import($1/_astro/')
    // if it imports anything else at once, it stays a file
    if (/\bimport\s*["'{*]|\bfrom\s*["'`]|<\//.test(code)) return tag
    return `<script type="module"${attribute}>${code}</script>`
  })
}
