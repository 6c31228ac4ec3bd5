import { expect, test } from 'vitest'
import { ownTraces } from './own-traces.ts'

const KEY = 'key of now'
const NOW = 1_800_000_000
const at = (seconds: number, ...keys: string[]) => ownTraces(keys, () => seconds)

test('N-03 an id of a trace is known as ours by every replica with the secret, for an hour', () => {
  const id = at(NOW, KEY).make()
  expect(id).toMatch(/^[\da-f]{32}$/)
  expect(at(NOW, KEY).make()).not.toBe(id)
  expect(at(NOW + 3_599, KEY).isOurs(id)).toBe(true)
  expect(at(NOW + 3_600, KEY).isOurs(id)).toBe(false)
  // a replica whose clock is slow
  expect(at(NOW - 30, KEY).isOurs(id)).toBe(true)
  expect(at(NOW - 600, KEY).isOurs(id)).toBe(false)
})

test('N-03 an id of a trace counts under both secrets while one replaces the other', () => {
  const id = at(NOW, KEY).make()
  expect(at(NOW, 'key to come').isOurs(id)).toBe(false)
  expect(at(NOW, 'key to come', KEY).isOurs(id)).toBe(true)
})

test('N-03 an id of a trace that somebody else made, changed or cut is none of ours', () => {
  const traces = at(NOW, KEY)
  const id = traces.make()
  for (let digit = 0; digit < id.length; digit++) {
    const other = id[digit] === '0' ? '1' : '0'
    expect(traces.isOurs(id.slice(0, digit) + other + id.slice(digit + 1))).toBe(false)
  }
  for (const none of ['', 'a'.repeat(32), id.slice(2), `${id}00`, 'no hexadecimal digits at all, 32 '])
    expect(traces.isOurs(none)).toBe(false)
})
