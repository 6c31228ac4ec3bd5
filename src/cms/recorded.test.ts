import { expect, test } from 'vitest'
import { layersOf } from './recorded.ts'

test('K-04 a page is rendered as of releases, drafts or what is published, and of nothing else', () => {
  expect(layersOf('rSpring,drafts')).toEqual(['rSpring', 'drafts'])
  expect(layersOf('published')).toEqual(['published'])
  for (const odd of [null, '', 'raw', 'rSpring,raw', 'r', 'drafts&x=1', ',', 'r'.repeat(70), 'drafts,'.repeat(12)])
    expect(layersOf(odd)).toEqual(['drafts'])
})
