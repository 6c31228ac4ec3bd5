/**
 * How the build grows with the content (V-03): 5,000 generated advertorials against a bare Astro build of 5,000 pages
 * of the same texts, in the same run. Run it alone on the machine: `node tests/bench/builds.ts [pages]`; ends with 1
 * when a limit is passed. Not part of `npm test`: it takes minutes.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, untilReady } from '../../scripts/processes.ts'
import { contentEnv, lake, type World } from '../../scripts/programs.ts'
import { astroRun } from '../../scripts/astro-build.ts'
import { anyPort } from '../../db/ports.ts'
import { newSecrets, root, usualPorts } from '../../scripts/settings.ts'
import { finish, judge, median } from './table.ts'

const LIMITS = { time: 1.5, memory: 1.3, growth: 1.2 }
const pages = Number(process.argv[2] ?? 5_000)
const astro = join(root, 'node_modules/astro/bin/astro.mjs')
const scratch = mkdtempSync(join(tmpdir(), 'eye-bench-'))

interface Article {
  _id: string
  path: string
  headline: string
  body: { _type: string; children?: { text: string }[] }[]
}
interface Run {
  seconds: number
  /** CPU time of all threads, from /proc in hundredths of a second: other users of the machine hardly distort it. */
  cpu: number
  megabytes: number
  built: number
}

/** `count` articles made of the two samples: own path, headline, opening and keys; covers and pictures are shared. */
function generated(count: number): Article[] {
  const samples = readFileSync(join(root, 'studio/dataset/advertorials.ndjson'), 'utf8').trim().split('\n')
  return Array.from({ length: count }, (_, index) => {
    const article = JSON.parse(samples[index % samples.length] ?? '{}') as Article
    article._id = `advertorial-bench-${index}`
    article.path = `/bench/story-${index}`
    article.headline = `${article.headline} (${index})`
    const opening = article.body.find(({ children }) => children)?.children?.[0]
    if (opening) opening.text = `Story ${index}. ${opening.text}`
    return article
  })
}

/** Runs a build to its end; the memory is the largest resident set of the process (Linux), from /proc. */
async function measured(cwd: string, outDir: string, env: Record<string, string>, node: string[] = []): Promise<Run> {
  const began = performance.now()
  const child = spawn(process.execPath, [...node, astro, 'build', '--outDir', outDir], {
    cwd,
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
  let peak = 0
  let ticks = 0
  const look = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0))
      const [user, system] =
        readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? []
      ticks = Math.max(ticks, Number(user) + Number(system) || 0)
    } catch {
      // it has just ended, or this is not Linux: then the memory reads 0
    }
  }, 50)
  const code = await new Promise<number | null>((ended) => child.once('close', ended))
  clearInterval(look)
  if (code !== 0) throw new Error(`the build failed:\n${output.slice(-3_000)}`)
  const built = readdirSync(outDir, { recursive: true, withFileTypes: true }).filter(({ name }) =>
    name.endsWith('.html'),
  ).length
  return { seconds: (performance.now() - began) / 1000, cpu: ticks / 100, megabytes: Math.round(peak / 1024), built }
}

/** A content lake with `count` articles; `work` gets the environment of a build that reads from it. */
async function withArticles<T>(
  count: number,
  work: (place: string, env: Record<string, string>) => Promise<T>,
): Promise<T> {
  const place = mkdtempSync(join(scratch, 'ours-'))
  const seed = join(place, 'seed')
  mkdirSync(seed)
  const dataset = join(root, 'studio/dataset')
  for (const name of readdirSync(dataset)) {
    if (name.endsWith('.ndjson') && name !== 'advertorials.ndjson') cpSync(join(dataset, name), join(seed, name))
  }
  symlinkSync(join(dataset, 'assets'), join(seed, 'assets'))
  const lines = generated(count).map((article) => JSON.stringify(article))
  writeFileSync(join(seed, 'advertorials.ndjson'), `${lines.join('\n')}\n`)
  const ports = { ...usualPorts, lake: await anyPort() }
  const world: World = {
    ports,
    secrets: newSecrets(),
    databaseUrl: '',
    dataDir: place,
    configured: { LAKE_SEED: seed },
  }
  const content = launch(lake(world), { logDir: place })
  try {
    await untilReady(content, lake(world).readyUrl)
    return await work(place, contentEnv(world))
  } finally {
    await content.stop()
  }
}

/** A build of many pages as scripts/astro-build.ts runs it; of few too, so that what they cost can be taken away. */
const run = astroRun(5_000)
const ours = (cwd: string, outDir: string, env: Record<string, string>) =>
  measured(cwd, outDir, { ...env, ...run.env }, run.node)

/** The whole site with `count` advertorials. */
const site = (count: number) => withArticles(count, (place, env) => ours(root, join(place, 'site'), env))

/** The advertorials alone: their page, its share pictures, everything they import, the site's own configuration. */
const advertorials = (count: number) =>
  withArticles(count, (place, env) => {
    const project = join(place, 'project')
    mkdirSync(project)
    for (const name of ['node_modules', 'contract', 'tsconfig.json', 'package.json']) {
      symlinkSync(join(root, name), join(project, name))
    }
    // copies: behind a link, Astro looks for a component's script under another name
    const routes = join(root, 'src/pages')
    cpSync(join(root, 'src'), join(project, 'src'), { recursive: true, filter: (source) => source !== routes })
    for (const page of ['[...advertorial].astro', 'og/[name].jpg.ts']) {
      cpSync(join(routes, page), join(project, 'src/pages', page))
    }
    const config = JSON.stringify(join(root, 'astro.config.mjs'))
    writeFileSync(
      join(project, 'astro.config.mjs'),
      `import config from ${config}\nexport default { ...config, root: ${JSON.stringify(project)} }\n`,
    )
    return ours(project, join(place, 'site'), env)
  })

/** Astro with nothing but `count` pages of the same texts. */
async function bare(count: number): Promise<Run> {
  const place = mkdtempSync(join(scratch, 'bare-'))
  mkdirSync(join(place, 'src/pages/bench'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'))
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name: 'bare', type: 'module', private: true }))
  writeFileSync(join(place, 'astro.config.mjs'), 'export default {}\n')
  const data = generated(count).map(({ path, headline, body }) => ({
    id: path.split('/').at(-1),
    headline,
    texts: body.flatMap(({ children }) => (children ? [children.map(({ text }) => text).join('')] : [])),
  }))
  writeFileSync(join(place, 'data.json'), JSON.stringify(data))
  const page = `---
import { readFileSync } from 'node:fs'
export function getStaticPaths() {
  const data = JSON.parse(readFileSync('data.json', 'utf8'))
  return data.map((article) => ({ params: { id: article.id }, props: { article } }))
}
const { article } = Astro.props
---

<html lang="en"><head><title>{article.headline}</title></head>
<body><h1>{article.headline}</h1>{article.texts.map((text) => <p>{text}</p>)}</body></html>
`
  writeFileSync(join(place, 'src/pages/bench/[id].astro'), page)
  return measured(place, join(place, 'site'), {})
}

const show = (name: string, run: Run) =>
  console.log(
    `${name.padEnd(34)} ${run.seconds.toFixed(1).padStart(6)} s (cpu ${run.cpu.toFixed(1)} s) ` +
      `${String(run.megabytes).padStart(6)} MB ${run.built} pages`,
  )
/** Runs of each build, alternating, so that a busy minute affects all of them. */
const ROUNDS = 3

/** The median of several runs of one build, for each figure. */
const middle = (runs: readonly Run[]): Run => ({
  seconds: median(runs.map(({ seconds }) => seconds)),
  cpu: median(runs.map(({ cpu }) => cpu)),
  megabytes: median(runs.map(({ megabytes }) => megabytes)),
  built: runs[0]?.built ?? 0,
})

try {
  const quarterOf = Math.round(pages / 4)
  const runs: Record<'reference' | 'few' | 'quarter' | 'full', Run[]> = {
    reference: [],
    few: [],
    quarter: [],
    full: [],
  }
  for (let round = 0; round < ROUNDS; round++) {
    runs.reference.push(await bare(pages))
    runs.few.push(await advertorials(2))
    runs.quarter.push(await advertorials(quarterOf))
    runs.full.push(await advertorials(pages))
  }
  const [reference, few] = [middle(runs.reference), middle(runs.few)]
  const [quarter, full] = [middle(runs.quarter), middle(runs.full)]
  show(`bare Astro, ${pages} pages`, reference)
  show('two advertorials alone', few)
  show(`${quarterOf} advertorials alone`, quarter)
  show(`${pages} advertorials alone`, full)
  const perPage = (run: Run, count: number) => (run.seconds - few.seconds) / (count - 2)
  judge('time against bare Astro', full.seconds / reference.seconds, LIMITS.time)
  judge('memory against bare Astro', full.megabytes / reference.megabytes, LIMITS.memory)
  judge('cost of a page, all against a quarter', perPage(full, pages) / perPage(quarter, quarterOf), LIMITS.growth)
  if (process.argv.includes('--site')) show(`the whole site, ${pages} advertorials`, await site(pages))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
finish()
