/**
 * `npm run attack`: a bounded hostile run against its own stack on this machine; it accepts no other target.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { runOf, type RunOptions } from '../support/command-line.ts'
import { randomFrom } from '../faults/random.ts'
import { lastLines, startServer, startWorld, type World } from '../faults/world.ts'
import { access } from './access.ts'
import type { Attack } from './attack.ts'
import { manyAddresses, oneNetwork } from './flood.ts'
import { fuzzing } from './fuzzing.ts'
import { guesses } from './guesses.ts'
import { headers } from './headers.ts'
import { Target } from './target.ts'
import { bombs, slow, smuggling } from './wire.ts'

const ATTACKS: readonly Attack[] = [
  access,
  headers,
  smuggling,
  bombs,
  slow,
  fuzzing,
  manyAddresses,
  oneNetwork,
  // the longest: thousands of answers one after the other
  guesses,
]
/** Milliseconds after which no further attack begins. */
const LONGEST = 1_800_000

const values = runOf(ATTACKS, {
  name: 'attack',
  description: 'Bounded attacks against a separate stack on this machine, while honest buyers go on paying.',
  quick: 'low counts',
})
  .parse()
  .opts<RunOptions<Attack>>()
const { case: chosen = ATTACKS, seed } = values
const began = Date.now()
const rows: { name: string; title: string; tried: string; violations: string[]; seconds: number }[] = []

console.log(`attack: seed ${seed}${values.quick ? ', quick' : ''}`)
const server = await startServer()
const worlds = new Map<string, World>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(130))
for (const attack of chosen) {
  if (Date.now() - began > LONGEST) {
    rows.push({
      name: attack.name,
      title: attack.title,
      tried: '',
      violations: ['not run: the time was up'],
      seconds: 0,
    })
    continue
  }
  rows.push(await run(attack))
}
const wrong = rows.reduce((sum, { violations }) => sum + violations.length, 0)
if (values.report) writeFileSync(values.report, JSON.stringify({ seed, quick: values.quick, rows }, null, 2))
console.log(`\nIn ${Math.round((Date.now() - began) / 1_000)} s, seed ${seed}`)
console.log(`attack: ${rows.length} attacks, ${wrong} violations`)
await end(wrong > 0 || rows.length === 0 ? 1 : 0)

/** Attacks with the same environment share a world: nothing left behind by one may open anything to the next. */
async function worldOf(env: Record<string, string> = {}): Promise<World> {
  const key = JSON.stringify(env)
  const known = worlds.get(key)
  if (known) return known
  // the limits of production; the front door that sets the addresses is this program
  const world = await startWorld(server, { direct: true, env: { LIMIT_FACTOR: '1', TRUST_PROXY: 'loopback', ...env } })
  worlds.set(key, world)
  return world
}

async function run(attack: Attack): Promise<(typeof rows)[number]> {
  const started = Date.now()
  const world = await worldOf(attack.env)
  const target = new Target(world.url)
  const violations: string[] = []
  let tried = ''
  try {
    const count = (full: number, quick: number) => (values.quick ? quick : full)
    const outcome = await attack.run({ world, target, random: randomFrom(seed), count })
    tried = outcome.tried
    violations.push(...outcome.violations)
    if (!(await target.alive())) violations.push('the service does not answer any more')
    if (world.replicas.some((replica) => !replica.running())) violations.push('a process ended')
    if (violations.length > 0) violations.push(...lastLines(world, 2).map((line) => `log: ${line.slice(0, 300)}`))
  } catch (error) {
    violations.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    target.close()
  }
  const seconds = (Date.now() - started) / 1_000
  console.log(
    `${violations.length ? 'FAILED' : 'ok    '} ${attack.name}  ${tried}  ${seconds.toFixed(1)} s\n       ` +
      `${attack.title}`,
  )
  for (const violation of violations) console.log(`       ! ${violation}`)
  return { name: attack.name, title: attack.title, tried, violations, seconds }
}

async function end(code: number): Promise<never> {
  await Promise.all([...worlds.values()].map((world) => world.stop())).catch(() => undefined)
  await server.stop().catch(() => undefined)
  rmSync(server.folder, { recursive: true, force: true })
  process.exit(code)
}
