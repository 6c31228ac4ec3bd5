import { afterEach, expect, test, vi } from 'vitest'
import { BUILD_VARIABLES, buildKey } from './site-build.ts'

afterEach(() => vi.unstubAllEnvs())

test('K-01 K-04 a build is named by all that it is made of: what changes a page or a host’s file makes another', () => {
  for (const name of BUILD_VARIABLES) vi.stubEnv(name, undefined)
  const made = (more: { programs?: string; dataset?: string; rev?: string } = {}) =>
    buildKey(more.programs ?? 'a', { SANITY_PROJECT_ID: 'p', SANITY_DATASET: more.dataset ?? 'd' }, [
      { _id: 'quiz', _rev: more.rev ?? '1' },
    ])
  const names = [made(), made({ programs: 'b' }), made({ dataset: 'e' }), made({ rev: '2' })]
  for (const name of ['SITE_URL', 'TRACKING_SCOPE', 'PUBLIC_API_URL', 'API_SERVERS', 'HSTS_SUBDOMAINS']) {
    vi.stubEnv(name, 'https://example.com')
    names.push(made())
    vi.stubEnv(name, undefined)
  }
  expect(new Set(names).size).toBe(names.length)
  expect(made()).toBe(names[0])
})
