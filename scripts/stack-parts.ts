/** Each part of the product as `npm start` and `npm run dev` start it. */
import { join } from 'node:path'
import { connect } from '../db/connect.ts'
import { ensureDatabase } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'
import { buildDrafts } from './drafts-build.ts'
import { keepDatabase } from './keep-database.ts'
import { messageOf } from '../db/command.ts'
import type { Parts } from './parts.ts'
import { mustRun } from './processes.ts'
import * as programs from './programs.ts'
import { whoAndWhere } from './builds/journal.ts'
import { releaseSite } from './site-build.ts'
import { buildStudio, studioExists } from './studio-build.ts'

export interface Stack {
  mode: 'built' | 'dev'
  world: programs.World
  parts: Parts
  say: (line: string) => void
  /** Starts a program and resolves when it is ready; `watch` restarts it when its files change. */
  run(program: programs.Program, watch?: boolean): Promise<void>
}

/** The database, embedded unless one is configured, at the newest migration; puts its address into `world`. */
export async function startDatabase({ world, parts, say }: Stack): Promise<void> {
  if (!world.databaseUrl) {
    say('Starting PostgreSQL …')
    const place = { dataDir: join(world.dataDir, 'postgres'), password: world.secrets.databasePassword, port: 5433 }
    const starting = keepDatabase(place, (line) => console.error(line))
    // Known before it is up, so that an early Ctrl-C leaves no server behind.
    parts.addFirst({
      name: 'database',
      stop: () =>
        starting.then(
          (server) => server.stop(),
          () => {},
        ),
    })
    world.databaseUrl = await ensureDatabase((await starting).url, 'funnel')
  }
  // a migration needs a connection of its own, past a pooler
  const direct = world.configured['DATABASE_URL_DIRECT'] || world.databaseUrl
  const { db, close } = connect(direct, { max: 2, name: 'migrate' })
  const applied = await migrate(db)
    .finally(close)
    .catch((error: unknown) => {
      const named = ['DATABASE_URL_DIRECT', 'DATABASE_URL'].find((name) => world.configured[name])
      throw named ? new Error(`The database of ${named} cannot be used: ${messageOf(error)}`, { cause: error }) : error
    })
  if (applied.length) say(`Database: ${applied.length} migrations applied`)
}

/** The site behind its front door: built from published content, or by the development server. */
export async function startSite({ mode, world, run, say }: Stack): Promise<void> {
  const { dataDir, ports } = world
  if (mode === 'dev') {
    await run(programs.devServer(world))
    return run(programs.frontDoor(world, { devUrl: `http://localhost:${ports.dev}` }))
  }
  say('Building the site, unless nothing changed …')
  const release = { site: join(dataDir, 'site'), who: whoAndWhere() }
  const build = await releaseSite(programs.contentEnv(world), join(dataDir, 'builds'), release)
  if (build.fresh) say('The site is built')
  if (!build.live) say('The site is pinned to an earlier build; npm run site:unpin ends that')
  return run(programs.frontDoor(world, { dist: join(dataDir, 'site') }))
}

/** The payments service, with its catalogue and its operator; what it needs is running already. */
export async function startApi({ mode, world, run, say }: Stack): Promise<void> {
  const catalogue = programs.catalogueSetup(world)
  if (catalogue) await mustRun('Setting up the catalogue in the payment sandbox', { ...catalogue, bare: true })
  const operator = programs.cloneOperator(world)
  if (operator) await mustRun("Making this clone's operator", { ...operator, bare: true })
  say('Starting the payments service …')
  await run(programs.service(world), mode === 'dev')
}

/**
 * The editors' programs. Buyers do not need them: the table does not wait for them, and their failures are reported,
 * not fatal.
 */
export async function startEditors({ mode, world, parts, run }: Stack): Promise<void> {
  if (!studioExists()) return
  const { dataDir } = world
  const desk: [string, () => Promise<unknown>][] = [
    [
      'The Studio',
      async () => {
        const { folder } = await buildStudio(programs.contentEnv(world))
        await run(programs.studio(world, folder))
      },
    ],
  ]
  if (programs.servesEditors(world)) {
    if (mode === 'built') {
      await run(programs.publisher(world, { site: join(dataDir, 'site'), builds: join(dataDir, 'builds') }))
    }
    desk.push([
      'The preview of drafts',
      async () => {
        const { folder } = await buildDrafts(join(dataDir, 'drafts'))
        await run(programs.preview(world, folder))
      },
    ])
  }
  // one after the other, so that a small machine can serve the site meanwhile
  for (const [name, start] of desk) {
    await start().catch((error: unknown) => {
      if (!parts.ending()) console.error(`${name} is not there: ${messageOf(error)}`)
    })
  }
}
