import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { claimRun } from './run-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'run-file-'))
const file = join(folder, 'run.json')
beforeEach(() => rmSync(file, { force: true }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('N-03 a clone that runs is not started a second time: its process and address are named', () => {
  const release = claimRun(folder)
  writeFileSync(join(folder, 'addresses.json'), JSON.stringify({ site: 'http://localhost:4321' }))
  expect(() => claimRun(folder)).toThrow(
    `This clone runs already (process ${process.pid}, http://localhost:4321). Stop that one first.`,
  )
  release()
  expect(existsSync(file)).toBe(false)
  claimRun(folder)()
})

test.each([
  ['was cut off by a full disk', ''],
  ['names a process that is gone', JSON.stringify({ pid: 2 ** 22 + 1 })],
  ['names a process whose number another one has now', JSON.stringify({ pid: process.ppid, began: 'long ago' })],
])('N-03 what a killed run left does not keep the next from starting: its note %s', (_, left) => {
  writeFileSync(file, left)
  const release = claimRun(folder)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid })
  release()
})

test('N-03 of two that start at the same moment one runs', async () => {
  const code = `import { claimRun } from ${JSON.stringify(new URL('./run-file.ts', import.meta.url).href)}
    try {
      claimRun(${JSON.stringify(folder)})
      console.log('runs')
      setTimeout(() => {}, 3_000)
    } catch { console.log('refused') }`
  const answers = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      return new Promise<string>((said) => child.stdout.once('data', (text) => said(String(text).trim())))
    }),
  )
  expect(answers.sort()).toEqual(['refused', 'refused', 'runs'])
})
