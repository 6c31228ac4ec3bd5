/** N-02: the service listens to this machine only, where its proxy runs, unless HOST says otherwise. */
import { type ChildProcess, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../scripts/settings.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { environment, eventually } from './service.ts'

let database: TestDatabase
const children: ChildProcess[] = []
beforeAll(async () => void (database = await createTestDatabase()))
afterAll(async () => {
  for (const child of children) {
    child.kill('SIGTERM')
    await new Promise((done) => (child.exitCode === null ? child.once('exit', done) : done(0)))
  }
  await database.drop()
})

async function start(env: Record<string, string> = {}): Promise<number> {
  const child = spawn(process.execPath, [join(root, 'payments-service', 'main.ts')], {
    env: {
      PATH: process.env['PATH'],
      ...environment({ DATABASE_URL: database.url, LOG_LEVEL: 'info', ...env }),
    } as NodeJS.ProcessEnv,
  })
  children.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part.toString()))
  const port = await eventually(
    () => Promise.resolve(/"port":(\d+)/.exec(text)?.[1]),
    (found) => found !== undefined,
  )
  return Number(port)
}

const reaches = (host: string, port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect({ port, host, timeout: 2_000 }, () => done(true))
    for (const event of ['error', 'timeout'] as const) socket.on(event, () => done(false))
    socket.on('connect', () => socket.destroy())
  })
/** Another address of this machine than the one that programs listen at. */
const outside =
  Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.2'

test('N-02 the service answers this machine alone, and others where HOST says so', async () => {
  const own = await start()
  expect([await reaches('127.0.0.1', own), await reaches(outside, own)]).toEqual([true, false])
  const open = await start({ HOST: '0.0.0.0' })
  expect(await reaches(outside, open)).toBe(true)
})
