import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { killWithChildren } from '../tests/support/started.ts'
import { keepDatabase, type KeptDatabase } from './keep-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'eye-funnel-tests-'))
chmodSync(folder, 0o755)
const password = 'of-a-test'
// what cleans up after runs that were killed looks for it
writeFileSync(join(folder, 'owner.json'), JSON.stringify({ pid: process.pid, password }), { mode: 0o600 })
const dataDir = join(folder, 'data')
let kept: KeptDatabase | undefined
afterAll(async () => {
  await kept?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const ask = async (text: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: kept!.url })
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}
const server = () => Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])

// only Linux lists the processes of a server
test.skipIf(process.platform !== 'linux')(
  'N-03 D-11 a PostgreSQL of npm start that is killed is back at its address with all it had, until it is stopped',
  async () => {
    const said: string[] = []
    kept = await keepDatabase({ dataDir, password }, (line) => said.push(line))
    await ask('create table told (what text)')
    await ask("insert into told values ('before')")
    for (const deaths of [1, 2]) {
      await killWithChildren(server())
      await expect(ask('select 1')).rejects.toThrow()
      await expect.poll(() => said.filter((line) => line === 'PostgreSQL is up again.').length).toBe(deaths)
      expect(await ask('select what from told')).toEqual([{ what: 'before' }])
    }
    expect(said).toHaveLength(4)
    await kept.stop()
    await expect(ask('select 1')).rejects.toThrow()
    expect(said).toHaveLength(4)
  },
)
