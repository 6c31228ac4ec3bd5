/** Starts the programs in the order they need each other, watches them, and stops them in the reverse order. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../db/connect.ts'
import { ensureDatabase, startPostgres } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'
import { addressesOf, printLate, printTable } from './addresses.ts'
import { buildDrafts } from './drafts-build.ts'
import { keepUp } from './keep-up.ts'
import { launch, mustRun } from './processes.ts'
import * as programs from './programs.ts'
import { freePorts, keptSecrets, readDotEnv, root, wantedPorts } from './settings.ts'
import { buildSite, publish } from './site-build.ts'
import { buildStudio, studioExists } from './studio-build.ts'

const dataDir = join(root, '.data')
const runFile = join(dataDir, 'run.json')
/** How long the table of addresses waits for the editors' programs when everything else is up. */
const PATIENCE_MS = 3_000

/**
 * Runs until a signal, or exits with 1 when a program does not come up at the start; one that dies later is restarted.
 */
export async function runStack({ mode }: { mode: 'built' | 'dev' }): Promise<void> {
  const began = Date.now()
  const started: { name: string; stop(): Promise<void> }[] = []
  let ending: Promise<void> | undefined

  const end = (code: number): Promise<void> =>
    (ending ??= (async () => {
      for (const part of started.reverse()) {
        await part.stop().catch((error: unknown) => {
          console.error(`${part.name}: ${messageOf(error)}`)
          code = 1
        })
      }
      if (ownsRunFile) rmSync(runFile, { force: true })
      process.exit(code)
    })())
  let ownsRunFile = false
  const onSignal = () => {
    if (!ending) process.stdout.write('\nStopping …\n')
    void end(0)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  process.on('SIGHUP', onSignal)

  try {
    refuseTwice()
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(runFile, JSON.stringify({ pid: process.pid }))
    ownsRunFile = true
    readDotEnv()
    const configured = { ...process.env }
    const { ports: wanted, asked } = wantedPorts(process.argv.slice(2), configured)
    const ports = await freePorts(wanted)
    for (const name of asked) {
      if (wanted[name] !== 0 && ports[name] !== wanted[name])
        say(`Port ${wanted[name]} is taken: ${name} is at ${ports[name]}`)
    }
    const secrets = keptSecrets(dataDir)
    const world: programs.World = { ports, secrets, dataDir, configured, databaseUrl: configured['DATABASE_URL'] ?? '' }
    const embedded = programs.standIns(world)
    const logDir = join(dataDir, 'logs')
    const run = async (program: programs.Program, watch = false): Promise<void> => {
      if (ending) await ending
      const args = watch ? ['--watch', '--watch-preserve-output', ...program.args] : program.args
      const output = mode === 'dev' ? { onOutput: prefixed } : {}
      const kept = keepUp({
        start: (append) => launch({ ...program, args }, { logDir, append, ...output }),
        readyUrl: program.readyUrl,
        say: (line) => console.error(line),
      })
      started.push(kept)
      await kept.ready
    }

    // Content, payments, mail and the database depend on nothing; they start side by side.
    const database = (async () => {
      if (!world.databaseUrl) {
        say('Starting PostgreSQL …')
        const starting = startPostgres({
          dataDir: join(dataDir, 'postgres'),
          password: secrets.databasePassword,
          port: 5433,
        })
        // First in the list, so stopped last; known before it is up, so that an early Ctrl-C leaves no server behind.
        started.unshift({
          name: 'database',
          stop: () =>
            starting.then(
              (server) => server.stop(),
              () => {},
            ),
        })
        world.databaseUrl = await ensureDatabase((await starting).url, 'funnel')
      }
      const { db, close } = connect(world.databaseUrl, { max: 2, name: 'migrate' })
      const applied = await migrate(db).finally(close)
      if (applied.length) say(`Database: ${applied.length} migrations applied`)
    })()
    const lake = embedded.lake ? (say('Starting the content lake …'), run(programs.lake(world))) : undefined
    const stripe = embedded.stripe ? run(programs.stripeSandbox(world)) : undefined
    const mail = embedded.mailbox ? run(programs.mailbox(world)) : undefined
    const meta = embedded.meta ? run(programs.meta(world)) : undefined
    const site = (async () => {
      await lake
      if (mode === 'dev') {
        await run(programs.devServer(world))
        return run(programs.frontDoor(world, { devUrl: `http://localhost:${ports.dev}` }))
      }
      say('Building the site, unless nothing changed …')
      const build = await buildSite(programs.contentEnv(world), join(dataDir, 'builds'))
      publish(build.folder, join(dataDir, 'site'))
      if (build.fresh) say('The site is built')
      return run(programs.frontDoor(world, { dist: join(dataDir, 'site') }))
    })()
    // Buyers do not need the editors' programs: the table does not wait for them, and their failures are reported, not
    // fatal.
    const editors = async () => {
      if (!studioExists()) return
      const parts: [string, () => Promise<unknown>][] = [
        [
          'The Studio',
          async () => {
            await buildStudio(programs.contentEnv(world))
            await run(programs.studio(world))
          },
        ],
      ]
      if (programs.servesEditors(world)) {
        if (mode === 'built') {
          const folders = { site: join(dataDir, 'site'), builds: join(dataDir, 'builds') }
          await run(programs.publisher(world, folders))
        }
        parts.push([
          'The preview of drafts',
          async () => {
            const { folder } = await buildDrafts(join(dataDir, 'drafts'))
            await run(programs.preview(world, folder))
          },
        ])
      }
      // one after the other, so that a small machine can serve the site meanwhile
      for (const [name, start] of parts) {
        await start().catch((error: unknown) => {
          if (!ending) console.error(`${name} is not there: ${messageOf(error)}`)
        })
      }
    }
    const api = (async () => {
      await Promise.all([database, stripe, mail])
      const catalogue = programs.catalogueSetup(world)
      if (catalogue) await mustRun('Setting up the catalogue in the payment sandbox', catalogue)
      const operator = programs.cloneOperator(world)
      if (operator) await mustRun("Making this clone's operator", operator)
      say('Starting the payments service …')
      await run(programs.service(world), mode === 'dev')
    })()
    await Promise.all([database, lake, stripe, mail, meta, site, api])
    const desk = editors()
    const atOnce = await Promise.race([
      desk.then(() => true),
      new Promise<false>((no) => setTimeout(no, PATIENCE_MS, false)),
    ])
    const tell = () => {
      const addresses = addressesOf(world, new Set(started.map(({ name }) => name)))
      writeFileSync(join(dataDir, 'addresses.json'), `${JSON.stringify(addresses, null, 2)}\n`)
      return addresses
    }
    const shown = tell()
    printTable(
      shown,
      Date.now() - began,
      [
        programs.cloneOperator(world) &&
          `Operator of this clone: ${programs.CLONE_OPERATOR}, password ${secrets.operatorPassword}`,
        atOnce ? '' : 'The Studio and its preview are being prepared; their addresses follow.',
      ]
        .filter(Boolean)
        .join('\n'),
    )
    if (atOnce) return
    await desk
    if (!ending) printLate(Object.fromEntries(Object.entries(tell()).filter(([name]) => !(name in shown))))
  } catch (error) {
    if (!ending) console.error(`\n${messageOf(error)}`)
    await end(1)
  }

  function refuseTwice(): void {
    if (!existsSync(runFile)) return
    const { pid } = JSON.parse(readFileSync(runFile, 'utf8')) as { pid: number }
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    const addresses = join(dataDir, 'addresses.json')
    const where = existsSync(addresses)
      ? (JSON.parse(readFileSync(addresses, 'utf8')) as { site?: string }).site
      : undefined
    throw new Error(`This clone runs already (process ${pid}${where ? `, ${where}` : ''}). Stop that one first.`)
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function prefixed(name: string, text: string): void {
  process.stdout.write(text.replace(/^(?=.)/gm, `${name.padEnd(8)}│ `))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
