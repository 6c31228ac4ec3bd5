/** What a built page weighs, compressed as it is served, and the floor that a bare React 19 island sets. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { runTool } from '../../scripts/processes.ts'
import { root } from '../../scripts/settings.ts'

/** Bytes after brotli at its best, as the build compresses. */
export const brotli = (text: string | Buffer): number =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length

export const pageOf = (dist: string, shell: string): string => readFileSync(join(dist, shell, 'index.html'), 'utf8')

/** The inline scripts of a page that run, without data blocks. */
export function inlineScripts(html: string): string[] {
  return [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter(([, attributes = '']) => !/\ssrc=|type="application\//.test(attributes))
    .map(([, , text = '']) => text)
}

/**
 * The files that a page needs for its islands and scripts, with all their static imports; dynamic imports are left out.
 */
export function scriptFiles(dist: string, html: string): string[] {
  const waiting = [...html.matchAll(/\s(?:component-url|renderer-url|src)="(\/_astro\/[^"]+\.js)"/g)].map(
    ([, url = '']) => url,
  )
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
  /** What is transferred: the page with everything inline, and its files. */
  total: number
}

export function weigh(dist: string, shell: string): Weight {
  const html = pageOf(dist, shell)
  const files = scriptFiles(dist, html).map((url) => brotli(readFileSync(join(dist, url))))
  const inline = inlineScripts(html).map((text) => brotli(text))
  const sum = (all: number[]) => all.reduce((one, other) => one + other, 0)
  return { html: brotli(html), script: sum(files) + sum(inline), total: brotli(html) + sum(files) }
}

/**
 * The floor: the folder of a site with nothing but the smallest React 19 island there is, a button that counts, built
 * by the same Astro with its defaults. Built once for the locked versions.
 */
export async function islandFloor(): Promise<string> {
  const versions = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
    .slice(0, 12)
  const place = join(root, '.data', 'bench', `island-${versions}`)
  const built = join(place, 'dist')
  if (existsSync(join(built, 'index.html'))) return built
  rmSync(place, { recursive: true, force: true })
  mkdirSync(join(place, 'src/pages'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'), 'junction')
  const files = {
    'package.json': JSON.stringify({
      name: 'island',
      type: 'module',
      private: true,
      dependencies: { astro: '*', '@astrojs/react': '*' },
    }),
    'astro.config.mjs': "import react from '@astrojs/react'\nexport default { integrations: [react()] }\n",
    'src/Island.jsx':
      "import { useState } from 'react'\nexport default function Island() {\n  const [count, set] = " +
      'useState(0)\n  return <button onClick={() => set(count + 1)}>{count}</button>\n}\n',
    'src/pages/index.astro':
      "---\nimport Island from '../Island.jsx'\n---\n<html " +
      'lang="en"><head><title>Island</title></head><body><Island client:load /></body></html>\n',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text)
  const { ok, output } = await runTool([join(root, 'node_modules/astro/bin/astro.mjs'), 'build'], {
    cwd: place,
    // vitest's own NODE_ENV would make it a development build of React, twice as large
    env: { ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' },
  })
  if (!ok) throw new Error(`the floor could not be built:\n${output.slice(-2000)}`)
  return built
}
