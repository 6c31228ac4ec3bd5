/** The whole product for one worker: its own database, sandbox, lake, service and front door, on free ports. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../db/connect.ts'
import { launch, mustRun, type Running, untilReady } from '../../scripts/processes.ts'
import * as programs from '../../scripts/programs.ts'
import { anyPort, newSecrets, type PortName, type Ports, root, usualPorts } from '../../scripts/settings.ts'
import { createTestDatabase } from './database.ts'

export interface Stack {
  /** The front door: what a browser opens. */
  url: string
  apiUrl: string
  lakeUrl: string
  stripeUrl: string
  db: Database
  databaseUrl: string
  secrets: programs.World['secrets']
  /** Folder of the programs' logs and data (`stripe/` is the sandbox's ledger). */
  dataDir: string
  /** The last lines each program wrote, for a failing test. */
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

/** Starts everything and resolves when all of it answers. `env` is added to the service's environment. */
export async function startStack(options: { env?: Record<string, string> } = {}): Promise<Stack> {
  const database = await createTestDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'eye-stack-'))
  const ports: Ports = { ...usualPorts }
  for (const name of Object.keys(ports) as PortName[]) ports[name] = await anyPort()
  const secrets = newSecrets()
  // Nothing of the machine's own configuration: a journey never talks to a real Stripe, Sanity or mail server.
  const world: programs.World = { ports, secrets, dataDir, configured: {}, databaseUrl: database.url }
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
  }
  try {
    const embedded = programs.standIns(world)
    await Promise.all([
      embedded.lake && run(programs.lake(world)),
      embedded.stripe && run(programs.stripeSandbox(world)),
      embedded.mailbox && run(programs.mailbox(world)),
      run(programs.frontDoor(world, { dist: siteDist() })),
    ])
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
    db: database.db,
    databaseUrl: database.url,
    secrets,
    dataDir,
    logs,
    stop,
  }
}
