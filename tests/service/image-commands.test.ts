/** What the image runs, without the image: the bundled service and every command, apart from this checkout. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleCommands, commands } from '../../scripts/image/commands.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { environment, eventually } from './service.ts'

const folder = mkdtempSync(join(tmpdir(), 'eye-commands-'))
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await bundleCommands(folder)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

function start(...args: string[]) {
  const env = environment({ DATABASE_URL: database.url, LOG_LEVEL: 'info' }) as NodeJS.ProcessEnv
  const child = spawn(process.execPath, [join(folder, 'main.js'), ...args], { cwd: folder, env, stdio: 'pipe' })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part.toString()))
  const ended = new Promise<number | null>((done) => child.once('close', done))
  return { child, output: () => text, ended }
}

test('N-03 the bundled service is ready without node_modules, and ends with 0 when it is asked to', async () => {
  const service = start()
  const said = () => Promise.resolve(service.output())
  const port = /"port":(\d+)/.exec(await eventually(said, (text) => /"port":\d+/.test(text)))?.[1]
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
  service.child.kill('SIGTERM')
  expect(await service.ended).toBe(0)
})

test('N-03 every bundled command does its work or says how it is used', async () => {
  const usage = (part: string) => new RegExp(`^error: missing required argument[^]+Usage: .*${part}`)
  const expected: Record<string, RegExp> = {
    migrate: /^Nothing to apply/,
    doctor: /^ok +database/,
    'operator:create': usage('<email>'),
    // of Stripe, which is away here
    'stripe:setup': /connection to Stripe/,
    backup: usage('<folder>'),
    restore: usage('<backups>'),
    'money-back': /^No requests/,
    'price-change': /connection to Stripe/,
    'tax-export': usage('<quarter>'),
    privacy: /^Usage: npm run -s privacy -- /,
  }
  expect(Object.keys(expected)).toEqual(Object.keys(commands()).filter((name) => name !== 'service'))
  for (const [name, words] of Object.entries(expected)) {
    const command = start(name)
    await command.ended
    expect(command.output(), name).toMatch(words)
  }
})

test('N-03 an operator’s account is made by the bundle, with its list of common passwords', async () => {
  const command = start('operator:create', 'ann@example.com')
  expect(await command.ended, command.output()).toBe(0)
})
