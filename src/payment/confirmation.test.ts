import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { troubleOfProvider, unexpected } from './failures.ts'
import { confirmation } from './pay.ts'

const reportError = vi.fn()
vi.stubGlobal('reportError', reportError)

const NOBODY_KNOWS = { words: 'An unexpected error occurred during payment.', money: 'unknown' }

test('P-11 D-08 what Stripe.js throws is reported, and is an answer by which nobody knows of the money', async () => {
  const thrown = new Error('IntegrationError')
  const throws = (): Promise<object> => {
    throw thrown
  }
  for (const call of [() => Promise.reject(thrown), throws]) {
    reportError.mockClear()
    const { error } = await confirmation(call)
    expect(error && troubleOfProvider(error)).toMatchObject(NOBODY_KNOWS)
    expect(reportError).toHaveBeenCalledExactlyOnceWith(thrown)
  }
  expect(unexpected(thrown)).toMatchObject(NOBODY_KNOWS)
})

test('P-11 D-08 an answer of Stripe.js is passed on as it is, and an error in it is nothing to report', async () => {
  reportError.mockClear()
  const refused = { error: { type: 'card_error', message: 'no' } }
  expect(await confirmation(async () => refused)).toBe(refused)
  expect(reportError).not.toHaveBeenCalled()
})

test('P-11 D-08 no page that sells calls Stripe.js for an answer but by way of `confirmation`', () => {
  const src = join(import.meta.dirname, '..')
  const calls = globSync('{members,payment,paypal-return,upsell}/**/*.{ts,tsx}', { cwd: src }).flatMap((file) => {
    const code = readFileSync(join(src, file), 'utf8')
    return [...code.matchAll(/\b(?:stripe|elements)\.(?:confirm|create|handle|retrieve|submit)\w*\(/g)].map((call) => ({
      call: `${file}: ${call[0]}`,
      before: code.slice(Math.max(0, call.index - 120), call.index),
    }))
  })
  expect(calls.length).toBeGreaterThanOrEqual(9)
  for (const { call, before } of calls) expect(before, call).toContain('confirmation(() =>')
})
