import { spawn, spawnSync } from 'node:child_process'
import { existsSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HaproxyOptions, haproxyFile } from '../../src/site/haproxy-file.ts'
import { findNginx } from './nginx.ts'
import { type Certificate, type Killable, startKillable } from './started.ts'

/** The haproxy of this machine, which the tests of the generated haproxy.cfg start; undefined where there is none. */
export const findHaproxy = (): string | undefined =>
  ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].find((path) => existsSync(path))

/** The packages of the distribution that tests of balancers lack. */
export const missingBalancers = (): (string | undefined)[] => [
  findNginx() ? undefined : 'nginx',
  findHaproxy() ? undefined : 'haproxy',
  existsSync('/usr/bin/openssl') ? undefined : 'openssl',
]

/** What haproxy has against this file; empty where it takes it. */
export function refusedByHaproxy(file: string): string {
  const { status, stderr } = spawnSync(findHaproxy()!, ['-c', '-f', file], { encoding: 'utf8' })
  return status === 0 ? '' : stderr || `haproxy -c ended with ${status}`
}

interface Place {
  place: string
  port: number
  tls: Certificate
}

/** Starts haproxy with the generated file on this port; its log is `haproxy.log` in `place`. */
export async function startHaproxy(
  options: Pick<HaproxyOptions, 'servers' | 'site' | 'drainSeconds'>,
  { place, port, tls }: Place,
): Promise<Killable> {
  const file = join(place, 'haproxy.cfg')
  writeFileSync(file, haproxyFile({ ...options, listen: { secure: `127.0.0.1:${port}`, certificate: tls.both } }))
  const wrong = refusedByHaproxy(file)
  if (wrong) throw new Error(wrong)
  const log = openSync(join(place, 'haproxy.log'), 'a')
  const launch = () => spawn(findHaproxy()!, ['-db', '-f', file], { stdio: ['ignore', log, log] })
  return startKillable(`https://127.0.0.1:${port}`, port, launch)
}
