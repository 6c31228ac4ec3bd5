/**
 * Landing page and quiz against floors built in the same run: the landing page without any script, a quiz handwritten
 * in 0.8 KB, a bare React 19 island. Lighthouse mobile, alternating, median of 7; 30-tap walks at 4× CPU. `npm run
 * bench -- pages`, or `SITE_DIST=… node tests/bench/pages.ts [rounds]`.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { findChromium } from '../support/chromium.ts'
import { siteDist } from '../support/stack.ts'
import { plainLanding, plainQuiz, PLAIN_SCRIPT } from './plain-quiz.ts'
import { served, SLOW_NETWORK } from './served.ts'
import { finish, judge, median, note } from './table.ts'
import { walk, type Walk } from './walk.ts'
import { brotli, islandFloor, weigh } from './weights.ts'

const rounds = Number(process.argv[2] ?? 7)
const WALKS = 3
const dist = siteDist()
const DEBUG_PORT = 20_000 + (process.pid % 20_000)
const executablePath = findChromium()
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: [
    `--remote-debugging-port=${DEBUG_PORT}`,
    '--disable-quic',
    '--disable-background-networking',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ],
})

/** The floors as a built site: same addresses, same pictures, icons and fonts, compressed the same way. */
function buildFloors(): string {
  const place = mkdtempSync(join(tmpdir(), 'eye-floors-'))
  cpSync(join(dist, '_astro'), join(place, '_astro'), { recursive: true })
  for (const file of readdirSync(dist)) {
    if (/^(favicon|icon|apple).*\.(svg|png)$|\.webmanifest$/.test(file)) cpSync(join(dist, file), join(place, file))
  }
  mkdirSync(join(place, 'quiz'))
  for (const [file, html] of [
    ['index.html', plainLanding(dist)],
    ['quiz/index.html', plainQuiz(dist)],
  ] as const) {
    writeFileSync(join(place, file), html)
    writeFileSync(join(place, `${file}.br`), brotliCompressSync(html))
  }
  return place
}

interface Run {
  lcp: number
  tbt: number
  cls: number
}
async function measure(url: string, again = true): Promise<Run> {
  const result = await lighthouse(url, {
    port: DEBUG_PORT,
    onlyAudits: ['largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'],
    logLevel: 'silent',
  }).catch((error: unknown) => ({ lhr: { runtimeError: error as Error, audits: undefined } }))
  const { runtimeError, audits } = result?.lhr ?? {}
  // a busy machine can miss the paint or lose the tab: try once more
  if (runtimeError && again) return measure(url, false)
  if (runtimeError) throw new Error(`Lighthouse: ${runtimeError.message}`)
  const value = (id: string) => audits?.[id]?.numericValue ?? Number.NaN
  const run = {
    lcp: value('largest-contentful-paint'),
    tbt: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
  }
  return Number.isNaN(run.lcp) && again ? measure(url, false) : run
}

/** Ours and the floor, alternating, so that a busy minute affects both. */
async function compared(ours: string, floor: string): Promise<Record<'ours' | 'floor', Run>> {
  const runs: Record<'ours' | 'floor', Run[]> = { ours: [], floor: [] }
  for (let round = 0; round < rounds; round++) {
    runs.floor.push(await measure(floor))
    runs.ours.push(await measure(ours))
  }
  const middle = (all: Run[]): Run => ({
    lcp: median(all.map(({ lcp }) => lcp)),
    tbt: median(all.map(({ tbt }) => tbt)),
    cls: median(all.map(({ cls }) => cls)),
  })
  return { ours: middle(runs.ours), floor: middle(runs.floor) }
}

const floors = buildFloors()
try {
  const kb = 1024
  const landing = weigh(dist, '')
  const island = weigh(await islandFloor(), '').script
  note('floor: quiz by hand, script', `${brotli(PLAIN_SCRIPT)} bytes`)
  note('floor: bare React 19 island, script', `${island} bytes`)
  judge('landing page, all', landing.total, 12 * kb, ' bytes')
  judge('landing page, script', landing.script, 2 * kb, ' bytes')
  judge('quiz, script to the first answer against the island', weigh(dist, 'quiz').script / island, 1.25)
  judge('checkout, script before the dialog against the island', weigh(dist, 'checkout').script / island, 1.26)

  await served(
    dist,
    (ours) =>
      served(
        floors,
        async (floor) => {
          const home = await compared(`${ours}/`, `${floor}/`)
          note(
            'landing page, largest paint',
            `${home.ours.lcp.toFixed(0)} ms, without script ${home.floor.lcp.toFixed(0)} ms`,
          )
          judge('landing page, largest paint against no script', home.ours.lcp / home.floor.lcp, 1.1)
          note('landing page without script, blocked', `${home.floor.tbt.toFixed(0)} ms`)
          judge(
            'landing page, blocked more than without script',
            Math.max(0, Math.round(home.ours.tbt - home.floor.tbt)),
            0,
            ' ms',
          )
          judge('landing page, layout shift', home.ours.cls, 0)
          const quiz = await compared(`${ours}/quiz`, `${floor}/quiz`)
          note('quiz, largest paint', `${quiz.ours.lcp.toFixed(0)} ms, by hand ${quiz.floor.lcp.toFixed(0)} ms`)
          note('quiz, blocked', `${quiz.ours.tbt.toFixed(0)} ms, by hand ${quiz.floor.tbt.toFixed(0)} ms`)
          judge('quiz, largest paint against the one by hand', quiz.ours.lcp / quiz.floor.lcp, 1.1)
          judge('quiz, layout shift while loading', quiz.ours.cls, 0)
          // alternating too; a figure is the median of its walks, a shift or a late file counts in any of them
          const walks: Record<'quiz by hand' | 'quiz', Walk[]> = { 'quiz by hand': [], quiz: [] }
          for (let round = 0; round < WALKS; round++) {
            walks['quiz by hand'].push(await walk(browser, floor))
            walks.quiz.push(await walk(browser, ours))
          }
          for (const [who, all] of Object.entries(walks)) {
            note(
              `${who}, handler p50`,
              `${all.map(({ handler }) => handler.toFixed(2)).join(', ')} ms over ${all[0]?.taps} taps`,
            )
            for (const { worst } of all) {
              note(
                `${who}, worst interaction`,
                `${worst.duration} ms: ${worst.name} on step ${worst.step}, waited ` +
                  `${worst.delay.toFixed(0)}, handlers ${worst.handlers.toFixed(0)}, painting ` +
                  `${worst.painting.toFixed(0)}`,
              )
            }
          }
          const p50 = (all: Walk[]) => median(all.map(({ handler }) => handler))
          judge('quiz, handler p50 against the one by hand', p50(walks.quiz) / p50(walks['quiz by hand']), 1.5)
          judge('quiz, worst interaction', median(walks.quiz.map(({ worst }) => worst.duration)), 80, ' ms')
          judge('quiz, layout shift between steps', Math.max(...walks.quiz.map(({ shifts }) => shifts)), 0)
          judge('quiz, code asked for during the walk', Math.max(...walks.quiz.map(({ late }) => late)), 0, ' files')
        },
        SLOW_NETWORK,
      ),
    SLOW_NETWORK,
  )
} finally {
  await browser.close()
  rmSync(floors, { recursive: true, force: true })
}
finish()
