/** The listening programs of the product, each started as `npm start` does, for tests of how they handle HTTP. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, type Running, untilReady } from '../../scripts/processes.ts'
import * as programs from '../../scripts/programs.ts'
import { anyPort } from '../../db/ports.ts'
import { newSecrets, type PortName, type Ports, usualPorts } from '../../scripts/settings.ts'

export interface Listening {
  /** By name, as in the table of addresses: site, stripe, mailbox, meta, lake, studio, preview, publisher. */
  programs: Map<string, { running: Running; port: number }>
  world: programs.World
  stop(): Promise<void>
}

/** Starts every program that needs no database. The site and the Studio are small folders made here. */
export async function startListening(apiPort: number): Promise<Listening> {
  const folder = mkdtempSync(join(tmpdir(), 'eye-edges-'))
  const ports: Ports = { ...usualPorts }
  for (const name of Object.keys(ports) as PortName[]) ports[name] = await anyPort()
  ports.api = apiPort
  const world: programs.World = {
    ports,
    secrets: newSecrets(),
    dataDir: folder,
    configured: { LAKE_SEED: join(import.meta.dirname, '..', '..', 'studio', 'dataset') },
    databaseUrl: '',
  }
  const site = smallSite(join(folder, 'dist'))
  const drafts = smallDrafts(join(folder, 'drafts'))
  const wanted: [PortName, programs.Program][] = [
    ['lake', programs.lake(world)],
    ['stripe', programs.stripeSandbox(world)],
    ['mailbox', programs.mailbox(world)],
    ['meta', programs.meta(world)],
    ['site', programs.frontDoor(world, { dist: site })],
    ['studio', programs.studio(world, site)],
    ['preview', programs.preview(world, drafts)],
    // builds nothing here: the link it would swap does not point to a built site
    ['publisher', programs.publisher(world, { site: join(folder, 'link'), builds: join(folder, 'builds') })],
  ]
  const started: Listening['programs'] = new Map()
  const stop = async () => {
    await Promise.all([...started.values()].map(({ running }) => running.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    for (const [name, program] of wanted) {
      const running = launch(program, { logDir: join(folder, 'logs') })
      started.set(name, { running, port: ports[name] })
      // the publisher and the preview connect to the lake when they start
      if (name === 'lake') await untilReady(running, program.readyUrl)
    }
    await Promise.all(wanted.map(([name, { readyUrl }]) => untilReady(started.get(name)!.running, readyUrl)))
  } catch (error) {
    await stop()
    throw error
  }
  return { programs: started, world, stop }
}

function smallSite(folder: string): string {
  for (const shell of ['', 'checkout', 'legal/404', 'legal/privacy', '_astro']) {
    mkdirSync(join(folder, shell), { recursive: true })
    writeFileSync(join(folder, shell, 'index.html'), `<html><head></head><body>page ${shell}</body></html>`)
  }
  writeFileSync(join(folder, '404.html'), 'lost')
  writeFileSync(join(folder, 'a.js'), 'a file of a few words')
  writeFileSync(join(folder, 'csp.json'), '{}')
  return folder
}

/** A draft deployment with a single page: only its server is under test. */
function smallDrafts(folder: string): string {
  mkdirSync(join(folder, 'server'), { recursive: true })
  mkdirSync(join(folder, 'client'), { recursive: true })
  writeFileSync(join(folder, 'client', 'a.js'), 'a file of a few words')
  writeFileSync(
    join(folder, 'server', 'entry.mjs'),
    `export const handler = async (request, response) => {
       response.writeHead(200, { 'content-type': 'text/html' }).end('a draft')
     }`,
  )
  return folder
}

/** Sends one request as raw bytes; returns the raw answer, empty when the connection was closed without one. */
export function raw(port: number, request: string): Promise<string> {
  return new Promise((done) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.setTimeout(10_000, () => socket.destroy())
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')))
    socket.on('error', () => undefined)
    socket.on('close', () => done(answer))
  })
}

/** Status, headers (names in lower case) and body of an answer of `raw`. */
export function parsed(answer: string): { status: number; headers: Record<string, string>; body: string } {
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => [line.split(':')[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()])
  return { status: Number(first.split(' ')[1] ?? 0), headers: Object.fromEntries(headers), body: rest.join('\r\n\r\n') }
}
