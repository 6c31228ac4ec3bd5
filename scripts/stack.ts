/** Starts the programs in the order they need each other, watches them, and stops them in the reverse order. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { addressesOf, printLate, printTable } from './addresses.ts'
import { checkSettings, withSecrets } from './check-settings.ts'
import { keepUp } from './keep-up.ts'
import { messageOf } from '../db/command.ts'
import { createParts, type Parts } from './parts.ts'
import { launch } from './processes.ts'
import * as programs from './programs.ts'
import { claimRun } from './run-file.ts'
import { freePorts, keptSecrets, readDotEnv, root, wantedPorts } from './settings.ts'
import { type Stack, startApi, startDatabase, startEditors, startSite } from './stack-parts.ts'
import { checkRoom, withAdvice } from './trouble.ts'

const dataDir = join(root, '.data')
/** The settings of the service, while it runs (db/named-database.ts reads them). */
const SERVICE = 'service.json'
/** How long the table of addresses waits for the editors' programs when everything else is up. */
const PATIENCE_MS = 3_000

/**
 * Runs until a signal, or exits with 1 when a program does not come up at the start; one that dies later is restarted.
 */
export async function runStack({ mode, command }: { mode: Stack['mode']; command: Command }): Promise<void> {
  const began = Date.now()
  let release = (): void => undefined
  const parts = createParts(() => release())
  const onSignal = () => {
    if (!parts.ending()) process.stdout.write('\nStopping …\n')
    void parts.end(0)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  process.on('SIGHUP', onSignal)

  try {
    mkdirSync(dataDir, { recursive: true })
    const unclaim = claimRun(dataDir)
    release = () => {
      // keys are in it, some of them perhaps from the environment alone
      rmSync(join(dataDir, SERVICE), { force: true })
      unclaim()
    }
    const narrow = checkRoom(dataDir)
    if (narrow) say(narrow)
    const world = await surroundings(command)
    const stack: Stack = { mode, world, parts, say, run: runner(mode, parts) }
    await startForBuyers(stack)
    await announce(stack, startEditors(stack), began)
  } catch (error) {
    if (!parts.ending()) console.error(`\n${withAdvice(messageOf(error))}`)
    await parts.end(1)
  }
}

/** Settings, free ports and the secrets of this clone. */
async function surroundings(command: Command): Promise<programs.World> {
  readDotEnv()
  const configured = withSecrets(process.env)
  const { ports: wanted, asked } = wantedPorts(command, configured)
  const ports = await freePorts(wanted)
  for (const name of asked) {
    if (wanted[name] !== 0 && ports[name] !== wanted[name])
      say(`Port ${wanted[name]} is taken: ${name} is at ${ports[name]}`)
  }
  const secrets = keptSecrets(dataDir)
  const world = { ports, secrets, dataDir, configured, databaseUrl: configured['DATABASE_URL'] ?? '' }
  await checkSettings(world)
  return world
}

/** Starts programs, keeps them up and adds them to the parts. */
function runner(mode: Stack['mode'], parts: Parts): Stack['run'] {
  const logDir = join(dataDir, 'logs')
  return async (program, watch = false) => {
    const ending = parts.ending()
    if (ending) await ending
    const args = watch ? ['--watch', '--watch-preserve-output', ...program.args] : program.args
    const output = mode === 'dev' ? { onOutput: prefixed } : {}
    const kept = keepUp({
      start: (append) => launch({ ...program, args }, { logDir, append, ...output }),
      readyUrl: program.readyUrl,
      say: (line) => console.error(line),
    })
    parts.add(kept)
    await kept.ready
  }
}

/** Everything a buyer needs. Content, payments, mail and the database depend on nothing; they start side by side. */
async function startForBuyers(stack: Stack): Promise<void> {
  const { world, run } = stack
  const embedded = programs.standIns(world)
  const database = startDatabase(stack)
  const lake = embedded.lake ? (say('Starting the content lake …'), run(programs.lake(world))) : undefined
  const stripe = embedded.stripe ? run(programs.stripeSandbox(world)) : undefined
  const mail = embedded.mailbox ? run(programs.mailbox(world)) : undefined
  const meta = embedded.meta ? run(programs.meta(world)) : undefined
  const site = (async () => {
    await lake
    await startSite(stack)
  })()
  const api = (async () => {
    await Promise.all([database, stripe, mail])
    await startApi(stack)
  })()
  await Promise.all([database, lake, stripe, mail, meta, site, api])
}

/** Prints the table of addresses; what the editors' programs bring later follows when they are up. */
async function announce({ world, parts }: Stack, editors: Promise<void>, began: number): Promise<void> {
  const atOnce = await Promise.race([
    editors.then(() => true),
    new Promise<false>((no) => setTimeout(no, PATIENCE_MS, false)),
  ])
  const store = () => {
    const addresses = addressesOf(world, parts.names())
    keep('addresses.json', addresses)
    return addresses
  }
  const shown = store()
  keep(SERVICE, programs.service(world).env)
  printTable(
    shown,
    Date.now() - began,
    [
      programs.cloneOperator(world) &&
        `Operator of this clone: ${programs.CLONE_OPERATOR}, password ${world.secrets.operatorPassword}`,
      atOnce ? '' : 'The Studio and its preview are being prepared; their addresses follow.',
    ]
      .filter(Boolean)
      .join('\n'),
  )
  if (atOnce) return
  await editors
  if (!parts.ending()) printLate(Object.fromEntries(Object.entries(store()).filter(([name]) => !(name in shown))))
}

/** For commands that are started beside us, and for their owner alone. */
function keep(name: string, values: Record<string, string>): void {
  writeFileSync(join(dataDir, name), `${JSON.stringify(values, null, 2)}\n`, { mode: 0o600 })
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function prefixed(name: string, text: string): void {
  process.stdout.write(text.replace(/^(?=.)/gm, `${name.padEnd(8)}│ `))
}
