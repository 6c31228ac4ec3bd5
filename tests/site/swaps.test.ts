/**
 * The built site is swapped again and again, forwards and back, while visitors ask for pages and, at any time later,
 * for the files of those pages: from our front door, and from nginx where there is one. SWAPS: how many, 20 unless set.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildsIn, recordOf } from '../../scripts/builds/builds.ts'
import { journal } from '../../scripts/builds/journal.ts'
import { anyPort } from '../../db/ports.ts'
import { createFrontDoor } from '../../src/site/local-server.ts'
import { findNginx, startNginx } from '../support/nginx.ts'
import type { Started } from '../support/started.ts'
import { numberOf } from '../support/variants.ts'
import { builtFolder } from './built.ts'

const SWAPS = Number(process.env['SWAPS'] ?? 20)
/** Fewer than there are swaps: files outlive their builds too. */
const KEPT = 8
const PAGES = ['/', '/quiz', '/checkout', '/app/', '/multi-upsell', '/legal/privacy', '/women-over60', '/no-such-page']

const dist = builtFolder()
const nginx = findNginx()
if (!nginx) console.info('nginx is not installed here: swaps are tried behind our own front door alone')

describe.skipIf(!dist)('a site that is swapped under its visitors', () => {
  // beside nothing else: nginx runs as root, and the links are followed from here
  const place = mkdtempSync(join(tmpdir(), 'eye-swaps-'))
  const [builds, site, records] = [join(place, 'builds'), join(place, 'site'), join(place, 'records')]
  const door = createFrontDoor({ apiUrl: 'http://127.0.0.1:9', dist: site })
  const doors: [name: string, url: string][] = []
  let server: Started | undefined

  beforeAll(async () => {
    mkdirSync(records)
    door.listen(0, '127.0.0.1')
    await once(door, 'listening')
    doors.push(['front door', `http://127.0.0.1:${(door.address() as AddressInfo).port}`])
    if (!nginx) return
    const block = readFileSync(join(dist!, 'nginx.conf'), 'utf8')
      .replace('root /usr/share/nginx/html;', `root ${site};`)
      .replace('payments-service:4242', '127.0.0.1:9')
      .replaceAll('/var/log/nginx', place)
    server = await startNginx(block, { place, port: await anyPort() })
    doors.push(['nginx', server.url])
  })
  afterAll(async () => {
    door.close()
    door.closeAllConnections()
    await server?.stop()
    rmSync(place, { recursive: true, force: true })
  })

  /** Resolves with how long each rollback took. */
  const swapAll = async (): Promise<number[]> => {
    const args = [
      join(import.meta.dirname, '../support/swapper.ts'),
      dist!,
      builds,
      site,
      `${SWAPS}`,
      `${KEPT}`,
      records,
    ]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (text: Buffer) => (output += text.toString()))
    await once(child, 'close')
    return JSON.parse(output) as number[]
  }

  test('K-04 every page is of one build and finds all its files, whatever was published or taken back', async () => {
    const seen = { pages: 0, files: 0, builds: new Set<number>() }
    const trouble: string[] = []
    const wanted: { door: string; url: string; from: number }[] = []
    let swapping = true

    const ask = async ([name, url]: (typeof doors)[number], path: string, from?: number) => {
      const { status, body } = await answerOf(url + path)
      if (status !== 200 && path !== '/no-such-page') trouble.push(`${name}: ${path} of build ${from} → ${status}`)
      return body
    }
    const visit = async (which: (typeof doors)[number]) => {
      while (swapping) {
        const path = PAGES[Math.floor(Math.random() * PAGES.length)] ?? '/'
        const html = await ask(which, path)
        seen.pages++
        const number = numberOf(html)
        seen.builds.add(number)
        // what is mixed: a page that names a file which its own build does not have
        const own = filesOfBuild(records, number)
        const named = [...new Set(html.match(/(?<=\/_astro\/)[\w.-]+\.(?:js|css|woff2|webp|svg)/g))]
        if (Number.isNaN(number) || named.length === 0) trouble.push(`${which[0]}: ${path} is no whole page`)
        for (const file of named) if (!own.has(file)) trouble.push(`${path} of build ${number} names ${file}`)
        // the files that a page fetches later are all of its build
        const later = [...own][Math.floor(Math.random() * own.size)] ?? ''
        wanted.push({ door: which[0], url: `${which[1]}/_astro/${later}`, from: number })
        for (const file of named.slice(0, 3)) await ask(which, `/_astro/${file}`, number)
        const old = wanted[Math.floor(Math.random() * wanted.length)]
        if (old) await askAgain(old)
      }
    }
    const askAgain = async ({ door: name, url, from }: (typeof wanted)[number]) => {
      const { status } = await answerOf(url)
      seen.files++
      if (status !== 200) trouble.push(`${name}: ${url} of build ${from} → ${status}`)
    }

    const swapped = swapAll()
    await expect.poll(() => existsSync(join(site, 'index.html'))).toBe(true)
    const visitors = doors.flatMap((which) => [visit(which), visit(which)])
    const milliseconds = await swapped
    swapping = false
    await Promise.all(visitors)
    // a tab that was left open all the while
    for (const one of wanted) await askAgain(one)

    const swaps = journal(builds, site).length
    const slowest = Math.max(...milliseconds).toFixed(0)
    console.info(
      `${swaps} swaps behind ${doors.map(([name]) => name).join(' and ')}: ${seen.pages} pages of ` +
        `${seen.builds.size} builds, ${seen.files} files asked for later, ${trouble.length} missing or mixed; ` +
        `a rollback took at most ${slowest} ms`,
    )
    expect(trouble.slice(0, 10)).toEqual([])
    expect(seen.builds.size).toBeGreaterThan(2)
    expect(buildsIn(builds).length).toBeLessThanOrEqual(KEPT + 1)
  })
})

const known = new Map<number, Set<string>>()
/** The hashed files of a build, also of one that is gone by now. */
function filesOfBuild(records: string, number: number): Set<string> {
  const record = known.get(number) ?? recordOf(join(records, number.toString(16).padStart(16, '0')))?.files ?? []
  const files = new Set([...record].filter((one) => !/\.(br|gz)$/.test(one)))
  known.set(number, files)
  return files
}

/** By a connection of its own, compressed as a browser asks. */
function answerOf(url: string): Promise<{ status: number; body: string }> {
  return new Promise((done, fail) => {
    get(url, { agent: false, headers: { 'accept-encoding': 'gzip' } }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', fail)
      answer.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const body = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
        done({ status: answer.statusCode ?? 0, body: body.toString() })
      })
    }).on('error', fail)
  })
}
