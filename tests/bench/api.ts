/**
 * What the service's writes cost compared with a plain prepared `pg` pool, what a row weighs, and what many rows cost.
 * `node tests/bench/api.ts [load|storage|many] [session|answer|view|activity|beacon]` runs one part or one kind of
 * request; without arguments, everything.
 */
import { makeBed } from './api/bed.ts'
import { load } from './api/load.ts'
import { manyRows } from './api/many.ts'
import { storage } from './api/storage.ts'
import { finish } from './table.ts'

const PARTS = { storage, load, many: manyRows }
const asked = process.argv.slice(2)
const names = Object.keys(PARTS).filter((name) => asked.includes(name)) as (keyof typeof PARTS)[]
const only = asked.filter((name) => !Object.hasOwn(PARTS, name))

for (const name of names.length > 0 ? names : (Object.keys(PARTS) as (keyof typeof PARTS)[])) {
  // each on a fresh cluster: no part pays for what another left behind
  const bed = await makeBed()
  try {
    await PARTS[name](bed, only)
  } finally {
    await bed.stop()
  }
}
finish()
