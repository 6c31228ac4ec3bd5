import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { LeaseLost, withLease } from './lease.ts'

const place = mkdtempSync(join(tmpdir(), 'eye-lease-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

const lease = JSON.stringify(new URL('./lease.ts', import.meta.url).href)
/** A process of its own that runs `code` with the lease's module at hand. */
const run = (code: string): ChildProcess =>
  spawn(process.execPath, ['--input-type=module', '-e', `const { withLease } = await import(${lease});\n${code}`], {
    stdio: 'inherit',
  })
const ended = (child: ChildProcess) => once(child, 'exit').then(([code]) => code as number | null)

test('K-04 four processes that write to one folder take turns, sixty times', async () => {
  const folder = join(place, 'turns')
  const log = JSON.stringify(join(place, 'turns.log'))
  const code = `import { appendFileSync } from 'node:fs'
    for (let i = 0; i < 15; i++) {
      await withLease(${JSON.stringify(folder)}, 'build', async () => {
        appendFileSync(${log}, 'in ' + process.pid + '\\n')
        await new Promise((done) => setTimeout(done, Math.random() * 4))
        appendFileSync(${log}, 'out ' + process.pid + '\\n')
      })
    }`
  expect(await Promise.all(Array.from({ length: 4 }, () => ended(run(code))))).toEqual([0, 0, 0, 0])
  const lines = readFileSync(JSON.parse(log) as string, 'utf8')
    .trim()
    .split('\n')
  expect(lines).toHaveLength(120)
  for (let i = 0; i < lines.length; i += 2) expect(lines[i + 1]).toBe(lines[i]?.replace('in', 'out'))
})

test('K-04 who dies at work is followed at once; whoever fails at work leaves the lease free', async () => {
  const folder = join(place, 'dies')
  const file = join(place, 'dies.txt')
  writeFileSync(file, '')
  const write = `(await import('node:fs')).appendFileSync(${JSON.stringify(file)}, 'at work')`
  const child = run(`await withLease(${JSON.stringify(folder)}, 'build', async () => {
    ${write}
    await new Promise((done) => setTimeout(done, 1e6))
  })`)
  await expect.poll(() => readFileSync(file, 'utf8')).toBe('at work')
  const next = withLease(folder, 'build', () => appendFileSync(file, ', then the next'))
  await sleep(200)
  expect(readFileSync(file, 'utf8')).toBe('at work')
  child.kill('SIGKILL')
  await next
  expect(readFileSync(file, 'utf8')).toBe('at work, then the next')
  await expect(withLease(folder, 'build', () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk')
  expect(await withLease(folder, 'build', () => 'free')).toBe('free')
})

test('K-04 who was silent for too long, as a suspended host is, has lost its lease and learns it', async () => {
  const folder = join(place, 'silent')
  let wake = () => {}
  const asleep = withLease(folder, 'build', async (held) => {
    held.assertHeld()
    await new Promise<void>((done) => (wake = done))
    held.assertHeld()
  })
  const outcome = asleep.catch((error: unknown) => error)
  // the first one beats every two seconds: half a second without is "too long" here
  expect(await withLease(folder, 'build', () => 'taken over', 500)).toBe('taken over')
  wake()
  expect(await outcome).toBeInstanceOf(LeaseLost)
  // what the first one does when it ends has no effect
  expect(await withLease(folder, 'build', () => 'free')).toBe('free')
})
