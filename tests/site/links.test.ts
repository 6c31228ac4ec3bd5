/** No page of the built site has a dead link, a missing anchor or an address of a developer's machine. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { belongsToSite } from '../../contract/site-routes.ts'
import { classOf } from '../../src/site/host-files.ts'
import { addressesIn, builtFolder, filesOf, pagesOf, problemOf, sitemapOf } from './built.ts'

const folder = builtFolder()

test('the checks see a dead link, a missing anchor, a missing picture size and a circle', () => {
  const place = mkdtempSync(join(tmpdir(), 'links-'))
  mkdirSync(join(place, 'legal/privacy'), { recursive: true })
  writeFileSync(join(place, 'index.html'), '<p id="top">')
  writeFileSync(join(place, 'legal/privacy/index.html'), '')
  writeFileSync(join(place, 'a.webp'), '')
  const pages = pagesOf(place)
  const home = pages.find(({ shell }) => shell === '')
  const problem = (address: string) => home && problemOf(address, home, place, pages)
  expect(addressesIn('<img src="/a.webp" srcset="/b.webp 1x, /c.webp 2x"><a href="mailto:a@b.c">')).toEqual([
    '/a.webp',
    '/b.webp',
    '/c.webp',
  ])
  for (const good of ['/', '#top', '/a.webp', '/legal/privacy', '/privacy', '/api/x', 'https://elsewhere.example/']) {
    expect(problem(good), good).toBeUndefined()
  }
  for (const bad of ['/nothing', '#bottom', '/b.webp', '/legal/other', 'http://elsewhere.example/', '/quiz']) {
    expect(problem(bad), bad).toBeTypeOf('string')
  }
  rmSync(place, { recursive: true })
})

describe.skipIf(!folder)(
  `the built site${folder ? '' : ' (skipped: nothing is built; npm run build, or npm test)'}`,
  () => {
    const place = folder ?? ''
    const pages = folder ? pagesOf(folder) : []

    test('G-01 G-02 V-01 every link, picture and script leads somewhere, every anchor exists', () => {
      expect(pages.length).toBeGreaterThan(10)
      const problems = pages.flatMap((page) =>
        addressesIn(page.html)
          .map((address) => [address, problemOf(address, page, place, pages)] as const)
          .filter(([, problem]) => problem)
          .map(([address, problem]) => `/${page.shell}: ${address} ${problem}`),
      )
      expect(problems).toEqual([])
    })

    test('V-03 every folder of the site is an address that no article may have, or an article', () => {
      const folders = readdirSync(place, { withFileTypes: true }).flatMap((one) =>
        one.isDirectory() ? [one.name] : [],
      )
      // no article's address begins with a dot
      const free = folders.filter((name) => !name.startsWith('.') && !belongsToSite(`/${name}`))
      expect(free).toEqual(['screen-tired-eyes', 'women-over60'])
    })

    test('X-02 G-02 what scripts link to leads somewhere too', () => {
      const text = filesOf(place)
        .filter((file) => file.endsWith('.js'))
        .map((file) => readFileSync(file, 'utf8'))
        .join('\n')
      const links = [
        ...new Set([...text.matchAll(/href:[`"'](\/[a-z0-9/_-]*)[`"']/g)].map(([, address = '']) => address)),
      ]
      expect(links).toEqual(expect.arrayContaining(['/privacy', '/terms']))
      const home = pages.find(({ shell }) => shell === '')
      const dead = links.filter((address) => home && problemOf(address, home, place, pages))
      expect(dead).toEqual([])
    })

    test('K-02 no placeholder is left in what search engines and readers without scripts see', () => {
      const visible = (html: string) => html.replace(/<(script|style)[\s\S]*?<\/\1>|<astro-island[^>]*>|<[^>]+>/g, ' ')
      const left = pages
        .filter(({ shell }) => classOf(shell) === 'public')
        .flatMap(({ shell, html }) => (visible(html).match(/\{[A-Za-z]+\}/g) ?? []).map((one) => `/${shell}: ${one}`))
      expect(left).toEqual([])
    })

    test('N-01 no page names an address of the machine that built it', () => {
      const named = pages.flatMap(({ shell, html }) =>
        (html.match(/(?:localhost|127\.0\.0\.1)(?::\d+)?/g) ?? []).map((one) => `/${shell}: ${one}`),
      )
      expect(named).toEqual([])
    })

    test('V-01 G-01 every page has a language, one h1 and a title; public ones say how they are shared', () => {
      const titles = new Map<string, string>()
      for (const { shell, html } of pages) {
        expect(html, shell).toMatch(/<html lang="en"/)
        const title = /<title>([^<]+)<\/title>/.exec(html)?.[1] ?? ''
        expect(title, shell).not.toBe('')
        const isPublic = classOf(shell) === 'public' && !/(^|\/)(404|500)$/.test(shell)
        expect(/<meta name="robots" content="noindex/.test(html), shell).toBe(!isPublic)
        if (!isPublic) continue
        expect(html.match(/<h1[\s>]/g), shell).toHaveLength(1)
        expect(html, shell).toMatch(/<meta name="description" content="[^"]{20,}"/)
        expect(titles.get(title), `${shell}: ${title}`).toBeUndefined()
        titles.set(title, shell)
        const picture = /property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? ''
        expect(existsSync(join(place, new URL(picture, 'https://x.example').pathname)), `${shell}: ${picture}`).toBe(
          true,
        )
      }
    })

    test('A-05 L-01 an icon on a home screen opens the programme for members, and the site for everybody else', () => {
      const starts = new Map(
        pages.map(({ shell, html }) => {
          const [, manifest = ''] = /<link rel="manifest" href="([^"]+)"/.exec(html) ?? []
          const said = JSON.parse(readFileSync(join(place, manifest), 'utf8')) as { start_url: string; scope: string }
          expect(said.scope, shell).toBe('/')
          return [shell, said.start_url]
        }),
      )
      const members = ['app', 'exit', 'mail-link', 'update-payment']
      expect(members.map((shell) => starts.get(shell))).toEqual(members.map(() => '/app/'))
      expect(['', 'quiz', 'checkout'].map((shell) => starts.get(shell))).toEqual(['/', '/', '/'])
    })

    test('G-01 robots.txt lets search engines read, and a sitemap names pages that exist', () => {
      const robots = readFileSync(join(place, 'robots.txt'), 'utf8')
      expect(robots).toContain('User-agent: *')
      const canonicals = pages.flatMap(({ shell, html }) => {
        const [, href] = /<link rel="canonical" href="([^"]+)"/.exec(html) ?? []
        return href ? [{ shell, href }] : []
      })
      expect(canonicals.length).toBeGreaterThan(5)
      expect(
        canonicals.filter(({ shell, href }) => new URL(href, 'https://x.example').pathname !== `/${shell}`),
      ).toEqual([])
      // all of it or nothing: only a site that knows its address (SITE_URL) has a sitemap
      const named = sitemapOf(place)
      expect(canonicals.filter(({ href }) => href.startsWith('https:') !== Boolean(named))).toEqual([])
      expect(/^Sitemap: https:/m.test(robots)).toBe(Boolean(named))
      expect(named?.filter((path) => !pages.some(({ shell }) => `/${shell}` === path)) ?? []).toEqual([])
    })
  },
)
