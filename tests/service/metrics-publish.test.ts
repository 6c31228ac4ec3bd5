/** What the metrics say of publishing, read from a content lake over HTTP. */
import { mkdtempSync, rmSync } from 'node:fs'
import { Writable } from 'node:stream'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@sanity/client'
import { evaluate, parse } from 'groq-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../db/connect.ts'
import { createLake, type Lake } from '../../payments-service/content/lake.ts'
import { createLog } from '../../payments-service/http/logging.ts'
import { createMetrics } from '../../payments-service/metrics/metrics.ts'
import { root } from '../../scripts/settings.ts'
import { type RunningLake, startLake } from '../../stand-ins/content-lake/start.ts'

let folder: string
let lake: RunningLake
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'metrics-lake-'))
  lake = await startLake({ dataDir: folder, seed: join(root, 'studio', 'dataset'), token: 'editors' })
})
afterAll(async () => {
  await lake.close()
  rmSync(folder, { recursive: true, force: true })
})

const where = () => ({ projectId: 'local0001', dataset: 'production', token: 'editors', apiHost: lake.url })
const editor = () =>
  createClient({ ...where(), useProjectHostname: false, useCdn: false, apiVersion: '2026-03-01', perspective: 'raw' })

/** The two values as a first look finds them, whatever the database says. */
async function look(from: Lake | null = createLake(where())) {
  const { db, close } = connect('postgres://postgres@127.0.0.1:1/none', { max: 1 })
  const log = createLog('silent')
  const found = await createMetrics({ db, pools: {}, loops: () => ({}), lake: from, log }).samples()
  await close()
  const value = (name: string) => found.find((one) => one.name === `funnel_publish_${name}`)?.value
  return { good: value('last_good_timestamp_seconds'), waiting: value('waiting_seconds') }
}

test('K-04 N-03 what is published and not on the site is seen; without a publisher nothing is said', async () => {
  expect(await look()).toEqual({ good: undefined, waiting: undefined })
  const goodAt = new Date(Date.now() + 1_000).toISOString()
  await editor().createOrReplace({ _id: 'site.status', _type: 'siteStatus', state: 'live', goodAt })
  expect(await look()).toEqual({ good: Date.parse(goodAt) / 1000, waiting: 0 })

  await editor().createOrReplace({ _id: 'drafts.landing', _type: 'landing', heading: 'Not yet' })
  expect((await look()).waiting).toBe(0)
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
  await editor().patch('site.status').set({ goodAt: hourAgo, state: 'broken' }).commit()
  await editor().patch('testimonial-js').set({ age: 71 }).commit()
  const { good, waiting } = await look()
  expect(good).toBe(Date.parse(hourAgo) / 1000)
  expect(waiting).toBeGreaterThan(0)
})

test('K-04 N-03 what was on the site within the second that Sanity notes is not waiting; a later one is', async () => {
  const looked = async (_updatedAt: string) => {
    const dataset = [
      { _id: 'site.status', _type: 'siteStatus', goodAt: '2026-11-29T10:00:00.500Z' },
      { _id: 'landing', _type: 'landing', _updatedAt },
    ]
    const fetch = async (query: string): Promise<unknown> => (await evaluate(parse(query), { dataset })).get()
    return (await look({ fetch } as Lake)).waiting
  }
  expect(await looked('2026-11-29T10:00:00Z')).toBe(0)
  expect(await looked('2026-11-29T10:00:01Z')).toBeGreaterThan(0)
})

test('K-04 N-03 a lake that does not answer is in the log: the alert about late publishes is blind', async () => {
  const { db, close } = connect('postgres://postgres@127.0.0.1:1/none', { max: 1 })
  const lines: string[] = []
  const log = createLog('warn', new Writable({ write: (line, _encoding, done) => done(void lines.push(String(line))) }))
  const away = createLake({ ...where(), apiHost: 'http://127.0.0.1:1' })
  const metrics = createMetrics({ db, pools: {}, loops: () => ({}), lake: away, log })
  await metrics.samples()
  await close()
  expect(lines.filter((line) => line.includes('funnel_publish_waiting_seconds'))).toHaveLength(1)
  expect([...metrics.unread()]).toContain('funnel_publish_waiting_seconds')
})
