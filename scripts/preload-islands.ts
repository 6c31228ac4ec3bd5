import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The page with all its islands' files listed in the head, where the island renders what the visitor came for; without
 * this the browser discovers the files one after another, after the page (measured on a slow phone: the checkout's
 * terms, its largest paint, came 0.7 s later). One that waits for the paint (`client:painted="listed"`) gives way to
 * what is painted. The files of other islands come after the paint.
 */
export function preloadIslands(html: string, folder: string): string {
  const tags = [...html.matchAll(/<astro-island\b[^>]*>/g)].map(([tag]) => tag)
  const painted = tags.filter((tag) => tag.includes('&quot;value&quot;:&quot;listed&quot;'))
  const islands = [...tags.filter((tag) => / client="load"/.test(tag)), ...painted]
  const waiting = islands.flatMap((tag) =>
    [...tag.matchAll(/\s(?:component-url|renderer-url)="\/_astro\/([^"]+\.js)"/g)].map(([, name = '']) => name),
  )
  const found = new Set<string>()
  for (const name of waiting) {
    const file = join(folder, '_astro', name)
    if (found.has(name) || !existsSync(file)) continue
    found.add(name)
    for (const [, next = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+\.js)["'`]/g,
    )) {
      waiting.push(next)
    }
  }
  const priority = painted.length ? ' fetchpriority="low"' : ''
  const links = [...found].map((name) => `<link rel="modulepreload"${priority} href="/_astro/${name}">`).join('')
  return html.replace('</head>', `${links}</head>`)
}
