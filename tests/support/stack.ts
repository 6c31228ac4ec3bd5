/** The whole product for one worker: its own database, sandbox, lake, service and front door, on free ports. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Database } from '../../db/connect.ts'
import { buildDrafts } from '../../scripts/drafts-build.ts'
import { launch, mustRun, type Running, untilReady } from '../../scripts/processes.ts'
import * as programs from '../../scripts/programs.ts'
import { anyPort } from '../../db/ports.ts'
import { newSecrets, type PortName, type Ports, root, usualPorts } from '../../scripts/settings.ts'
import { showBuild } from '../../scripts/builds/live.ts'
import { buildStudio } from '../../scripts/studio-build.ts'
import { createTestDatabase } from './database.ts'

export interface Stack {
  /** The front door: what a browser opens. */
  url: string
  apiUrl: string
  lakeUrl: string
  stripeUrl: string
  /** These two answer only in a stack with `editors`. */
  studioUrl: string
  previewUrl: string
  publisherUrl: string
  /** The builds of that site; '' without `editors`. */
  buildsDir: string
  /** The local mailbox and its JSON API. */
  mailboxUrl: string
  /** The stand-in for Meta: the events that would be sent, as JSON at /events. */
  metaUrl: string
  db: Database
  databaseUrl: string
  secrets: programs.World['secrets']
  /** Folder of the programs' logs and data (`stripe/` is the sandbox's ledger). */
  dataDir: string
  /** Runs one of the service's commands in its environment; rejects when it fails. */
  command(args: string[]): Promise<void>
  /** The last lines of each program's log, for a failing test. */
  logs(): string
  stop(): Promise<void>
}

/** The built site the stack serves: SITE_DIST, as `npm test` sets it, else the last build. */
export function siteDist(): string {
  const dist = [process.env['SITE_DIST'], join(root, '.data', 'site'), join(root, 'dist')].find(
    (one) => one && existsSync(one),
  )
  if (!dist) throw new Error('There is no built site. Run: npm run build')
  return dist
}

export interface StackOptions {
  /** Added to the service's environment. */
  env?: Record<string, string>
  /** Also starts the Studio, the preview of drafts, and the publisher with a copy of the site that it may rebuild. */
  editors?: boolean
}

/** Starts everything and resolves once every program answers. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const database = await createTestDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'eye-stack-'))
  const ports: Ports = { ...usualPorts }
  for (const name of Object.keys(ports) as PortName[]) ports[name] = await anyPort()
  const secrets = newSecrets()
  // Nothing of the machine's own configuration: a journey never talks to a real Stripe, Sanity or mail server.
  const world: programs.World = {
    ports,
    secrets,
    dataDir,
    configured: { COUNTRY_HEADER: 'cf-ipcountry' },
    databaseUrl: database.url,
  }
  const site = options.editors ? await ownSite() : undefined
  const started: Running[] = []
  const run = async (program: programs.Program) => {
    const running = launch(program, { logDir: join(dataDir, 'logs') })
    started.push(running)
    await untilReady(running, program.readyUrl)
  }
  const logs = () => started.map((one) => `── ${one.name}\n${one.tail()}`).join('\n')
  const stop = async () => {
    for (const running of started.reverse()) await running.stop()
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
    if (site) rmSync(site.builds, { recursive: true, force: true })
  }
  try {
    const embedded = programs.standIns(world)
    await Promise.all([
      embedded.lake && run(programs.lake(world)),
      embedded.stripe && run(programs.stripeSandbox(world)),
      embedded.mailbox && run(programs.mailbox(world)),
      embedded.meta && run(programs.meta(world)),
      run(programs.frontDoor(world, { dist: site?.site ?? siteDist() })),
    ])
    if (site) {
      const [drafts, desk] = await Promise.all([
        buildDrafts(join(root, '.data', 'drafts')),
        buildStudio(programs.contentEnv(world)),
      ])
      await Promise.all([
        run(programs.studio(world, desk.folder)),
        run(programs.preview(world, drafts.folder)),
        run(programs.publisher(world, site)),
      ])
    }
    const catalogue = programs.catalogueSetup(world)
    if (catalogue) await mustRun('stripe:setup', catalogue)
    const service = programs.service(world)
    await run({ ...service, env: { ...service.env, ...options.env } })
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: programs.siteUrl(world),
    apiUrl: `http://127.0.0.1:${ports.api}`,
    lakeUrl: `http://127.0.0.1:${ports.lake}`,
    stripeUrl: `http://127.0.0.1:${ports.stripe}`,
    studioUrl: `http://localhost:${ports.studio}`,
    previewUrl: `http://localhost:${ports.preview}`,
    publisherUrl: `http://127.0.0.1:${ports.publisher}`,
    buildsDir: site?.builds ?? '',
    mailboxUrl: `http://127.0.0.1:${ports.mailbox}`,
    metaUrl: `http://127.0.0.1:${ports.meta}`,
    db: database.db,
    databaseUrl: database.url,
    secrets,
    dataDir,
    command: (args) => mustRun(args[0] ?? '', { args, env: { ...programs.service(world).env, ...options.env } }),
    logs,
    stop,
  }
}

/**
 * A copy of the built site that may be rebuilt. It is in the project's folder because a build resolves packages
 * upwards.
 */
async function ownSite(): Promise<{ site: string; builds: string }> {
  mkdirSync(join(root, '.data'), { recursive: true })
  const builds = mkdtempSync(join(root, '.data', 'journey-'))
  const built = realpathSync(siteDist())
  // under its own name it is known to show what the fresh lake has
  const first = join(builds, /^[0-9a-f]{16}$/.test(basename(built)) ? basename(built) : '0'.repeat(16))
  cpSync(built, first, { recursive: true })
  const site = join(builds, 'site')
  await showBuild(first, site, 'test')
  return { site, builds }
}
