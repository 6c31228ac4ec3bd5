/**
 * What editors wait for, in numbers: the lake's answer to the site's largest query, a keystroke in the real
 * Studio until the preview shows it, a publish until the static site shows it, the second `npm start`, the
 * Studio's size against a bare one of the same tools, and what 100 kills of the lake lose. `node
 * tests/bench/editor.ts [lake] [preview] [publish] [start] [studio] [kills]`; ends with 1 when a limit is passed.
 * `start` starts this clone, so it must not be running.
 */
import { spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@sanity/client'
import { type Browser, chromium, type Frame, type Page } from '@playwright/test'
import { runTool } from '../../scripts/processes.ts'
import { root, usualPorts } from '../../scripts/settings.ts'
import { buildStudio } from '../../scripts/studio-build.ts'
import * as queries from '../../src/cms/queries.ts'
import { findChromium } from '../support/chromium.ts'
import { Editor } from '../support/editor.ts'
import { startTestServer } from '../support/postgres.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { finish, judge, median, note } from './table.ts'

/** Milliseconds; `size` is the ratio to the bare Studio. */
const LIMITS = { query: 50, firstKey: 500, typing: 1_500, publish: 8_000, waiting: 1_200, start: 10_000, size: 1.05 }
const KILLS = 100
const asked = process.argv.slice(2)
const wants = (part: string): boolean => asked.length === 0 || asked.includes(part)
const rest = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds))

/** Polls `look` until it is true; resolves to that moment. */
async function when(look: () => Promise<boolean>, every = 20, atMost = 60_000): Promise<number> {
  for (const end = Date.now() + atMost; Date.now() < end; await rest(every)) if (await look()) return Date.now()
  throw new Error('it did not come within a minute')
}

async function lakeAnswers(stack: Stack): Promise<void> {
  const client = createClient({
    projectId: 'local0001',
    dataset: 'production',
    apiVersion: '2026-03-01',
    apiHost: stack.lakeUrl,
    useProjectHostname: false,
    useCdn: false,
    perspective: 'published',
  })
  const params = { path: '/women-over60', slug: 'privacy', after: '' }
  const times: { name: string; time: number; bytes: number }[] = []
  for (const [name, query] of Object.entries(queries)) {
    // the module also says what the queries share
    if (typeof query !== 'string') continue
    const runs: number[] = []
    let bytes = 0
    for (let run = 0; run < 16; run++) {
      const began = performance.now()
      const answer: unknown = await client.fetch(query, params)
      runs.push(performance.now() - began)
      bytes = JSON.stringify(answer).length
    }
    // the first one fills caches
    times.push({ name, time: median(runs.slice(1)), bytes })
  }
  const [largest] = times.sort((a, b) => b.bytes - a.bytes)
  const slowest = times.reduce((one, other) => (other.time > one.time ? other : one))
  note(
    'the largest query',
    `${largest?.name}, ${Math.round((largest?.bytes ?? 0) / 1024)} KB, ${largest?.time.toFixed(1)} ms`,
  )
  judge(`the lake's slowest answer to the site (${slowest.name})`, slowest.time, LIMITS.query, ' ms')
}

/** Milliseconds from each key to the moment the preview shows its text. */
async function typed(studio: Page, preview: Frame, keys: string[], every: number): Promise<number[]> {
  await preview.evaluate(() => {
    const seen: [number, string][] = []
    const heading = document.querySelector('main h1')?.closest('main') ?? document.body
    const look = () => seen.push([Date.now(), document.querySelector('main h1')?.textContent ?? ''])
    new MutationObserver(look).observe(heading, { subtree: true, childList: true, characterData: true })
    Object.assign(window, { benchSeen: seen })
  })
  const pressed: [number, string][] = []
  for (const key of keys) {
    const began = Date.now()
    await studio.keyboard.press(key)
    const words = await studio.evaluate(() => (document.activeElement as HTMLInputElement | HTMLTextAreaElement).value)
    pressed.push([began, words])
    await rest(Math.max(0, every - (Date.now() - began)))
  }
  const last = pressed.at(-1)?.[1] ?? ''
  await when(async () => (await preview.locator('main h1').textContent()) === last)
  const seen = await preview.evaluate(() => (window as unknown as { benchSeen: [number, string][] }).benchSeen)
  // a key is shown by the first state of the page that has it, which may have more
  return pressed.map(([at, words]) => (seen.find(([, shown]) => shown.startsWith(words))?.[0] ?? Infinity) - at)
}

async function keystrokes(browser: Browser, stack: Stack): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.route(
    ({ hostname }) => !/^(127\.0\.0\.1|(.*\.)?localhost)$/.test(hostname),
    (route) => route.abort(),
  )
  const editor = new Editor(await context.newPage(), stack)
  const first: number[] = []
  let typing: number[] = []
  for (let round = 0; round < 5; round++) {
    // without a draft, the usual state for an editor
    await editor.mutate({ delete: { id: 'drafts.quiz' } })
    const shown = await editor.openPreview('/quiz?step=1')
    const title = editor.field('steps[_key=="eye-color"].title').getByRole('textbox')
    // a click before the page's overlays are there opens nothing
    const opened = () =>
      title.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      )
    await when(() => shown.locator('main h1').click().then(opened))
    await when(() => title.evaluate((field) => field === document.activeElement))
    await title.press('End')
    await rest(2_000)
    const frame = editor.page.frames().find((one) => one.url().startsWith(stack.previewUrl))
    if (!frame) throw new Error('the preview is not there')
    first.push(...(await typed(editor.page, frame, ['!'], 0)))
    await rest(1_500)
    if (round === 4) typing = await typed(editor.page, frame, [...'abcdefghijklmnopqrstuvwxyzabcdefghijklmn'], 120)
  }
  await editor.mutate({ delete: { id: 'drafts.quiz' } })
  await context.close()
  note('first keystroke, all rounds', first.map((one) => `${one} ms`).join(', '))
  judge('the first keystroke until the preview shows it, median of 5', median(first), LIMITS.firstKey, ' ms')
  note('while typing, median', `${median(typing)} ms`)
  judge('a keystroke while typing until the preview shows it, worst of 40', Math.max(...typing), LIMITS.typing, ' ms')
}

interface Status {
  state: string
}
const statusOf = async (stack: Stack) => (await (await fetch(stack.publisherUrl)).json()) as Status

async function publishing(stack: Stack): Promise<void> {
  const status = () => statusOf(stack)
  const lake = async (path: string, body: object): Promise<void> => {
    const headers = { Authorization: `Bearer ${stack.secrets.lakeToken}`, 'Content-Type': 'application/json' }
    const answer = await fetch(`${stack.lakeUrl}/v2026-03-01/data/${path}/production`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(await answer.text())
  }
  const landing = (await (await fetch(`${stack.lakeUrl}/v2026-03-01/data/doc/production/landing`)).json()) as {
    documents: object[]
  }
  const totals: number[] = []
  const waits: number[] = []
  for (let round = 0; round < 3; round++) {
    const heading = `Published in round ${round}`
    await lake('mutate', {
      mutations: [{ createOrReplace: { ...landing.documents[0], _id: 'drafts.landing', heading } }],
    })
    await rest(1_500)
    const began = Date.now()
    await lake('actions', {
      actions: [{ actionType: 'sanity.action.document.publish', draftId: 'drafts.landing', publishedId: 'landing' }],
    })
    const building = await when(async () => (await status()).state === 'building')
    const built = when(async () => (await status()).state === 'live')
    const visible = await when(async () => (await (await fetch(stack.url)).text()).includes(heading))
    totals.push(visible - began)
    waits.push(building - began + Math.max(0, visible - (await built)))
  }
  judge('publish until the static site shows it, median of 3', median(totals), LIMITS.publish, ' ms')
  judge('of that waiting, not building', median(waits), LIMITS.waiting, ' ms')
}

/** Milliseconds until the table of addresses, and until the Studio and the preview are there too. */
async function startOnce(): Promise<{ table: number; all: number }> {
  // below the ephemeral ports, which other programs on the machine are given at the same time
  const base = 20_000 + Math.floor(Math.random() * 10_000)
  const ports = Object.fromEntries(
    Object.keys(usualPorts).map((name, at) => [`${name.toUpperCase()}_PORT`, String(base + at)]),
  )
  const began = performance.now()
  const child = spawn(process.execPath, ['scripts/start.mjs'], { cwd: root, env: { ...process.env, ...ports } })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()))
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const until = async (words: RegExp) => {
    await when(
      () => (child.exitCode === null ? Promise.resolve(words.test(said)) : Promise.reject(new Error(said))),
      10,
      240_000,
    )
    return performance.now() - began
  }
  try {
    return { table: await until(/Ready in/), all: await until(/preview +http/) }
  } finally {
    child.kill('SIGINT')
    await ended
  }
}

async function starting(): Promise<void> {
  const first = await startOnce()
  note('the start before it', `${(first.all / 1000).toFixed(1)} s`)
  const { table, all } = await startOnce()
  note('addresses of site and services', `${(table / 1000).toFixed(1)} s`)
  judge('npm start with everything built, until Studio and preview are there', all, LIMITS.start, ' ms')
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

/** Our Studio against one with the same tools and a single type with one field. */
async function studioSize(): Promise<void> {
  mkdirSync(join(root, '.data'), { recursive: true })
  const bare = mkdtempSync(join(root, '.data', 'bare-studio-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(bare, 'node_modules'))
    const { dependencies } = JSON.parse(readFileSync(join(root, 'studio', 'package.json'), 'utf8')) as {
      dependencies: object
    }
    writeFileSync(
      join(bare, 'package.json'),
      JSON.stringify({ name: 'bare', type: 'module', private: true, dependencies }),
    )
    writeFileSync(
      join(bare, 'sanity.cli.ts'),
      "import { defineCliConfig } from 'sanity/cli'\nexport default defineCliConfig({ api: { projectId: " +
        "'bare0001', dataset: 'production' }, deployment: { autoUpdates: false } })\n",
    )
    writeFileSync(
      join(bare, 'sanity.config.ts'),
      `import { visionTool } from '@sanity/vision'
import { defineConfig } from 'sanity'
import { presentationTool } from 'sanity/presentation'
import { structureTool } from 'sanity/structure'
export default defineConfig({
  projectId: 'bare0001',
  dataset: 'production',
  plugins: [structureTool(), presentationTool({ previewUrl: 'http://localhost:1' }), visionTool()],
  schema: { types: [{ name: 'note', type: 'document', fields: [{ name: 'title', type: 'string' }] }] },
})
`,
    )
    const cli = join(root, 'node_modules', 'sanity', 'bin', 'sanity')
    const { ok, output } = await runTool([cli, 'build', 'dist', '--yes'], { cwd: bare })
    if (!ok) throw new Error(output)
    const { folder } = await buildStudio({})
    const [ours, theirs] = [sizeOf(folder), sizeOf(join(bare, 'dist'))]
    const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`
    note('the built Studio', `${megabytes(ours)}, a bare one ${megabytes(theirs)}`)
    judge('the built Studio against a bare one of the same tools', ours / theirs, LIMITS.size)
  } finally {
    rmSync(bare, { recursive: true, force: true })
  }
}

async function kills(): Promise<void> {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const { ok, output } = await runTool([vitest, 'run', 'stand-ins/content-lake/crash.test.ts'], {
    env: { LAKE_KILLS: String(KILLS) },
  })
  const counted = /acknowledged: (\d+), lost: (\d+)/.exec(output)
  if (!ok || !counted) console.log(output)
  note(`${KILLS} kills`, `${counted?.[1] ?? 'an unknown number of'} mutations acknowledged`)
  judge(`acknowledged mutations lost in ${KILLS} kills of the lake`, ok && counted ? Number(counted[2]) : Infinity, 0)
}

if (['lake', 'preview', 'publish'].some(wants)) {
  const stopDatabase = await startTestServer()
  const stack = await startStack({ editors: true })
  const executablePath = findChromium()
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ['--disable-quic', '--disable-background-networking', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })
  try {
    // what was published before the publisher started is built first; nothing is measured meanwhile
    await when(async () => !/waiting|building/.test((await statusOf(stack)).state))
    if (wants('lake')) await lakeAnswers(stack)
    if (wants('preview')) await keystrokes(browser, stack)
    if (wants('publish')) await publishing(stack)
  } finally {
    await browser.close()
    await stack.stop()
    await stopDatabase()
  }
}
if (wants('start')) await starting()
if (wants('studio')) await studioSize()
if (wants('kills')) await kills()
finish()
