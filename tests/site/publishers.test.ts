/**
 * Two publishers on one folder, one that is killed at work, and a build that fails half-way: the site stays whole.
 * DEATHS: how often one that builds is killed and started again, once unless set.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@sanity/client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { launch, type Running, untilReady } from '../../scripts/processes.ts'
import * as programs from '../../scripts/programs.ts'
import { recordOf } from '../../scripts/releases/builds.ts'
import { journal } from '../../scripts/releases/journal.ts'
import { publish } from '../../scripts/releases/releases.ts'
import { anyPort } from '../../db/ports.ts'
import { newSecrets, type Ports, usualPorts } from '../../scripts/settings.ts'
import { workplaceOf } from '../../scripts/releases/workplace.ts'
import { releaseSite } from '../../scripts/site-build.ts'
import { createFrontDoor } from '../../src/site/local-server.ts'
import { builtFolder } from './built.ts'

const DEATHS = Number(process.env['DEATHS'] ?? 1)
const TIMEOUT = 180_000 + DEATHS * 60_000

const dist = builtFolder()
// under its own name it is known to show what a fresh lake has
const name = dist ? basename(realpathSync(dist)) : ''
const usable = /^[0-9a-f]{16}$/.test(name)

describe.skipIf(!usable)('publishers of one site', () => {
  const data = mkdtempSync(join(tmpdir(), 'eye-publishers-'))
  // on another mount than the checkout, as under a unit: nothing can be moved from one to the other
  const builds = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'eye-builds-'))
  const site = join(builds, 'site')
  const ports: Ports = { ...usualPorts }
  const world: programs.World = { ports, secrets: newSecrets(), databaseUrl: '', dataDir: data, configured: {} }
  const door = createFrontDoor({ apiUrl: 'http://127.0.0.1:9', dist: site })
  const running: Running[] = []
  let url = ''

  const start = async (program: programs.Program): Promise<Running> => {
    const one = launch(program, { logDir: join(data, program.readyUrl.replace(/\W+/g, '-')) })
    running.push(one)
    await untilReady(one, program.readyUrl)
    return one
  }
  /** `idle`: nothing is to be built, so it soon says that all is live. */
  const startPublisher = async (idle = true) => {
    world.ports.publisher = await anyPort()
    const program = programs.publisher(world, { site, builds })
    const started = await start(program)
    if (!idle) return started
    const status = async () => ((await (await fetch(program.readyUrl)).json()) as { state: string }).state
    await expect.poll(status, { timeout: 120_000 }).toBe('live')
    return started
  }
  const shown = () => basename(realpathSync(site))
  const published = () => journal(builds, site).map(({ what, who }) => `${what} by ${who.replace(/@.*/, '')}`)
  /** What a build is making, or left behind. */
  const unfinished = () => readdirSync(builds).filter((one) => /^[0-9a-f]{16}\.(?!json$)/.test(one))
  const isWriting = () => existsSync(join(workplaceOf(join(builds, 'any')), '_astro'))
  const edit = (age: number) =>
    createClient({
      ...{ projectId: 'local0001', dataset: 'production', apiVersion: '2026-03-01', token: world.secrets.lakeToken },
      ...{ apiHost: `http://127.0.0.1:${world.ports.lake}`, useProjectHostname: false, useCdn: false },
    })
      .patch('testimonial-js')
      .set({ age })
      .commit()

  beforeAll(async () => {
    cpSync(realpathSync(dist!), join(builds, name), { recursive: true })
    if (existsSync(`${realpathSync(dist!)}.json`)) cpSync(`${realpathSync(dist!)}.json`, join(builds, `${name}.json`))
    await publish(join(builds, name), site, 'test')
    world.ports.lake = await anyPort()
    await start(programs.lake(world))
    door.listen(0, '127.0.0.1')
    await once(door, 'listening')
    url = `http://127.0.0.1:${(door.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    door.close()
    door.closeAllConnections()
    await Promise.all(running.map((one) => one.stop()))
    for (const folder of [builds, data]) rmSync(folder, { recursive: true, force: true })
  })

  /** The process that builds, once it is another one than `last` and has begun to write. */
  const builderAfter = async (last: number): Promise<number> => {
    let pid = last
    const found = () => {
      const lease = readdirSync(builds).find((one) => one.startsWith('build.lease.'))
      if (lease) pid = (JSON.parse(readFileSync(join(builds, lease), 'utf8')) as { pid: number }).pid
      return lease !== undefined && pid !== last && isWriting()
    }
    await expect.poll(found, { timeout: 170_000 }).toBe(true)
    return pid
  }

  test(
    'K-04 two build a publish once; one killed while it builds changes nothing, and the other goes on',
    async () => {
      const two = [await startPublisher(), await startPublisher()]
      const before = { build: shown(), journal: published() }
      let [asking, asked] = [true, 0]
      const missing: number[] = []
      const visitor = (async () => {
        for (; asking; asked++) {
          const { status } = await fetch(url)
          if (status !== 200) missing.push(status)
          await sleep(50)
        }
      })()
      onTestFinished(() => void (asking = false))
      await edit(71)
      for (let deaths = 0, last = 0; deaths < DEATHS; deaths++) {
        if (deaths > 0) two.push(await startPublisher(false))
        last = await builderAfter(last)
        const builder = two.find(({ child }) => child.pid === last)
        if (!builder) throw new Error(`process ${last} builds, and is no publisher`)
        builder.child.kill('SIGKILL')
        await builder.ended
        expect(shown()).toBe(before.build)
      }
      // the other one follows, with a build from the start
      await expect.poll(shown, { timeout: 170_000 }).not.toBe(before.build)
      const page = await (await fetch(url)).text()
      expect(page).toContain('</html>')
      await expect.poll(unfinished).toEqual([])
      // who began after the edit cannot say whose it was
      const by: unknown = expect.stringMatching(/^published by (Local token|publisher)$/)
      await expect.poll(published).toEqual([...before.journal, by])
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
      journal: published(),
      builds: readdirSync(builds).filter((one) => !/lease/.test(one)),
    }
    let refused = 0
    const lake = createServer((request, response) => {
      if (isWriting()) {
        refused++
        response.writeHead(500).end()
        return
      }
      const headers = { 'X-Sanity-Project-ID': 'local0001' }
      void fetch(`http://127.0.0.1:${world.ports.lake}${request.url}`, { headers }).then(async (answer) => {
        const type = answer.headers.get('content-type') ?? ''
        response.writeHead(answer.status, { 'content-type': type }).end(Buffer.from(await answer.arrayBuffer()))
      })
    }).listen(0, '127.0.0.1')
    await once(lake, 'listening')
    const host = `http://127.0.0.1:${(lake.address() as AddressInfo).port}`
    const env = { ...programs.contentEnv(world), SANITY_API_HOST: host }
    try {
      await expect(releaseSite(env, builds, { site, who: 'test' })).rejects.toThrow(/could not be built/)
    } finally {
      lake.close()
      lake.closeAllConnections()
    }
    expect(refused).toBeGreaterThan(0)
    const after = readdirSync(builds).filter((one) => !/lease/.test(one))
    expect({ build: shown(), journal: published(), builds: after }).toEqual(before)
    expect((await fetch(url)).status).toBe(200)
  })

  test('K-04 what is published while a build is made is in one of its own name, and in none before', async () => {
    await edit(73)
    const env = programs.contentEnv(world)
    const done = releaseSite(env, builds, { site, who: 'test' })
    await expect.poll(isWriting, { timeout: 120_000 }).toBe(true)
    const { _rev: revision } = await edit(74)
    const { folder, live } = await done
    expect(live).toBe(true)
    expect(recordOf(folder)?.documents['testimonial-js']).toBe(revision)
    // nothing is left of what was begun
    expect(unfinished()).toEqual([])
    const { documents = {} } = recordOf(realpathSync(site)) ?? {}
    expect(documents['testimonial-js']).toBe(revision)
  })
})
