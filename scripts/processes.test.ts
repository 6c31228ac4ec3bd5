import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { launch, openLog, untilReady } from './processes.ts'
import { anyPort } from '../db/ports.ts'

const folder = mkdtempSync(join(tmpdir(), 'processes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function program(name: string, code: string, port = 0) {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, code)
  return { name, args: [file], env: { PORT: String(port) }, readyUrl: `http://127.0.0.1:${port}/` }
}
const server = `import { createServer } from 'node:http'
createServer((q, r) => r.end('ok')).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('up'))
process.on('SIGTERM', () => { console.log('finishing'); setTimeout(() => process.exit(0), 50) })`

const alive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a program is awaited, and asked to finish before it is ended', async () => {
  const port = await anyPort()
  const running = launch(program('server', server, port), { logDir: folder })
  await untilReady(running, `http://127.0.0.1:${port}/`)
  await running.stop()
  expect(await running.ended).toEqual({ code: 0, signal: null })
  expect(running.tail()).toBe('up\nfinishing')
})

test('a program that dies at its start is named with its last lines', async () => {
  const running = launch(program('broken', `console.error('no database'); process.exit(3)`), { logDir: folder })
  await expect(untilReady(running, 'http://127.0.0.1:9/')).rejects.toThrow(
    /broken ended before it was ready[^]*no database/,
  )
})

test('nothing is left behind when the starter is killed', async () => {
  const port = await anyPort()
  const child = program('orphan', server, port)
  const starter = join(folder, 'starter.mjs')
  const processes = new URL('./processes.ts', import.meta.url).href
  writeFileSync(
    starter,
    `import { launch } from ${JSON.stringify(processes)}
     const running = launch(${JSON.stringify(child)}, { logDir: ${JSON.stringify(folder)} })
     console.log(running.child.pid)`,
  )
  const parent = spawn(process.execPath, [starter], { stdio: ['ignore', 'pipe', 'inherit'] })
  const pid = Number(
    await new Promise<string>((done) => parent.stdout.once('data', (text: Buffer) => done(text.toString()))),
  )
  await expect
    .poll(
      () =>
        fetch(child.readyUrl).then(
          (answer) => answer.ok,
          () => false,
        ),
      { timeout: 60_000 },
    )
    .toBe(true)
  parent.kill('SIGKILL')
  await expect.poll(() => alive(pid)).toBe(false)
})

test('a log begins anew before it is large, also one that is continued; the one before it stays', async () => {
  const file = join(folder, 'long.log')
  for (const append of [false, true]) {
    const log = openLog(file, append, 100)
    for (let n = 0; n < 8; n++) log.write(`${append ? 'later' : 'first'} line ${n} of this program\n`)
    await new Promise<void>((done) => log.end(done))
    expect(readFileSync(file, 'utf8')).toMatch(/line 7 of this program\n$/)
    expect(readFileSync(file, 'utf8').length + readFileSync(`${file}.1`, 'utf8').length).toBeLessThan(300)
  }
  const here = readFileSync(`${file}.1`, 'utf8') + readFileSync(file, 'utf8')
  expect(here).not.toContain('first')
})

test('a log that cannot be opened costs its lines alone', async () => {
  const log = openLog(join(folder, 'nowhere', 'a.log'), false)
  log.write('a line\n')
  await new Promise<void>((done) => log.end(done))
})
