/**
 * What runs on pages that take money: the built payment pages against the reviewed inventory (payment-scripts.json),
 * and their policy.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/settings.ts'
import { contentSecurityPolicy, pageHeaders } from '../../src/site/headers.ts'
import { classOf } from '../../src/site/host-files.ts'
import { builtFolder, pagesOf } from './built.ts'
import inventory from './payment-scripts.json' with { type: 'json' }

const folder = builtFolder()

/** The islands of a page: names of their files without the hash. */
const islandsOf = (html: string) =>
  [...html.matchAll(/component-url="\/_astro\/([^"]+)"/g)].map(([, file = '']) => file)
const nameOf = (file: string) => file.replace(/\.[^.]+\.js$/, '')
const exportOf = (html: string) => [...html.matchAll(/component-export="([^"]+)"/g)].map(([, name = '']) => name)

/** Build files that a page loads: with `lazy` also those loaded on a press. */
function graph(place: string, start: readonly string[], lazy: boolean): string[] {
  const found = new Set<string>()
  const waiting = [...start]
  const imports = lazy
    ? /(?:from|import|import\()\s*["'`]\.\/([^"'`]+\.js)["'`]/g
    : /(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (found.has(file)) continue
    found.add(file)
    const text = readFileSync(join(place, '_astro', file), 'utf8')
    waiting.push(...[...text.matchAll(imports)].map(([, next = '']) => next))
  }
  return [...found]
}

test('C-13 N-02 the policy of a payment page: ours, by hash, and Stripe; nothing else, and nobody frames it', () => {
  const policy = contentSecurityPolicy('payment', { scripts: ["'sha256-a'"], styles: [] })
  const directive = (name: string) => new RegExp(`(?:^|; )${name} ([^;]*)`).exec(policy)?.[1]?.split(' ') ?? []
  expect(directive('default-src')).toEqual(["'none'"])
  expect(directive('object-src')).toEqual(["'none'"])
  expect(directive('base-uri')).toEqual(["'none'"])
  expect(directive('frame-ancestors')).toEqual(["'none'"])
  expect(directive('form-action')).toEqual(["'self'"])
  expect(policy).not.toMatch(/unsafe|\shttps?:(\s|;|$)|\s\*(\s|;|$)/)
  const hosts = [...policy.matchAll(/https?:\/\/[^\s;]+/g)].map(([host]) => host)
  expect([...new Set(hosts)].filter((host) => !(host in inventory.hosts))).toEqual([])

  const headers = pageHeaders('payment')
  expect(headers).toMatchObject({
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
    'Cache-Control': 'no-cache',
  })
  expect(headers['Permissions-Policy']).toBe(
    'camera=(), microphone=(), geolocation=(), payment=(self "https://js.stripe.com")',
  )
  expect(pageHeaders('session')['Permissions-Policy']).toContain('payment=()')
  expect(contentSecurityPolicy('session', { scripts: [], styles: [] })).not.toContain('stripe')
})

describe.skipIf(!folder)(`the payment pages${folder ? '' : ' (skipped: nothing is built)'}`, () => {
  const place = folder ?? ''
  const pages = folder ? pagesOf(folder).filter(({ shell }) => classOf(shell) === 'payment') : []
  const hashes = folder
    ? (JSON.parse(readFileSync(join(place, 'csp.json'), 'utf8')) as Record<string, { scripts: string[] }>)
    : {}

  test('C-13 each payment page is in the inventory, with the islands that it names', () => {
    const found = Object.fromEntries(pages.map(({ shell, html }) => [shell, exportOf(html)]))
    expect(found).toEqual(inventory.islands)
  })

  test('C-13 no script but ours by address, no inline script but those by hash, no handler in the markup', () => {
    for (const { shell, html } of pages) {
      for (const [tag, address] of html.matchAll(/<script[^>]*\ssrc="([^"]*)"/g)) {
        expect(address, `${shell}: ${tag}`).toMatch(/^\/_astro\/[\w.-]+\.js$/)
      }
      for (const file of [...islandsOf(html), ...html.matchAll(/renderer-url="\/_astro\/([^"]+)"/g)].flat()) {
        if (!file.startsWith('renderer'))
          expect(existsSync(join(place, '_astro', file)), `${shell}: ${file}`).toBe(true)
      }
      const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
        ([, code = '']) => code,
      )
      const nameOfCode = (code: string): string => {
        if (code.includes('astro-island[ssr] :is(')) return 'early'
        if (code.includes('astro-island')) return 'island'
        if (code.includes('.load=')) return 'load'
        if (code.includes('.painted=')) return 'painted'
        return /^[^/]*`\/_astro\/page\.client\.[\w-]+\.js`[^/]*$/.test(code) ? 'starter' : code
      }
      const own: Record<string, object | undefined> = inventory.inlineOf
      const named = Object.keys({ ...inventory.inline, ...own[shell] })
      expect(inline.map(nameOfCode).sort(), shell).toEqual(named.sort())
      // each of them is allowed by its own hash, in the header that the front door sends
      for (const code of inline) {
        const hash = `'sha256-${createHash('sha256').update(code).digest('base64')}'`
        expect(hashes[shell]?.scripts, shell).toContain(hash)
      }
      expect(html, shell).not.toMatch(/<[^>]+\son[a-z]+="/)
      expect(html, shell).not.toMatch(
        /<(iframe|object|embed|link rel="(preconnect|dns-prefetch|preload)" href="https?:)/,
      )
    }
  })

  test('C-13 T-01 the scripts of payment pages name no host but Stripe, and build no code from text', () => {
    for (const { shell, html } of pages) {
      const files = graph(
        place,
        [...islandsOf(html), ...[...html.matchAll(/renderer-url="\/_astro\/([^"]+)"/g)].map(([, file = '']) => file)],
        true,
      )
      for (const file of files) {
        const text = readFileSync(join(place, '_astro', file), 'utf8')
        const named = [...text.matchAll(/https?:\/\/[^\s"'`\\)]+/g)].map(([url]) => url)
        const unknown = named.filter(
          (url) =>
            ![...Object.keys(inventory.hosts), ...Object.keys(inventory.words)].some((known) => url.startsWith(known)),
        )
        expect(unknown, `${shell}: ${nameOf(file)}`).toEqual([])
        expect(text, `${shell}: ${nameOf(file)}`).not.toMatch(/\beval\(|new Function\(|document\.write/)
      }
    }
  })

  test('C-13 the packages that our payment code imports are in the inventory', () => {
    const known = Object.keys(inventory.packages)
    // these take no money, or only run during the build; a new folder counts until it is listed here
    const others = ['advertorial', 'cms', 'drafts', 'landing', 'legal', 'pages', 'quiz', 'site']
    for (const area of readdirSync(join(root, 'src')).filter((one) => !others.includes(one))) {
      for (const file of sources(join(root, 'src', area))) {
        const imported = [
          ...readFileSync(file, 'utf8').matchAll(/(?:from |import\(|import )['"]([@a-z][^'"\n]*)['"]/g),
        ].map(([, name = '']) => name)
        const packages = imported.map((name) =>
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        )
        expect(
          packages.filter((name) => !known.includes(name)),
          file,
        ).toEqual([])
      }
    }
  })

  // its weight is measured by the bench (tests/bench/budgets.test.ts)
  test('C-12 nothing of the payment form is in what the checkout needs before its dialog', () => {
    const html = pages.find(({ shell }) => shell === 'checkout')?.html ?? ''
    const renderer = [...html.matchAll(/renderer-url="\/_astro\/([^"]+)"/g)].map(([, file = '']) => file)
    const files = graph(place, [...islandsOf(html), ...renderer], false)
    expect(files.length).toBeGreaterThan(3)
    expect(files.map(nameOf).filter((name) => /PaymentModal|provider/.test(name))).toEqual([])
    const early = files.map((file) => readFileSync(join(place, '_astro', file), 'utf8')).join('\n')
    // Stripe's loader and the form come with the dialog, not before
    expect(early).not.toContain('js.stripe.com')
  })
})

function sources(area: string): string[] {
  return readdirSync(area, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
}
