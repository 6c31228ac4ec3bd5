import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { compress } from './compressed-copies.ts'
import { root } from './settings.ts'

test('V-03 a text is compressed as well as asked, and one that is as before takes the copies from there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'eye-copies-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const text = readFileSync(join(root, 'README.md'), 'utf8')
  const [best, fast, again] = ['best', 'fast', 'again'].map((name) => join(folder, name)) as [string, string, string]
  for (const file of [best, fast, again]) writeFileSync(file, text)
  expect(await compress(best, undefined, 11)).toBe(true)
  expect(await compress(fast, undefined, 8)).toBe(true)
  expect(statSync(`${best}.br`).size).toBeLessThan(statSync(`${fast}.br`).size)
  expect(await compress(again, best, 8)).toBe(false)
  expect(readFileSync(`${again}.br`).equals(readFileSync(`${best}.br`))).toBe(true)
  for (const file of [best, fast, again]) {
    expect(brotliDecompressSync(readFileSync(`${file}.br`)).toString()).toBe(text)
    expect(gunzipSync(readFileSync(`${file}.gz`)).toString()).toBe(text)
  }
  writeFileSync(again, `${text} more`)
  expect(await compress(again, best, 8)).toBe(true)
  expect(existsSync(`${again}.gz`)).toBe(true)
})
