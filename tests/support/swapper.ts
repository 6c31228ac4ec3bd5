/**
 * A publisher and an operator in a process of their own: makes variants of a build, makes one after the other live, and
 * takes every fifth back for a moment. What is known of each build is copied to `records`. Rests up to `rest`
 * milliseconds after each change. Ends with the milliseconds of each rollback, as JSON.
 */
import { cpSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { prune } from '../../scripts/builds/builds.ts'
import { alone, showBuild, rollBack, unpin } from '../../scripts/builds/live.ts'
import { variantsOf } from './variants.ts'

const [dist = '', builds = '', site = '', swaps = '', kept = '', records = '', rest = '100'] = process.argv.slice(2)
const make = variantsOf(dist, builds)
const milliseconds: number[] = []
for (let number = 0; number <= Number(swaps); number++) {
  const build = make(number)
  // for visitors who still read its pages when it has been deleted
  cpSync(`${build}.json`, join(records, basename(`${build}.json`)))
  await showBuild(build, site, 'publisher')
  await alone(builds, () => prune(builds, Number(kept)))
  await sleep(Math.random() * Number(rest))
  if (number % 5 !== 4) continue
  const began = performance.now()
  await rollBack(site, 'operator')
  milliseconds.push(Math.round(performance.now() - began))
  await sleep(Math.random() * Number(rest))
  await unpin(site, 'operator')
}
console.log(JSON.stringify(milliseconds))
