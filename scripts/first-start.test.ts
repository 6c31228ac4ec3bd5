/** A fresh copy of the project that cannot start here has to say what to do. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { traversable } from '../db/embedded-place.ts'
import { root } from './settings.ts'
import { checkRoom, withAdvice } from './trouble.ts'

/** Nobody: root may write everywhere. */
const SOMEBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const place = join(mkdtempSync(join(tmpdir(), 'first start ')), 'a place')

beforeAll(() => {
  chmodSync(join(place, '..'), 0o755)
  mkdirSync(place)
  for (const folder of ['contract', 'db', 'payments-service', 'scripts', 'src', 'studio', 'stand-ins']) {
    const filter = (from: string) => !['node_modules', 'dist'].includes(basename(from))
    cpSync(join(root, folder), join(place, folder), { recursive: true, filter })
  }
  cpSync(join(root, 'package.json'), join(place, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
  chmodSync(place, 0o555)
})
afterAll(() => {
  chmodSync(place, 0o755)
  rmSync(join(place, '..'), { recursive: true, force: true })
})

const start = () =>
  spawnSync(process.execPath, ['scripts/run-start.ts'], { cwd: place, encoding: 'utf8', timeout: 170_000, ...SOMEBODY })

// below a closed folder nobody finds the packages
const reachable = process.platform !== 'win32' && (!('uid' in SOMEBODY) || traversable(join(root, 'node_modules')))

test.skipIf(!reachable)(
  'N-03 npm start in a folder that it may not write says whose it has to be, without a stack',
  () => {
    const { status, stderr, stdout } = start()
    expect(status).toBe(1)
    expect(stderr).toMatch(/EACCES: permission denied, mkdir '.*a place\/\.data'/)
    expect(stderr).toContain('Something here belongs to another user.')
    expect(stderr + stdout).not.toMatch(/^ +at /m)
  },
)

test.skipIf(!reachable)('N-03 npm start beside a .data of somebody else says the same', () => {
  chmodSync(place, 0o755)
  mkdirSync(join(place, '.data'), { mode: 0o500 })
  if (!('uid' in SOMEBODY)) chownSync(join(place, '.data'), process.getuid!(), process.getgid!())
  const { status, stderr } = start()
  expect(status).toBe(1)
  expect(stderr).toContain('sudo chown -R "$(id -u)" .')
})

test.each([
  ["EROFS: read-only file system, open '/shop/.astro/content.d.ts'", 'copy the folder to where you may write'],
  ['FATAL:  could not write to file "pg_wal/xlogtemp.24153": No space left on device', 'Make room'],
  ['ENOSPC: no space left on device, write', 'Make room'],
  ['FATAL:  data directory "/shop/.data/postgres" has wrong ownership', 'belongs to another user'],
  ['listen EACCES: permission denied 0.0.0.0:80', 'Choose a port above 1023'],
])('N-03 what the machine says, %s, comes with what to do about it', (message, advice) => {
  expect(withAdvice(message)).toContain(`${message}\n`)
  expect(withAdvice(message)).toContain(advice)
})

test('N-03 a message that nothing is known about stays as it is', () => {
  for (const message of ['connect ECONNREFUSED 127.0.0.1:1', 'permission denied for schema public'])
    expect(withAdvice(message)).toBe(message)
})

test('N-03 a disk that is nearly full is said before anything is written to it', () => {
  const free = (megabytes: number) => () => checkRoom('/shop/.data', { bavail: megabytes * 1_000, bsize: 1_000 })
  expect(free(99)).toThrow('ENOSPC: 99 MB are free under /shop/.data')
  expect(free(100)()).toContain('Only 100 MB are free')
  expect(free(300)()).toBeUndefined()
})

test('N-03 npm run service runs under the project’s own Node, whatever the machine has', () => {
  const started = spawnSync('npm', ['run', '--silent', 'service'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    env: { PATH: olderNodeFirst(), NODE_ENV: 'production' },
  })
  expect(started.status).toBe(1)
  expect(started.stderr).toContain('The payments service cannot start:')
  expect(started.stderr).toContain('TRUST_PROXY is missing')
})

/** The paths of this process without the project's own: there, npm and maybe another Node are the machine's. */
function olderNodeFirst(): string {
  const paths = (process.env['PATH'] ?? '').split(':').filter((path) => !path.includes('node_modules'))
  expect(execFileSync('npm', ['--version'], { env: { PATH: paths.join(':') }, encoding: 'utf8' })).toMatch(/^\d/)
  return paths.join(':')
}
