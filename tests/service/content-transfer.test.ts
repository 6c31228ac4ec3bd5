import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startLake } from '../../stand-ins/content-lake/start.ts'

const TOKEN = 'a-token-for-this-test'
const folder = await mkdtemp(join(tmpdir(), 'transfer-'))
type Lake = Awaited<ReturnType<typeof startLake>>
const lakes: Lake[] = []

async function emptyLake(name: string, seed?: string): Promise<Lake> {
  const lake = await startLake({ dataDir: join(folder, name), token: TOKEN, seed })
  lakes.push(lake)
  return lake
}

/** Runs one of the Studio's commands against a lake; returns its exit code and output. */
async function run(script: string, lake: { url: string }, words: string[] = [], token: string = TOKEN) {
  const env = {
    ...process.env,
    SANITY_API_HOST: lake.url,
    SANITY_PROJECT_ID: '',
    SANITY_DATASET: '',
    SANITY_TOKEN: token,
  }
  const file = fileURLToPath(new URL(`../../studio/${script}`, import.meta.url))
  return promisify(execFile)(process.execPath, [file, ...words], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      output: error.stdout + error.stderr,
    }),
  )
}

let first: Lake
let imported: Awaited<ReturnType<typeof run>>
beforeAll(async () => {
  first = await emptyLake('first')
  imported = await run('dataset/import.ts', first)
})
afterAll(async () => {
  await Promise.all(lakes.map((lake) => lake.close()))
  await rm(folder, { recursive: true, force: true })
})

test('K-07 one command imports the sample content with its assets; the publish check passes', async () => {
  expect(imported).toMatchObject({ code: 0, output: expect.stringContaining('81 documents in local0001') })
  const check = await run('check/main.ts', first)
  expect(check).toMatchObject({ code: 0, output: expect.stringMatching(/81 documents: 0 broken/) })
})

test('K-05 a branch for who wears glasses comes in a release, proved with it; the quiz stays as it was', async () => {
  const lake = await emptyLake('branch', fileURLToPath(new URL('../../studio/dataset', import.meta.url)))
  const quiz = async (perspective: string) => {
    const query = encodeURIComponent('*[_id == "quiz"][0].steps[]._key')
    const address = `${lake.url}/v2026-03-01/data/query/production?perspective=${perspective}&query=${query}`
    const answer = await fetch(address, { headers: { authorization: `Bearer ${TOKEN}` } })
    return ((await answer.json()) as { result: string[] }).result
  }
  const before = await quiz('published')
  const made = await run('dataset/import.ts', lake, ['--branch'])
  expect(made).toMatchObject({ code: 0, output: expect.stringContaining('rGlasses is ready') })
  const check = await run('check/main.ts', lake, ['--release', 'rGlasses'])
  expect(check).toMatchObject({ code: 0, output: expect.stringMatching(/81 documents: 0 broken/) })
  expect(check.output).toMatch(/The longest way has 34 steps.*The shortest has 33 steps/)
  expect(await quiz('published')).toEqual(before)
  const at = before.indexOf('vision-correction')
  expect(await quiz('rGlasses')).toEqual(before.toSpliced(at + 1, 0, 'glasses-symptoms'))
  const again = await run('dataset/import.ts', lake, ['--branch'])
  expect(again).toMatchObject({ code: 0, output: expect.stringContaining('is there already') })
  expect((await run('check/main.ts', lake, ['--release', 'rNobody'])).code).toBe(2)
})

test('K-05 the launch check stops a production build while sample content and unsourced claims are left', async () => {
  const { code, output } = await run('check/main.ts', first, ['--launch'])
  expect(code).toBe(1)
  expect(output).toContain('“Results in just 7 days” has no source')
  expect(output).toContain('This is sample content')
})

test('K-05 content:check names the broken document and field, and exits with 1', async () => {
  const url = `${first.url}/v2026-03-01/data/mutate/production`
  const mutate = (set: object) =>
    fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ mutations: [{ patch: { id: 'account', set } }] }),
    })
  expect((await mutate({ intro: 'Only $39' })).status).toBe(200)
  const { code, output } = await run('check/main.ts', first)
  expect(code).toBe(1)
  expect(output).toContain('account “account”, intro: “$39” is an amount typed into copy')
  await mutate({ intro: 'One password.' })
})

test('K-07 an export imports into an empty dataset', async () => {
  const archive = join(folder, 'content.tar.gz')
  expect(await run('dataset/export.ts', first, [archive])).toMatchObject({
    code: 0,
    output: expect.stringContaining('81 documents and 50 assets'),
  })
  const second = await emptyLake('second')
  expect((await run('dataset/import.ts', second, [archive])).code).toBe(0)
  const query = encodeURIComponent('*[_id == "landing"][0].comparison.asset->metadata.dimensions.width')
  const { result } = (await (await fetch(`${second.url}/v2026-03-01/data/query/production?query=${query}`)).json()) as {
    result: unknown
  }
  expect(result).toBe(1200)
})

test('A-05 the programme cannot be read without a token', async () => {
  const query = encodeURIComponent('count(*[_type in ["programmeSession", "programmeWeek", "guide"]])')
  const { result } = (await (await fetch(`${first.url}/v2026-03-01/data/query/production?query=${query}`)).json()) as {
    result: unknown
  }
  expect(result).toBe(0)
})

test('K-03 a missing token and a lake that does not answer say what to do', async () => {
  expect(await run('dataset/import.ts', first, [], '')).toMatchObject({
    code: 2,
    output: expect.stringContaining('Set SANITY_TOKEN'),
  })
  const nowhere = await run('check/main.ts', { url: 'http://127.0.0.1:9' })
  expect(nowhere).toMatchObject({ code: 2, output: expect.stringContaining('http://127.0.0.1:9') })
})
