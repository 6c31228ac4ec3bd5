/**
 * `npm run bench`: runs the parts of the bench, one after the other, and prints a table of their verdicts. A part is a
 * file in this folder that prints lines of `judge` (table.ts) and exits with 1 when a limit was exceeded; for one that
 * prints none, the exit code is the verdict.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { runTool } from '../../scripts/processes.ts'
import { root } from '../../scripts/settings.ts'

/** In this order. `builds` takes minutes. */
const PARTS = [
  'pages',
  'whole',
  'advertorial',
  'checkout',
  'payments',
  'purchases',
  'traces',
  'api',
  'database',
  'numbers',
  'exit',
  'branching',
  'editor',
  'walks',
  'builds',
]

const { args: asked } = new Command('npm run bench --')
  .description('Measures everything, or the named parts; alone on the machine, because the figures are times.')
  .argument('[parts...]', `of ${PARTS.join(', ')}; api:load:answer is a part of a part`, aPart)
  .showHelpAfterError()
  .parse()
const parts = asked.length ? asked : PARTS
const rows: { part: string; verdict: string; what: string }[] = []

for (const part of parts) {
  console.log(`── ${part}`)
  const { ok, output } = await runTool([fileOf(part), ...part.split(':').slice(1)])
  console.log(output.trimEnd())
  const lines = [...output.matchAll(/^(ok|TOO MUCH) +(.+)$/gm)]
  for (const [, verdict = '', what = ''] of lines) rows.push({ part, verdict, what })
  if (!lines.length || (!ok && lines.every(([, verdict]) => verdict === 'ok'))) {
    rows.push({ part, verdict: ok ? 'ok' : 'FAILED', what: output.trim().split('\n').at(-1) ?? '' })
  }
}

console.log('\nVerdicts')
for (const { part, verdict, what } of rows) console.log(`${verdict.padEnd(9)} ${part.padEnd(12)} ${what}`)
const passed = rows.filter(({ verdict }) => verdict === 'ok').length
console.log(`\n${passed} within their limits, ${rows.length - passed} not`)
process.exit(rows.length && passed === rows.length ? 0 : 1)

function aPart(text: string): string {
  if (existsSync(fileOf(text))) return text
  throw new InvalidArgumentError('No such part.')
}

function fileOf(part: string): string {
  return join(root, 'tests/bench', `${part.split(':')[0]}.ts`)
}
