/**
 * Two publishers on one folder, one that is killed at work, and a build that fails half-way: the site stays whole.
 * DEATHS: how often one that builds is killed and started again, once unless set.
 */
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import * as programs from '../../scripts/programs.ts'
import { HASHED, recordOf } from '../../scripts/builds/builds.ts'
import { releaseSite } from '../../scripts/site-build.ts'
import { pagesOf, sitemapOf } from './built.ts'
import { builderOf, canPublish, type Publishing, startPublishing } from './publishing.ts'

const DEATHS = Number(process.env['DEATHS'] ?? 1)
const TIMEOUT = 180_000 + DEATHS * 60_000

describe.skipIf(!canPublish)('publishers of one site', () => {
  let place: Publishing
  const shown = () => place.shown()
  const edit = (age: number) => place.client().patch('testimonial-js').set({ age }).commit()
  beforeAll(async () => {
    place = await startPublishing()
  })
  afterAll(() => place.close())

  /** The process that builds, once it is another one than `last` and has begun to write. */
  const builderAfter = async (last: number): Promise<number> => {
    let pid = last
    const found = () => {
      pid = builderOf(place) ?? last
      return pid !== last && place.isWriting()
    }
    await expect.poll(found, { timeout: 170_000 }).toBe(true)
    return pid
  }

  test(
    'K-04 two build a publish once; one killed while it builds changes nothing, and the other goes on',
    async () => {
      const two = [await place.startPublisher(), await place.startPublisher()]
      const before = { build: shown(), journal: place.noted() }
      let [asking, asked] = [true, 0]
      const missing: number[] = []
      const visitor = (async () => {
        for (; asking; asked++) {
          const { status } = await fetch(place.url)
          if (status !== 200) missing.push(status)
          await sleep(50)
        }
      })()
      onTestFinished(() => void (asking = false))
      await edit(71)
      for (let deaths = 0, last = 0; deaths < DEATHS; deaths++) {
        if (deaths > 0) two.push(await place.startPublisher(false))
        last = await builderAfter(last)
        const builder = two.find(({ child }) => child.pid === last)
        if (!builder) throw new Error(`process ${last} builds, and is no publisher`)
        builder.child.kill('SIGKILL')
        await builder.ended
        expect(shown()).toBe(before.build)
      }
      // the other one follows, with a build from the start
      await expect.poll(shown, { timeout: 170_000 }).not.toBe(before.build)
      const page = await (await fetch(place.url)).text()
      expect(page).toContain('</html>')
      await expect.poll(() => place.unfinished()).toEqual([])
      // who began after the edit cannot say whose it was
      const by: unknown = expect.stringMatching(/^published by (Local token|publisher)$/)
      await expect.poll(() => place.noted()).toEqual([...before.journal, by])
      asking = false
      await visitor
      console.info(`${DEATHS} publishers killed while they built; ${missing.length} of ${asked} pages were missing`)
      expect(missing).toEqual([])
      await Promise.all(two.map((one) => one.stop()))
    },
    TIMEOUT,
  )

  test('K-06 a build that fails half-way changes nothing: site, builds and journal stay as they were', async () => {
    await edit(72)
    const before = {
      build: shown(),
      journal: place.noted(),
      builds: readdirSync(place.builds).filter((one) => !/lease/.test(one)),
    }
    let refused = 0
    const lake = createServer((request, response) => {
      if (place.isWriting()) {
        refused++
        response.writeHead(500).end()
        return
      }
      const headers = { 'X-Sanity-Project-ID': 'local0001' }
      void fetch(`http://127.0.0.1:${place.world.ports.lake}${request.url}`, { headers }).then(async (answer) => {
        const type = answer.headers.get('content-type') ?? ''
        response.writeHead(answer.status, { 'content-type': type }).end(Buffer.from(await answer.arrayBuffer()))
      })
    }).listen(0, '127.0.0.1')
    await once(lake, 'listening')
    const host = `http://127.0.0.1:${(lake.address() as AddressInfo).port}`
    const env = { ...programs.contentEnv(place.world), SANITY_API_HOST: host }
    try {
      await expect(releaseSite(env, place.builds, { site: place.site, who: 'test' })).rejects.toThrow(
        /could not be built/,
      )
    } finally {
      lake.close()
      lake.closeAllConnections()
    }
    expect(refused).toBeGreaterThan(0)
    const after = readdirSync(place.builds).filter((one) => !/lease/.test(one))
    expect({ build: shown(), journal: place.noted(), builds: after }).toEqual(before)
    expect((await fetch(place.url)).status).toBe(200)
  })

  test('K-04 what is published while a build is made is in one of its own name, and in none before', async () => {
    await edit(73)
    const env = programs.contentEnv(place.world)
    const done = releaseSite(env, place.builds, { site: place.site, who: 'test' })
    await expect.poll(() => place.isWriting(), { timeout: 120_000 }).toBe(true)
    const { _rev: revision } = await edit(74)
    const { folder, live } = await done
    expect(live).toBe(true)
    expect(recordOf(folder)?.documents['testimonial-js']).toBe(revision)
    // nothing is left of what was begun
    expect(place.unfinished()).toEqual([])
    const { documents = {} } = recordOf(realpathSync(place.site)) ?? {}
    expect(documents['testimonial-js']).toBe(revision)
  })

  describe('what an editor gave, in the site that is built of it', () => {
    let svg = ''
    let folder = ''
    beforeAll(async () => {
      const client = place.client()
      // the root of a drawing program's file may be longer than the part in which Astro looks for it
      const root = `width="30" height="10" data-note="${'x'.repeat(1_100)}" xmlns="http://www.w3.org/2000/svg"`
      const drawing = Buffer.from(`<svg ${root}><circle r="9"/></svg>`)
      svg = (await client.assets.upload('image', drawing, { filename: 'logo.svg' }))._id
      const logo = { _type: 'picture', asset: { _type: 'reference', _ref: svg } }
      const parties = { gtmId: 'GTM-ABC123', metaPixelId: '4711471147' }
      const change = client.transaction().patch('press-quiet-desk', { set: { logo } })
      await change.patch('settings', { set: parties }).commit()
      vi.stubEnv('SITE_URL', 'https://eyes.example')
      const env = programs.contentEnv(place.world)
      folder = (await releaseSite(env, place.builds, { site: place.site, who: 'test' })).folder
    })
    afterAll(() => vi.unstubAllEnvs())

    test('G-01 V-03 the sitemap of a site that knows its address names pages that exist, all open ones', () => {
      expect(readFileSync(join(folder, 'robots.txt'), 'utf8')).toMatch(/^Sitemap: https:\/\/eyes\.example\//m)
      const open = pagesOf(folder).flatMap(({ shell, html }) => {
        const [, address] = /<link rel="canonical" href="([^"]+)"/.exec(html) ?? []
        return address ? [{ path: `/${shell}`, address }] : []
      })
      expect(open.map(({ address }) => address)).toEqual(open.map(({ path }) => `https://eyes.example${path}`))
      expect(sitemapOf(folder)?.sort()).toEqual(open.map(({ path }) => path).sort())
    })

    test('K-01 K-06 an SVG is a picture like any other', () => {
      const [, name = ''] = /^image-(\w+-30x10)-svg$/.exec(svg) ?? []
      const made = readdirSync(join(folder, HASHED)).filter((file) => file.startsWith(name))
      expect(made).toEqual([expect.stringMatching(/\.webp$/)])
      expect(readFileSync(join(folder, HASHED, made[0] ?? '')).toString('latin1', 0, 12)).toMatch(/^RIFF.{4}WEBP$/s)
    })

    test('T-01 open pages name and let in tag manager and pixel, a question or a checkout never', async () => {
      const said = async (path: string) => {
        const answer = await fetch(`${place.url}${path}`)
        const policy = answer.headers.get('content-security-policy') ?? ''
        const [, named] = /<meta name="third-parties" content="([^"]*)"/.exec(await answer.text()) ?? []
        return [answer.status, named, ['googletagmanager.com', 'facebook.net'].map((host) => policy.includes(host))]
      }
      for (const path of ['/', '/women-over60']) {
        expect(await said(path), path).toEqual([200, 'gtm=GTM-ABC123; pixel=4711471147', [true, true]])
      }
      for (const path of ['/quiz', '/checkout', '/app/']) {
        expect(await said(path), path).toEqual([200, undefined, [false, false]])
      }
    })
  })
})
