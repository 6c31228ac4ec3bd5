/**
 * The settings of a run: ports, secrets, and which embedded stand-ins are needed. `.env` and flags are read only here.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { anyPort, isFree } from '../db/ports.ts'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Every listening program and its usual port. */
export const usualPorts = {
  site: 4321,
  api: 4242,
  studio: 3333,
  lake: 3334,
  stripe: 4243,
  mailbox: 4280,
  preview: 4322,
  smtp: 4281,
  dev: 4323,
  publisher: 4324,
  meta: 4244,
} as const
export type PortName = keyof typeof usualPorts
export type Ports = Record<PortName, number>

/** What a build takes from its environment: pages, redirects, headers and the hosts' files differ with each. */
export const BUILD_VARIABLES = [
  'SITE_URL',
  'TRACKING_SCOPE',
  'PUBLIC_API_URL',
  'API_SERVERS',
  'HSTS_SUBDOMAINS',
  'NGINX_ROOT',
  'NGINX_LISTEN',
] as const

/** Made once per clone, random, kept in .data/secrets.json; for embedded programs only. */
export interface Secrets {
  databasePassword: string
  stripeSecretKey: string
  stripePublishableKey: string
  stripeWebhookSecret: string
  tokenSecret: string
  lakeToken: string
  /** Only for the stand-in for Meta: no id of ours is ever a default where events are really sent. */
  metaPixelId: string
  metaToken: string
  /** Browsers share cookies across the ports of localhost: two clones would overwrite each other's. */
  cookieSuffix: string
  /** For the operator that `npm start` creates in this clone's database. */
  operatorPassword: string
}

export function newSecrets(): Secrets {
  const random = (bytes: number) => randomBytes(bytes).toString('hex')
  return {
    databasePassword: random(16),
    stripeSecretKey: `sk_test_${random(24)}`,
    stripePublishableKey: `pk_test_${random(24)}`,
    stripeWebhookSecret: `whsec_${random(24)}`,
    tokenSecret: random(32),
    lakeToken: random(24),
    metaPixelId: String(randomInt(1e9, 1e10)),
    metaToken: random(24),
    cookieSuffix: random(4),
    operatorPassword: randomBytes(18).toString('base64url'),
  }
}

/** The secrets of this clone; missing ones are created, so that an older file keeps working. */
export function keptSecrets(dataDir: string): Secrets {
  const file = join(dataDir, 'secrets.json')
  mkdirSync(dataDir, { recursive: true })
  const kept = existsSync(file) ? readSecrets(file) : {}
  const secrets = { ...newSecrets(), ...kept }
  if (Object.keys(kept).length !== Object.keys(secrets).length) {
    // in one step: the database's password in half a file would be lost
    writeFileSync(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  return secrets
}

function readSecrets(file: string): Partial<Secrets> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<Secrets>
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Error(
      `${file} is cut off, and the password of this clone's database stood in it. Put a copy back, or move ` +
        `${dirname(file)} away to begin anew.`,
      { cause: error },
    )
  }
}

/** Reads `.env` of the project into process.env; what is set already wins. */
export function readDotEnv(): void {
  const file = join(root, '.env')
  if (existsSync(file)) process.loadEnvFile(file)
}

const flagsOf = (name: PortName): string => (name === 'site' ? '--port, --site-port' : `--${name}-port`)

/** The command of `npm start` or `npm run dev`, with an option for each port: `--port 5000` is the site's. */
export function portsCommand(name: string, description: string): Command {
  const command = new Command(name).description(description).showHelpAfterError()
  for (const [part, usual] of Object.entries(usualPorts) as [PortName, number][])
    command.option(`${flagsOf(part)} <n>`, `port of ${part}, ${usual} unless set; 0 takes any`)
  return command
}

/** The options of {@link portsCommand}, and SITE_PORT, API_PORT …; 0 takes any free port. Throws for an invalid one. */
export function wantedPorts(command: Command, env: NodeJS.ProcessEnv): { ports: Ports; asked: Set<PortName> } {
  const flags = command.opts<Record<string, string>>()
  const ports: Ports = { ...usualPorts }
  const asked = new Set<PortName>()
  for (const name of Object.keys(usualPorts) as PortName[]) {
    const value = flags[`${name}Port`] ?? env[`${name.toUpperCase()}_PORT`]
    if (value === undefined || value === '') continue
    const port = Number(value)
    if (!Number.isInteger(port) || port < 0 || port > 65535)
      throw new Error(`${value} is no port for ${name} (${name.toUpperCase()}_PORT or ${flagsOf(name)})`)
    ports[name] = port
    asked.add(name)
  }
  return { ports, asked }
}

/** The same ports, each moved to the next free one if in use, and none assigned twice. */
export async function freePorts(wanted: Ports): Promise<Ports> {
  const taken = new Set<number>()
  const found = { ...wanted }
  for (const name of Object.keys(wanted) as PortName[]) {
    let port = wanted[name]
    while (taken.has(port) || !(await isFree(port))) {
      if (++port > 65535) throw new Error(`No free port from ${wanted[name]} on for ${name}`)
    }
    found[name] = port === 0 ? await anyPort() : port
    taken.add(found[name])
  }
  return found
}
