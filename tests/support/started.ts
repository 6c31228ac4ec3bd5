/** What the programs of others that tests start have in common. */
import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export interface Started {
  url: string
  stop(): Promise<void>
}

/** One that a test kills and plays the supervisor of. */
export interface Killable extends Started {
  /** kill -9 of all its processes, as systemd ends what a dead main process leaves. Resolves when they are gone. */
  kill(): Promise<void>
  /** Starts it where it was; resolves when something listens there. */
  start(): Promise<void>
}

/** A program that `launch` starts, whenever it is called, and that listens on this port of this machine. */
export async function startKillable(url: string, port: number, launch: () => ChildProcess): Promise<Killable> {
  let child = launch()
  await untilOpen(port)
  return {
    url,
    stop: () => untilOver(child),
    async kill() {
      await killWithChildren(child.pid ?? 0)
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
    async start() {
      child = launch()
      await untilOpen(port)
    },
  }
}

/** kill -9 of a process and of those that it started; resolves when all are gone. Linux only. */
export async function killWithChildren(pid: number): Promise<void> {
  const list = `/proc/${pid}/task/${pid}/children`
  const children = existsSync(list) ? readFileSync(list, 'utf8').trim().split(' ').filter(Boolean).map(Number) : []
  const all = [pid, ...children]
  for (const one of all) {
    try {
      process.kill(one, 'SIGKILL')
    } catch {
      // it has ended by itself
    }
  }
  // one whose exit code has not been read yet would be taken for a running one
  while (all.some((one) => existsSync(`/proc/${one}`))) await pause(5)
}

export interface Certificate {
  certificate: string
  key: string
  /** Both in one file. */
  both: string
}

/** A self-signed certificate for this machine, as files in `place`; negative days: it has ended. Asks for openssl. */
export function makeCertificate(place: string, days = 2): Certificate {
  mkdirSync(place, { recursive: true })
  const [certificate, key, both] = ['certificate.pem', 'key.pem', 'both.pem'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const files = ['-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', ...curve, '-days', '2', ...names, ...files], { stdio: 'ignore' })
  // signed again: a new one cannot be made so
  const again = ['x509', '-in', certificate, '-signkey', key, '-days', String(days), '-out', certificate]
  if (days !== 2) execFileSync('openssl', again, { stdio: 'ignore' })
  writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'))
  return { certificate, key, both }
}

/** Resolves when something listens on this port of this machine. */
export async function untilOpen(port: number): Promise<void> {
  for (let end = Date.now() + 60_000; ; await pause(30)) {
    const socket = connect(port, '127.0.0.1')
    const open = await Promise.race([
      once(socket, 'connect').then(
        () => true,
        () => false,
      ),
      pause(1_000, false),
    ])
    socket.destroy()
    if (open) return
    if (Date.now() > end) throw new Error(`nothing listens on ${port}`)
  }
}

/** Asks a program to stop, and resolves when it is gone. */
export async function untilOver(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
