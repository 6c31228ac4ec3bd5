/** What the programs of others that tests start have in common. */
import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export interface Started {
  url: string
  stop(): Promise<void>
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
