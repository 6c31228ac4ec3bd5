/** A site with its content lake and its publishers, as they run on a server: each can end and be started again. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createClient, type SanityClient } from '@sanity/client'
import { expect, vi } from 'vitest'
import { anyPort } from '../../db/ports.ts'
import { launch, type Running, untilReady } from '../../scripts/processes.ts'
import * as programs from '../../scripts/programs.ts'
import { journal } from '../../scripts/builds/journal.ts'
import { showBuild } from '../../scripts/builds/live.ts'
import { workplaceOf } from '../../scripts/builds/workplace.ts'
import { newSecrets, type Ports, usualPorts } from '../../scripts/settings.ts'
import { createFrontDoor } from '../../src/site/local-server.ts'
import { builtFolder } from './built.ts'

const dist = builtFolder()
const name = dist ? basename(realpathSync(dist)) : ''
/** Under its own name a build is known to show what a fresh lake has. */
export const canPublish = /^[0-9a-f]{16}$/.test(name)

export interface Publishing {
  world: programs.World
  /** The folder of builds, and the link to one of them. */
  builds: string
  site: string
  /** The front door. */
  url: string
  lake: Running
  startLake(): Promise<void>
  /** `idle`: nothing is to be built, so it soon says that all is live. */
  startPublisher(idle?: boolean): Promise<Running>
  /** With a token, as an import has; `editor`: signed in to the Studio. */
  client(editor?: boolean): SanityClient
  /** The name of the build that is live. */
  shown(): string
  /** What was noted in the journal: `published by Local token`. */
  noted(): string[]
  /** What a build is making, or left behind. */
  unfinished(): string[]
  isWriting(): boolean
  close(): Promise<void>
}

export async function startPublishing(): Promise<Publishing> {
  const data = mkdtempSync(join(tmpdir(), 'eye-publishers-'))
  // on another mount than the checkout, as under a unit: nothing can be moved from one to the other
  const builds = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'eye-builds-'))
  const site = join(builds, 'site')
  const ports: Ports = { ...usualPorts, lake: await anyPort() }
  const world: programs.World = { ports, secrets: newSecrets(), databaseUrl: '', dataDir: data, configured: {} }
  const running: Running[] = []
  const start = async (program: programs.Program): Promise<Running> => {
    const one = launch(program, { logDir: join(data, program.readyUrl.replace(/\W+/g, '-')), append: true })
    running.push(one)
    await untilReady(one, program.readyUrl)
    return one
  }
  const built = realpathSync(dist!)
  cpSync(built, join(builds, name), { recursive: true })
  if (existsSync(`${built}.json`)) cpSync(`${built}.json`, join(builds, `${name}.json`))
  await showBuild(join(builds, name), site, 'test')
  const lake = await start(programs.lake(world))
  const door = createFrontDoor({ apiUrl: 'http://127.0.0.1:9', dist: site })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  const place: Publishing = {
    world,
    builds,
    site,
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    lake,
    async startLake() {
      place.lake = await start(programs.lake(world))
    },
    async startPublisher(idle = true) {
      world.ports.publisher = await anyPort()
      const program = programs.publisher(world, { site, builds })
      const started = await start(program)
      if (!idle) return started
      const status = async () => ((await (await fetch(program.readyUrl)).json()) as { state: string }).state
      await vi.waitFor(async () => expect(await status()).toBe('live'), { timeout: 120_000 })
      return started
    },
    client: (editor = false) =>
      createClient({
        ...{ projectId: 'local0001', dataset: 'production', apiVersion: '2026-03-01', perspective: 'raw' },
        ...{ apiHost: `http://127.0.0.1:${ports.lake}`, useProjectHostname: false, useCdn: false },
        ...(editor ? { headers: { Origin: `http://localhost:${ports.studio}` } } : { token: world.secrets.lakeToken }),
      }),
    shown: () => basename(realpathSync(site)),
    noted: () => journal(builds, site).map(({ what, who }) => `${what} by ${who.replace(/@.*/, '')}`),
    unfinished: () => readdirSync(builds).filter((one) => /^[0-9a-f]{16}\.(?!json$)/.test(one)),
    isWriting: () => existsSync(join(workplaceOf(join(builds, 'any')), '_astro')),
    async close() {
      door.close()
      door.closeAllConnections()
      await Promise.all(running.map((one) => one.stop()))
      for (const folder of [builds, data]) rmSync(folder, { recursive: true, force: true })
    },
  }
  return place
}

/** The process that builds, by the lease. */
export function builderOf({ builds }: Publishing): number | undefined {
  const lease = readdirSync(builds).find((one) => one.startsWith('build.lease.'))
  return lease ? (JSON.parse(readFileSync(join(builds, lease), 'utf8')) as { pid: number }).pid : undefined
}
