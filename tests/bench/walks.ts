/**
 * Visitors walk from the landing page to the checkout while a publisher makes one build after the other live and takes
 * every fifth back (K-04): no file may be missing, no page name one of another build, no answer be lost. Pages come
 * through the front door, answers go to the real service. `node tests/bench/walks.ts [walks] [publishes]`; ends with 1
 * when something was missing, mixed or lost. Needs `npm run build`.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordOf } from '../../scripts/builds/builds.ts'
import { journal } from '../../scripts/builds/journal.ts'
import { Buyer } from '../faults/buyer.ts'
import { type Random, randomFrom } from '../faults/random.ts'
import type { World } from '../faults/world.ts'
import { startTestServer } from '../support/postgres.ts'
import { siteDist, startStack } from '../support/stack.ts'
import { numberOf } from '../support/variants.ts'
import { finish, judge, judgeLeast, note } from './table.ts'

const [walks = 1_000, publishes = 100] = process.argv.slice(2).map(Number)
/** Fewer than there are publishes: files outlive their builds. */
const KEPT = 10
const AT_ONCE = 10
/** Milliseconds at most between two changes. */
const REST = 500
const QUESTIONS = ['eyeColor', 'symptoms', 'symptomFrequency', 'visionCorrection', 'screenTime', 'lastEyeExam']

const place = mkdtempSync(join(tmpdir(), 'eye-walks-'))
const [builds, site, records] = ['builds', 'site', 'records'].map((name) => join(place, name)) as [
  string,
  string,
  string,
]
mkdirSync(records)

const seen = { pages: 0, files: 0, answers: 0, across: 0 }
const trouble = { missing: [] as string[], mixed: [] as string[], lost: [] as string[] }
let done = 0

/** The hashed files of a build by its number, also of one that was cleared away. */
const known = new Map<number, readonly string[]>()
function filesOf(build: number): readonly string[] {
  const files =
    known.get(build) ??
    (recordOf(join(records, build.toString(16).padStart(16, '0')))?.files ?? []).filter(
      (one) => !/\.(br|gz)$/.test(one),
    )
  known.set(build, files)
  return files
}

async function walk(url: string, random: Random): Promise<void> {
  const ask = async (path: string) => {
    const answer = await fetch(url + path)
    if (answer.status !== 200) trouble.missing.push(`${path} → ${answer.status}`)
    return answer.text()
  }
  /** A page with all files that it names; returns its build. */
  const open = async (path: string) => {
    const html = await ask(path)
    seen.pages += 1
    const build = numberOf(html)
    const own = filesOf(build)
    const named = [...new Set(html.match(/(?<=\/_astro\/)[\w.-]+\.(?:js|css|woff2|webp|svg)/g))]
    if (named.length === 0) trouble.mixed.push(`${path} is no whole page`)
    for (const file of named) {
      if (!own.includes(file)) trouble.mixed.push(`${path} of build ${build} names ${file}`)
      await ask(`/_astro/${file}`)
      seen.files += 1
    }
    return build
  }
  await open('/')
  const quiz = await open('/quiz')
  const buyer = new Buyer({ url } as World, random)
  await buyer.visit()
  for (const question of QUESTIONS) {
    await buyer.answer(question, `${question} ${random.below(1_000_000)}`)
    // a later screen: whichever file of its own build comes next
    const own = filesOf(quiz)
    await ask(`/_astro/${own[random.below(own.length)]}`)
    seen.files += 1
    await sleep(random.below(100))
  }
  if ((await open(`/checkout/${buyer.sessionId}`)) !== quiz) seen.across += 1
  const { body } = await buyer.call('GET', buyer.path('/answers'))
  const stored = new Map((body.answers as typeof buyer.saved).map(({ questionId, answer }) => [questionId, answer]))
  for (const { questionId, answer } of buyer.saved) {
    seen.answers += 1
    if (stored.get(questionId) !== answer) trouble.lost.push(`${buyer.sessionId} ${questionId}`)
  }
  done += 1
}

const swapper = join(import.meta.dirname, '../support/swapper.ts')
// it is ended with the walks
const args = [swapper, siteDist(), builds, site, `${publishes * 10}`, `${KEPT}`, records, `${REST}`]
const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
try {
  while (!existsSync(join(site, 'index.html'))) await sleep(50)
  process.env['SITE_DIST'] = site
  const stopDatabase = await startTestServer()
  const stack = await startStack()
  const before = journal(builds, site).length
  const changes = () => journal(builds, site).length - before
  const visitor = async (number: number) => {
    const random = randomFrom(number)
    while (done < walks || changes() < publishes) await walk(stack.url, random)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, (_, number) => visitor(number + 1)))
  const during = changes()
  await stack.stop()
  await stopDatabase()
  note('what was asked for', `${seen.pages} pages, ${seen.files} files, ${seen.answers} answers in ${done} walks`)
  note('walks whose checkout is of a later build than their quiz', String(seen.across))
  for (const [what, list] of Object.entries(trouble)) if (list.length > 0) note(what, list.slice(0, 5).join(', '))
  judgeLeast('changes of what is live while they walked', during, publishes)
  judge('missing files and pages', trouble.missing.length, 0)
  judge('pages of two builds', trouble.mixed.length, 0)
  judge('answers lost', trouble.lost.length, 0)
} finally {
  child.kill()
  rmSync(place, { recursive: true, force: true })
}
finish()
