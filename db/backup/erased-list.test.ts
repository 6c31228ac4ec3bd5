import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { erasedSince, readErased } from './erased-list.ts'

const entry = (digit: number) =>
  JSON.stringify({ visit: `0198c0de-0000-7000-8000-00000000000${digit}`, at: '2026-11-23T05:00:00Z', address: false })

test('D-12 a line cut short counts once it is written again, wherever; one that never is stops a restore', () => {
  const folder = mkdtempSync(join(tmpdir(), 'eye-erased-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  expect(() => erasedSince(folder)).toThrow('erased.jsonl is missing')
  const write = (...lines: string[]) =>
    writeFileSync(join(folder, 'erased.jsonl'), lines.map((one) => `\n${one}`).join(''))
  // another erasure, begun before, was seen in between
  write(entry(1), entry(2).slice(0, -5), entry(3), entry(2))
  expect(readErased(folder).map(({ visit }) => visit.at(-1))).toEqual(['1', '3', '2'])
  write(entry(1), entry(2).slice(0, -5), entry(3))
  expect(() => erasedSince(folder)).toThrow('line 3, cannot be read')
  write()
  expect(erasedSince(folder)).toEqual([])
})
