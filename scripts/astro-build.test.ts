import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { astroBuild } from './astro-build.ts'
import { LakeAway } from './builds/lake-away.ts'

test('K-06 a lake that is away while Astro builds is told apart from content that cannot be built', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'astro-away-'))
  const env = { SANITY_PROJECT_ID: 'local0001', SANITY_DATASET: 'production', SANITY_API_HOST: 'http://127.0.0.1:1' }
  try {
    await expect(astroBuild(folder, env, { mark: 'away', documents: 1 })).rejects.toThrow(LakeAway)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
