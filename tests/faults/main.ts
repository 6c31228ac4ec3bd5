/**
 * `npm run faults`: crashes, partitions, duplicates. Drives the real service and the embedded Stripe as processes and
 * compares Stripe's ledger with the database after every case.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atLeast, runOf, type RunOptions } from '../support/command-line.ts'
import type { Case, Context, Outcome } from './case.ts'
import { CASES } from './cases/all.ts'
import { patience } from './invariants.ts'
import { inTurns, randomFrom } from './random.ts'
import { startServer, startWorld } from './world.ts'

const values = runOf(CASES, {
  name: 'faults',
  description: "Crashes, lost replies and duplicates; compares Stripe's ledger with the database after every case.",
  quick: 'one kill per named point, low counts',
})
  .option('--only <text>', 'within a case: only the flow, point or mode that contains it', '')
  .option('--scale <share>', 'a share of the full counts', atLeast(0), 1)
  .option('--patience <s>', 'how long everything may take to settle; less shows seeded bugs sooner', atLeast(0), 60)
  .parse()
  .opts<RunOptions<Case> & { only: string; scale: number; patience: number }>()
const { case: chosen = CASES, seed, scale } = values
const began = Date.now()
let wrong = 0
patience.milliseconds = values.patience * 1_000

console.log(`faults: seed ${seed}${values.quick ? ', quick' : scale === 1 ? '' : `, ${scale} of the full counts`}`)
const server = await startServer()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(130))

// a long run survives its own mistakes, and fails at the end
process.on('unhandledRejection', (error) => {
  wrong += 1
  console.log(`    unheard: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
})

interface Row extends Outcome {
  one: Case
  seconds: number
}
const rows: Row[] = []
// the quick run has little to do and much to wait for
const side = chosen.filter(({ alone }) => values.quick && !alone)
await inTurns(
  side.map((one) => () => run(one)),
  2,
)
for (const one of chosen.filter((other) => !side.includes(other))) await run(one)

async function run(one: Case): Promise<void> {
  const started = Date.now()
  const context: Context = {
    server,
    seed,
    // each case has its own random numbers, so that it can be replayed alone
    random: randomFrom(seed ^ [...one.name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7)),
    quick: values.quick,
    scale,
    only: values.only,
    count: (full, quick) => (values.quick ? quick : Math.max(quick, Math.round(full * scale))),
    world: (options) => startWorld(server, options),
    say: (line) => console.log(line),
  }
  const outcome = await one.run(context).catch((error: unknown): Outcome => ({
    runs: 0,
    violations: [`the case broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`],
  }))
  const row = { ...outcome, one, seconds: (Date.now() - started) / 1000 }
  rows.push(row)
  wrong += outcome.violations.length
  console.log(line(row))
  const told = [...new Set(outcome.violations)]
  for (const violation of told.slice(0, 12)) console.log(`    ${violation}`)
  if (told.length > 12) console.log(`    … and ${told.length - 12} more`)
  if (told.length > 0)
    console.log(`    again: npm run faults -- --case ${one.name} --seed ${seed}${values.quick ? ' --quick' : ''}`)
}

/** One row of the table. */
function line({ one, runs, violations, slowest, seconds, note }: Row): string {
  const figures = [
    `${String(runs).padStart(6)} runs`,
    `${String(violations.length).padStart(3)} violations`,
    slowest === undefined ? ''.padStart(15) : `settled ${(slowest / 1000).toFixed(1).padStart(5)} s`,
    `${seconds.toFixed(1).padStart(6)} s`,
  ]
  return (
    `${violations.length ? 'FAILED' : 'ok    '} ${one.name.padEnd(14)} ` +
    `${figures.join('  ')}${note ? `  (${note})` : ''}`
  )
}

rows.sort((a, b) => CASES.indexOf(a.one) - CASES.indexOf(b.one))
const runs = rows.reduce((sum, row) => sum + row.runs, 0)
if (runs === 0) wrong += 1
console.log(`\n${rows.map((row) => `${line(row)}\n       ${row.one.title}`).join('\n')}`)
if (values.report) {
  const report = {
    seed,
    quick: values.quick,
    scale,
    seconds: (Date.now() - began) / 1000,
    rows: rows.map(({ one, ...row }) => ({ name: one.name, title: one.title, ...row })),
  }
  writeFileSync(values.report, JSON.stringify(report, null, 2))
}
const none = runs === 0 ? ': nothing has this name' : ''
console.log(`\nIn ${Math.round((Date.now() - began) / 1000)} s, seed ${seed}, ${runs} runs${none}`)
console.log(`faults: ${rows.length} cases, ${wrong} violations`)
await end(wrong > 0 || rows.length === 0 ? 1 : 0)

async function end(code: number): Promise<never> {
  await server.stop().catch(() => undefined)
  // the logs are kept when something was wrong
  if (wrong === 0) rmSync(server.folder, { recursive: true, force: true })
  else rmSync(join(server.folder, 'data'), { recursive: true, force: true })
  process.exit(code)
}
