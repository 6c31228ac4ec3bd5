/** A migration that fills a table from the rows of another, run where there are rows. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { withEmptyDatabase } from '../tests/support/database.ts'
import { connect, type Database } from './connect.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'

const MIGRATION = '20261202000000-sum-steps'

interface Count {
  source: string
  language: string
  device: string
  outcome: string
  seconds: number
  visitors: number
}
const COUNTS: readonly Count[] = [
  { source: 'facebook', language: 'en', device: 'mobile', outcome: 'went_on', seconds: 5, visitors: 7 },
  { source: 'facebook', language: 'en', device: 'mobile', outcome: 'left', seconds: 5, visitors: 2 },
  { source: 'facebook', language: 'de', device: 'desktop', outcome: 'went_on', seconds: 9, visitors: 3 },
  { source: 'direct', language: 'de', device: 'mobile', outcome: 'paid', seconds: 5, visitors: 4 },
  { source: 'test', language: 'en', device: 'mobile', outcome: 'went_on', seconds: 5, visitors: 11 },
]

/** What each row adds to: everybody and its source, language and device; each by outcome and by the time spent. */
function recounted(): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { outcome, seconds, visitors, ...of } of COUNTS) {
    const parts = Object.entries({ '': '', source: of.source, language: of.language, device: of.device })
    for (const [dimension, value] of parts) {
      if (of.source === 'test' && dimension !== 'source') continue
      for (const told of [`outcome ${outcome}`, `seconds ${seconds}`]) {
        const name = `${dimension}=${value} ${told}`
        sums.set(name, (sums.get(name) ?? 0) + visitors)
      }
    }
  }
  return sums
}

async function summed(db: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; visitors: number }>`
    select dimension || '=' || value || coalesce(' outcome ' || outcome, ' seconds ' || seconds) as name, visitors
    from step_sums where day = '2026-11-30' and revision = 'r1' and place = 3 and step_key = 'key'`.execute(db)
  return new Map(rows.map(({ name, visitors }) => [name, visitors]))
}

test('D-09 D-11 the sums of steps begin with what was counted before there were sums', async () => {
  await withEmptyDatabase(async (url) => {
    const { db, close } = connect(url, { max: 2 })
    try {
      const names = Object.keys(migrations)
      await migrate(db, Object.fromEntries(Object.entries(migrations).slice(0, names.indexOf(MIGRATION))))
      for (const { source, language, device, outcome, seconds, visitors } of COUNTS) {
        await sql`insert into step_counts values ('2026-11-30', 'r1', 3, 'key', ${source}, ${language}, ${device},
          ${outcome}::step_outcome, ${seconds}, ${visitors})`.execute(db)
      }
      expect(await migrate(db)).toEqual(names.slice(names.indexOf(MIGRATION)))
      expect(await summed(db)).toEqual(recounted())
    } finally {
      await close()
    }
  })
})
