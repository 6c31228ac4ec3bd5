import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { keepUp, type KeptUp } from './keep-up.ts'
import { launch, type Running } from './processes.ts'
import * as programs from './programs.ts'
import { anyPort } from '../db/ports.ts'
import { newSecrets, usualPorts } from './settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'keep-up-'))
const kept: KeptUp[] = []
afterAll(async () => {
  await Promise.all(kept.map((one) => one.stop()))
  rmSync(folder, { recursive: true, force: true })
})

/** A program of the product or of the test, kept up, with a record of its starts and messages. */
function keeping(program: programs.Program, options: { pauses?: number[]; steadyMs?: number } = {}) {
  const starts: Running[] = []
  const said: string[] = []
  const start = (append: boolean) => {
    const running = launch(program, { logDir: folder, append })
    starts.push(running)
    return running
  }
  const one = keepUp({ start, readyUrl: program.readyUrl, say: (line) => said.push(line), ...options })
  kept.push(one)
  return { one, starts, said, pid: () => starts.at(-1)!.child.pid! }
}
function program(name: string, code: string, port: number): programs.Program {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, code)
  return { name, args: [file], env: { PORT: String(port) }, readyUrl: `http://127.0.0.1:${port}/` }
}
const serves = `import { createServer } from 'node:http'
createServer((q, r) => r.end('ok')).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('up'));`
const answers = (url: string) =>
  fetch(url).then(
    (answer) => answer.status,
    () => 0,
  )

test('a program that is killed comes back alone: its neighbour keeps its process and its data', async () => {
  const ports = { ...usualPorts, mailbox: await anyPort(), smtp: await anyPort(), meta: await anyPort() }
  const world: programs.World = { ports, secrets: newSecrets(), dataDir: folder, configured: {}, databaseUrl: '' }
  const mailbox = keeping(programs.mailbox(world))
  const meta = keeping(programs.meta(world))
  await Promise.all([mailbox.one.ready, meta.one.ready])
  const [first, neighbour] = [mailbox.pid(), meta.pid()]
  process.kill(first, 'SIGKILL')
  await expect.poll(() => mailbox.said.at(-1)).toBe('mailbox is up again.')
  expect(await answers(`http://127.0.0.1:${ports.mailbox}/`)).toBe(200)
  expect(mailbox.pid()).not.toBe(first)
  expect(mailbox.said[0]).toMatch(/^\nmailbox has ended \(SIGKILL\)\. Its last lines:\n.*smtp:/)
  expect([meta.pid(), meta.starts.length, meta.said]).toEqual([neighbour, 1, []])
  // the log covers both starts
  expect(readFileSync(join(folder, 'mailbox.log'), 'utf8').match(/smtp:/g)).toHaveLength(2)
})

test('a process that goes on dying is started ever later, up to the longest pause, with its reason', async () => {
  const dying = `${serves}; setTimeout(() => { console.error('out of luck'); process.exit(7) }, 300)`
  const port = await anyPort()
  const { one, starts, said } = keeping(program('dying', dying, port), { pauses: [10, 100, 400] })
  await one.ready
  await expect.poll(() => starts.length).toBeGreaterThanOrEqual(5)
  await one.stop()
  const pauses = said.flatMap((line) => /again in ([\d.]+) s/.exec(line)?.[1] ?? [])
  expect(pauses.slice(0, 4)).toEqual(['0.01', '0.1', '0.4', '0.4'])
  expect(said[0]).toContain('dying has ended (code 7). Its last lines:\nup\nout of luck')
})

test('stopped while it waits, it stays away; one that never came up is told, not started again', async () => {
  const port = await anyPort()
  const once = keeping(program('once', serves, port), { pauses: [60_000] })
  await once.one.ready
  process.kill(once.pid(), 'SIGKILL')
  await expect.poll(() => once.said.length).toBe(2)
  await once.one.stop()
  expect([once.starts.length, await answers(`http://127.0.0.1:${port}/`)]).toEqual([1, 0])
  const broken = keeping(program('broken', `console.error('no database'); process.exit(3)`, 9))
  await expect(broken.one.ready).rejects.toThrow(/broken ended before it was ready[^]*no database/)
  expect([broken.starts.length, broken.said]).toEqual([1, []])
})
