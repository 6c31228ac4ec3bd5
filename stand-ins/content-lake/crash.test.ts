/**
 * kill -9 at random moments while several editors write: nothing that was acknowledged may be missing afterwards.
 * Five rounds here; `LAKE_KILLS=100 vitest run stand-ins/content-lake/crash.test.ts` for the full proof.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientOf, TOKEN } from './fixture.ts'

const KILLS = Number(process.env.LAKE_KILLS ?? 5)
let folder = ''
let child: ChildProcess | null = null
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lake-crash-'))
})
afterAll(async () => {
  child?.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

async function start(): Promise<string> {
  const process_ = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { PATH: process.env.PATH, PORT: '0', LAKE_DATA: folder, LAKE_TOKEN: TOKEN },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child = process_
  return new Promise((resolve, reject) => {
    let text = ''
    process_.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const url = /listening on (\S+)/.exec(text)?.[1]
      if (url) resolve(url)
    })
    process_.once('exit', () => reject(new Error(`The lake did not start: ${text}`)))
  })
}

test(
  `${KILLS} random kills lose nothing that was acknowledged`,
  async () => {
    const acknowledged: string[] = []
    let counted = 0
    let attempted = 0
    for (let round = 0; round <= KILLS; round++) {
      const client = clientOf(await start(), TOKEN)
      const ids = new Set(await client.fetch<string[]>('*[_type == "made"]._id'))
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
      const counter = (await client.createIfNotExists({ _id: 'counter', _type: 'counter', n: 0 })) as unknown as {
        n: number
      }
      expect(counter.n).toBeGreaterThanOrEqual(counted)
      expect(counter.n).toBeLessThanOrEqual(attempted)
      if (round === KILLS) break
      let alive = true
      const write = async (editor: number) => {
        for (let i = 0; alive; i++) {
          const id = `made-${round}-${editor}-${i}`
          attempted++
          try {
            await client
              .transaction()
              .create({ _id: id, _type: 'made', filler: 'x'.repeat(500) })
              .patch('counter', (patch) => patch.inc({ n: 1 }))
              .commit({ visibility: 'async' })
          } catch {
            return
          }
          acknowledged.push(id)
          counted++
        }
      }
      const writers = [1, 2, 3, 4].map(write)
      const before = acknowledged.length
      await expect.poll(() => acknowledged.length, { interval: 5 }).toBeGreaterThan(before + 1)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 300))
      const ended = new Promise((resolve) => child?.once('exit', resolve))
      child?.kill('SIGKILL')
      await ended
      alive = false
      await Promise.all(writers)
    }
    // the bench reads this line (tests/bench/editor.ts)
    console.log(`acknowledged: ${acknowledged.length}, lost: 0`)
    expect(acknowledged.length).toBeGreaterThan(KILLS)
  },
  60_000 + KILLS * 30_000,
)
