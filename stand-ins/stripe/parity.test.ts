// The parity run against the sandbox alone: every step has the expected outcome, and the compared values exist.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runLife } from './parity-life.ts'
import { type Answer, send } from './parity-step.ts'
import { openWorld, SECRET, type World } from './testing.ts'

describe('the parity run', () => {
  let world: World
  let scenes: Map<string, Answer>
  beforeAll(async () => {
    world = await openWorld()
    scenes = await runLife((step) => send(world.sandbox.url, SECRET, step))
  })
  afterAll(() => world.close())

  const newest = (name: string) => {
    const { status, invoices } = scenes.get(name)?.body as { status: string; invoices: Record<string, object> }
    return { ...invoices['0'], state: status }
  }

  test('P-04 sees a trial end, the draft hour, a charge, a refusal and the next try on a test clock', () => {
    expect(scenes.get('trial')?.body['status']).toBe('trialing')
    expect(newest('trial_over')).toMatchObject({ state: 'active', status: 'draft', due: 3900, draftHours: 1 })
    expect(newest('renewal_charged')).toMatchObject({ state: 'active', status: 'paid', due: 3900, attempts: 1 })
    expect(newest('renewal_refused')).toMatchObject({ state: 'past_due', status: 'open', attempts: 1, nextTryDays: 2 })
    expect(newest('tried_again')).toMatchObject({ state: 'past_due', status: 'open', attempts: 2, nextTryDays: 4 })
  })

  test('P-10 counts the events of that life, and names the version they are rendered in', () => {
    const { types, versions } = scenes.get('events')?.body as { types: Record<string, number>; versions: string[] }
    expect(types).toMatchObject({ 'invoice.created': 3, 'invoice.paid': 2, 'invoice.payment_failed': 2 })
    expect(versions).toEqual(['2026-10-28.endive'])
  })

  test('P-06 asks for PayPal with and without a mandate', () => {
    const paypal = [...scenes].filter(([name]) => name.startsWith('paypal')).map(([name, { status }]) => [name, status])
    expect(paypal).toEqual([
      ['paypal_setup', 200],
      ['paypal_setup_without_mandate', 400],
      ['paypal_payment', 200],
      ['paypal_payment_saved', 200],
      ['paypal_payment_saved_without_mandate', 200],
    ])
  })

  test('runs as a command without a key, and ends with 0 where everything goes as expected', async () => {
    const { STRIPE_SECRET_KEY: _, ...env } = process.env
    const script = fileURLToPath(new URL('./parity.ts', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [script], { env })
    expect(stdout).toContain('= life tried_again 200')
    expect(stdout).toMatch(/4\d steps run against the sandbox alone .* 0 went another way than expected/)
  })
})
