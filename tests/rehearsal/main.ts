/**
 * `npm run rehearse`: a production on this machine, with all that goes wrong in one; a table of pass and fail, and 1 at
 * the end where something failed.
 */
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { root } from '../../scripts/settings.ts'
import { randomFrom } from '../faults/random.ts'
import { lastLines, startServer } from '../faults/world.ts'
import { atLeast, runOf, type RunOptions } from '../support/command-line.ts'
import { admit } from './crowd.ts'
import { databaseAway, migration } from './database.ts'
import { balancers, deaths, pooler, postgres } from './deaths.ts'
import { limits } from './limits.ts'
import { proofs } from './proofs.ts'
import { books, kills, rolls, stillReady } from './rolls.ts'
import { type Row, type Scene, seconds } from './row.ts'
import { doctor, settings } from './settings.ts'
import { setStage, type Stage } from './stage.ts'
import { supervised } from './supervised.ts'
import { certificate, clocks, wrongSecret } from './wrong.ts'

const ROWS: readonly Row[] = [
  ...[settings, doctor, rolls, kills, balancers, postgres, pooler, deaths, supervised],
  ...[migration, databaseAway, limits],
  ...[wrongSecret, clocks, certificate, books, ...proofs],
]
/** Buyers on their way at once: more would wait for the machine, not for the shop. */
const MOST_BUYERS = 24

const values = runOf(ROWS, {
  name: 'rehearse',
  description: 'A production on this machine, with all that goes wrong in one, as a table of pass and fail.',
  quick: 'one roll, one kill, three wrong settings; time is not judged',
})
  .option('--rolls <n>', 'how often both replicas are replaced: 50, or one if quick', atLeast(0))
  .option('--rate <n>', 'buyers a second, as far as the machine carries them', atLeast(0), 20)
  .parse()
  .opts<RunOptions<Row> & { rolls?: number; rate: number }>()
const { quick, seed } = values
const random = randomFrom(seed)
const chosen = (values.case ?? ROWS).filter(({ long }) => !(quick && long))
const began = performance.now()
const table: { name: string; title: string; figures: string; violations: string[]; seconds: number }[] = []

console.log(`rehearsal: seed ${seed}${quick ? ', quick' : ''}`)
// as in production, every commit is on the disk before it is acknowledged
const server = await startServer({ durable: !quick })
let stage: Stage | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(130))
try {
  stage = await setStage(server, { drainSeconds: quick ? 1 : 2, whole: !quick })
  const own = stage
  await Promise.all(own.world.replicas.map((one) => own.start(one)))
  const scene: Scene = {
    stage: own,
    random,
    quick,
    rolls: values.rolls ?? (quick ? 1 : 50),
    admit: () => admit(own, random, { rate: values.rate, most: quick ? 6 : MOST_BUYERS }),
  }
  for (const row of chosen) await play(row, scene)
} catch (error) {
  note('stage', 'everything starts', 0, {
    figures: '',
    violations: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
  })
}
for (const name of stage?.missing ?? []) console.log(`left out: ${name} is not installed here`)

const wrong = table.reduce((sum, { violations }) => sum + violations.length, 0)
const leftOut = (stage?.missing ?? []).map((name) => `rehearsal behind ${name}`)
if (values.report) writeFileSync(values.report, JSON.stringify({ seed, quick, rows: table, leftOut }, null, 2))
console.log(`\nIn ${Math.round((performance.now() - began) / 1_000)} s, seed ${seed}`)
console.log(`rehearsal: ${table.length} rows, ${table.filter(({ violations }) => violations.length > 0).length} failed`)
await end(wrong > 0 || table.length === 0 ? 1 : 0)

async function play(row: Row, scene: Scene): Promise<void> {
  const started = performance.now()
  try {
    const outcome = await row.run(scene)
    const after = await stillReady(scene.stage)
    note(row.name, row.title, started, { ...outcome, violations: [...outcome.violations, ...after] })
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    note(row.name, row.title, started, { figures: 'broke off', violations: [text] })
  }
  if (table.at(-1)!.violations.length > 0)
    for (const line of lastLines(scene.stage.world, 1)) console.log(`  log: ${line.slice(0, 300)}`)
}

function note(name: string, title: string, started: number, { figures, violations }: Awaited<ReturnType<Row['run']>>) {
  const took = performance.now() - started
  table.push({ name, title, figures, violations, seconds: took / 1_000 })
  console.log(
    `${violations.length > 0 ? 'FAILED' : 'ok    '} ${name.padEnd(10)} ${figures}  (${seconds(took)})\n       ${title}`,
  )
  for (const violation of violations.slice(0, 12)) console.log(`       ! ${violation}`)
  if (violations.length > 12) console.log(`       … and ${violations.length - 12} more`)
}

async function end(code: number): Promise<never> {
  await stage?.stop(wrong > 0).catch(() => undefined)
  await server.stop().catch(() => undefined)
  if (code !== 0) {
    // other tests clear away what a run has left behind
    const kept = join(root, 'test-results', 'rehearsal')
    rmSync(kept, { recursive: true, force: true })
    for (const folder of ['stage', 'faults_1']) {
      const from = join(server.folder, folder)
      if (existsSync(from)) cpSync(from, join(kept, folder), { recursive: true })
    }
    console.log(`logs: ${kept}`)
  }
  rmSync(server.folder, { recursive: true, force: true })
  process.exit(code)
}
