// The official Stripe CLI against the sandbox: an independent check.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, SECRET, type World } from './testing.ts'

const found = spawnSync(process.execPath, [cliPath(), '--version'], { encoding: 'utf8' })
const works = found.status === 0
const FIXTURES = fileURLToPath(new URL('./cli-fixtures.json', import.meta.url))

/** The path of the launcher, from its package.json. */
function cliPath(): string {
  const file = createRequire(import.meta.url).resolve('@stripe/cli/package.json')
  const { bin } = JSON.parse(readFileSync(file, 'utf8')) as { bin: string | Record<string, string> }
  return join(dirname(file), typeof bin === 'string' ? bin : (bin['stripe'] ?? 'bin/stripe.js'))
}

describe.skipIf(!works)(
  works
    ? `Stripe CLI ${found.stdout.trim()}`
    : `Stripe CLI (no binary for ${process.platform}-${process.arch}: ${found.stderr.trim()})`,
  () => {
    let world: World
    const home = mkdtempSync(join(tmpdir(), 'stripe-cli-'))
    beforeAll(async () => {
      world = await openWorld()
    })
    afterAll(async () => {
      await world.close()
      rmSync(home, { recursive: true, force: true })
    })

    /** Runs the CLI; must not block, because the sandbox runs in this process. */
    function run(...args: string[]): Promise<{ code: number | null; out: string }> {
      return new Promise((resolve) => {
        const child = spawn(
          process.execPath,
          [cliPath(), '--api-base', world.sandbox.url, '--api-key', SECRET, ...args],
          {
            env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, STRIPE_CLI_TELEMETRY_OPTOUT: '1' },
          },
        )
        let out = ''
        for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (out += part.toString()))
        child.on('close', (code) => resolve({ code, out }))
      })
    }

    test('runs a fixtures file of more than 25 calls with declines, as against Stripe', async () => {
      const { fixtures } = JSON.parse(readFileSync(FIXTURES, 'utf8')) as {
        fixtures: { name: string; expected_error_type?: string }[]
      }
      expect(fixtures.length).toBeGreaterThanOrEqual(25)
      expect(fixtures.filter((one) => one.expected_error_type === 'card_error').length).toBeGreaterThanOrEqual(5)
      const { code, out } = await run('fixtures', FIXTURES)
      expect([code, out]).toEqual([0, expect.stringContaining('Running fixture for: events')])
      const totals = (await world.control('GET', 'totals')).body
      // 100 → 700 for the trial, 1900 for the add-on, 2900 for the renewal that the test clock triggered.
      expect(totals).toMatchObject({
        charges_succeeded: 3,
        amount: 5500,
        refunded: 1900,
        customers: 1,
        subscriptions: 1,
      })
    })

    test('a call that goes another way than the file says fails the run (the judge can judge)', async () => {
      const file = join(home, 'wrong.json')
      const params = {
        amount: 100,
        currency: 'usd',
        allowed_payment_method_types: ['card'],
        payment_method: 'pm_card_visa_chargeDeclined',
        confirm: true,
      }
      writeFileSync(
        file,
        JSON.stringify({
          _meta: { template_version: 0 },
          fixtures: [{ name: 'x', method: 'post', path: '/v1/payment_intents', params }],
        }),
      )
      expect((await run('fixtures', file)).code).not.toBe(0)
    })

    test('resource commands work', async () => {
      const made = await run('customers', 'create', '--email', 'cli@example.com')
      expect(made.code).toBe(0)
      const customer = JSON.parse(made.out.slice(made.out.indexOf('{'))) as { id: string; email: string }
      expect(customer.email).toBe('cli@example.com')
      expect((await run('customers', 'retrieve', customer.id)).out).toContain(customer.id)
    })
  },
)
