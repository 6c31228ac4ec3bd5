import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keptBuild } from './kept-build.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'eye-kept-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const builds = () => readdirSync(folder).filter((name) => !name.includes('lease'))

test('R-02 two that need one build at once make it once, and neither sees half of it', async () => {
  let made = 0
  const build = async (work: string) => {
    made += 1
    writeFileSync(join(work, 'first'), '')
    await sleep(50)
    writeFileSync(join(work, 'last'), '')
  }
  const ask = async () => {
    const { folder: kept, fresh } = await keptBuild(folder, 'abc123', build)
    return { fresh, whole: existsSync(join(kept, 'last')) }
  }
  expect(await Promise.all([ask(), ask()])).toEqual([
    { fresh: true, whole: true },
    { fresh: false, whole: true },
  ])
  expect([made, builds()]).toEqual([1, ['abc123']])
})

test('R-02 a build that fails leaves nothing, and the next one tries again', async () => {
  await expect(keptBuild(folder, 'abc123', () => Promise.reject(new Error('no memory')))).rejects.toThrow('no memory')
  expect(builds()).toEqual([])
  expect(await keptBuild(folder, 'abc123', () => Promise.resolve())).toMatchObject({ fresh: true })
})

test('R-02 the two builds used last are kept', async () => {
  for (const key of ['a1', 'b2', 'a1', 'c3']) {
    await keptBuild(folder, key, () => Promise.resolve())
    await sleep(5)
  }
  expect(builds()).toEqual(['a1', 'c3'])
})
