import { afterEach, expect, test, vi } from 'vitest'
import { shardListeners } from './shard-listeners.ts'

afterEach(() => vi.unstubAllGlobals())

function browser(): { window: { fetch: typeof fetch }; called: string[] } {
  const called: string[] = []
  const window = {
    fetch: (async (input: string) => {
      called.push(String(input))
      return new Response()
    }) as typeof fetch,
    location: new URL('http://localhost:3333/'),
  }
  vi.stubGlobal('window', window)
  return { window, called }
}

test('K-03 every listener of the embedded lake gets a host name of its own, other requests keep theirs', async () => {
  const { window, called } = browser()
  shardListeners('http://localhost:3334')
  await window.fetch('http://local0001.localhost:3334/v1/data/listen/production?query=*')
  await window.fetch('http://local0001.localhost:3334/v1/data/live/events/production')
  await window.fetch('http://local0001.localhost:3334/v1/data/query/production')
  await window.fetch('https://elsewhere.test/data/listen/production')
  expect(called).toEqual([
    'http://sse0.local0001.localhost:3334/v1/data/listen/production?query=*',
    'http://sse1.local0001.localhost:3334/v1/data/live/events/production',
    'http://local0001.localhost:3334/v1/data/query/production',
    'https://elsewhere.test/data/listen/production',
  ])
})

test('K-03 nothing changes on another host', async () => {
  const { window } = browser()
  const before = window.fetch
  shardListeners('https://api.sanity.io')
  expect(window.fetch).toBe(before)
})
