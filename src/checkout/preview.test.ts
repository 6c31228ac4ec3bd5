import { expect, test } from 'vitest'
import { previewAddress } from './preview.ts'

test('C-08 another recording has another address: none kept by a browser is played beside a new transcript', () => {
  const of = (name: string) => previewAddress(`https://cdn.sanity.io/files/abc12345/production/${name}`)
  const [before, after] = [`${'a1'.repeat(20)}.mp3`, `${'b2'.repeat(20)}.mp3`]
  expect(of(before)).toBe(`/audio/day-1-preview.mp3?${before}`)
  expect(of(after)).not.toBe(of(before))
  // the embedded content lake has another port in every run
  expect(previewAddress(`http://127.0.0.1:4321/files/local0001/production/${before}`)).toBe(of(before))
  expect(previewAddress(null)).toBeNull()
})
