import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { anyPort, isFree } from './ports.ts'

const folder = join(tmpdir(), 'eye-funnel-ports')
const holderOf = (port: number) => readFileSync(join(folder, String(port)), 'utf8')
/** No process of Linux has this number. */
const NOBODY = '2147483646'
/** A free port, above those that are drawn. */
async function freeAbove(first: number): Promise<number> {
  for (let port = first; ; port++) {
    if (!existsSync(join(folder, String(port))) && (await isFree(port))) return port
  }
}

test('R-02 a port that was given stays its process’s, also while nothing listens there', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => anyPort()))
  expect(new Set(ports).size).toBe(50)
  for (const port of ports) expect([await isFree(port), holderOf(port)]).toEqual([true, String(process.pid)])
  const other = await freeAbove(32_100)
  const drawn = [ports[0] ?? 0, other]
  expect(await anyPort(() => drawn.shift() ?? 0)).toBe(other)
})

test('R-02 another living process keeps its ports; those of one that was killed are given anew', async () => {
  mkdirSync(folder, { recursive: true })
  const theirs = await freeAbove(32_200)
  writeFileSync(join(folder, String(theirs)), String(process.ppid))
  const left = await freeAbove(32_300)
  writeFileSync(join(folder, String(left)), NOBODY)
  const drawn = [theirs, left]
  expect(await anyPort(() => drawn.shift() ?? 0)).toBe(left)
  expect([holderOf(theirs), holderOf(left)]).toEqual([String(process.ppid), String(process.pid)])
  writeFileSync(join(folder, String(theirs)), NOBODY)
})

test('R-02 a process gives its ports back at its end', () => {
  const ports = JSON.stringify(new URL('./ports.ts', import.meta.url).href)
  const program = `console.log(await (await import(${ports})).anyPort())`
  const port = Number(execFileSync(process.execPath, ['--input-type=module', '-e', program]))
  expect(port).toBeGreaterThan(19_999)
  expect(existsSync(join(folder, String(port)))).toBe(false)
})
