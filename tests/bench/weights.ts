/** What a built page weighs, compressed as it is served, and the floor that a bare React 19 island sets. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'esbuild'
import { root } from '../../scripts/settings.ts'

/** Bytes after brotli at its best, as the build compresses. */
export const brotli = (text: string | Buffer): number =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length

export const pageOf = (dist: string, shell: string): string => readFileSync(join(dist, shell, 'index.html'), 'utf8')

/** The scripts inside a page that run; data blocks are none. */
export function inlineScripts(html: string): string[] {
  return [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter(([, attributes = '']) => !/\ssrc=|type="application\//.test(attributes))
    .map(([, , text = '']) => text)
}

/** Files that a page needs for its islands and scripts, with all that they import; what is imported later is left out. */
export function scriptFiles(dist: string, html: string): string[] {
  const waiting = [...html.matchAll(/\s(?:component-url|renderer-url|src)="(\/_astro\/[^"]+\.js)"/g)].map(([, url = '']) => url) // prettier-ignore
  const found = new Set<string>()
  for (let url = waiting.pop(); url; url = waiting.pop()) {
    if (found.has(url)) continue
    found.add(url)
    const text = readFileSync(join(dist, url), 'utf8')
    for (const [, name = ''] of text.matchAll(/(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+\.js)["'`]/g)) {
      waiting.push(`/_astro/${name}`)
    }
  }
  return [...found].sort()
}

export interface Weight {
  html: number
  /** Inline scripts and files. */
  script: number
  /** What has to travel: the page with what stands in it, and its files. */
  total: number
}

export function weigh(dist: string, shell: string): Weight {
  const html = pageOf(dist, shell)
  const files = scriptFiles(dist, html).map((url) => brotli(readFileSync(join(dist, url))))
  const inline = inlineScripts(html).map((text) => brotli(text))
  const sum = (all: number[]) => all.reduce((one, other) => one + other, 0)
  return { html: brotli(html), script: sum(files) + sum(inline), total: brotli(html) + sum(files) }
}

/** The smallest React 19 island there is: one button that counts, hydrated. One file, minified. */
export async function reactFloor(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { createElement, useState } from 'react'
        import { hydrateRoot } from 'react-dom/client'
        const Island = () => { const [n, set] = useState(0); return createElement('button', { onClick: () => set(n + 1) }, n) }
        hydrateRoot(document.getElementById('island'), createElement(Island))`,
      resolveDir: root,
    },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return outputFiles[0]?.text ?? ''
}
