/** The image in a container, by runc alone: as its user, on a read-only root, without any capability. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blob, partsOf } from '../../scripts/image/build.ts'

interface ImageConfig {
  config: { User: string; Env: string[]; Entrypoint: string[]; Cmd: string[]; WorkingDir: string }
}
interface Spec {
  process: Record<string, unknown>
  root: Record<string, unknown>
  mounts: { destination: string; type?: string; source?: string; options?: string[] }[]
  linux: { namespaces: { type: string }[] }
}

export interface Container {
  output(): string
  /** Code of the program's end. */
  exit: Promise<number | null>
  /** Process id of the program, as this machine sees it. */
  pid(): number
  kill(signal: string): void
}

export interface Unpacked {
  /** The image's root folder. */
  root: string
  config: ImageConfig['config']
  /** Starts the image's entry point with these arguments (by default its own), or another program. */
  start(options: { args?: string[]; program?: string[]; env?: Record<string, string>; secrets?: string }): Container
  remove(): void
}

/** Unpacks an image as a container runtime does. The network is this machine's: database and Stripe are on it. */
export function unpack(layout: string): Unpacked {
  const folder = mkdtempSync(join(tmpdir(), 'eye-container-'))
  const state = join(folder, 'state')
  const root = join(folder, 'rootfs')
  mkdirSync(root)
  const parts = partsOf(layout)
  for (const { digest } of parts.layers) execFileSync('tar', ['-xf', blob(layout, digest), '-C', root, '-p'])
  const { config } = JSON.parse(readFileSync(blob(layout, parts.config.digest), 'utf8')) as ImageConfig
  const [uid, gid] = config.User.split(':').map(Number)
  let count = 0

  const start: Unpacked['start'] = ({ args = config.Cmd, program, env = {}, secrets }) => {
    const id = `eye-funnel-${process.pid}-${++count}`
    const bundle = join(folder, id)
    mkdirSync(bundle)
    execFileSync('runc', ['spec', '--bundle', bundle])
    const file = join(bundle, 'config.json')
    const spec = JSON.parse(readFileSync(file, 'utf8')) as Spec
    const none = { bounding: [], effective: [], permitted: [], inheritable: [], ambient: [] }
    Object.assign(spec.process, {
      terminal: false,
      user: { uid, gid },
      args: program ?? [...config.Entrypoint, ...args],
      env: [...config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)],
      cwd: config.WorkingDir,
      capabilities: none,
      noNewPrivileges: true,
    })
    spec.root = { path: root, readonly: true }
    spec.linux.namespaces = spec.linux.namespaces.filter(({ type }) => type !== 'network')
    if (secrets) {
      spec.mounts.push({ destination: '/run/secrets', type: 'bind', source: secrets, options: ['bind', 'ro'] })
    }
    writeFileSync(file, JSON.stringify(spec))
    const child = spawn('runc', ['--root', state, 'run', '--bundle', bundle, id], { stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part.toString()))
    const runc = (...rest: string[]) => execFileSync('runc', ['--root', state, ...rest], { encoding: 'utf8' })
    return {
      output: () => text,
      exit: new Promise((done) => child.once('close', done)),
      pid: () => (JSON.parse(runc('state', id)) as { pid: number }).pid,
      kill: (signal) => void runc('kill', id, signal),
    }
  }
  return { root, config, start, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
