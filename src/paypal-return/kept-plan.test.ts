import { expect, test } from 'vitest'
import { asPlan } from './returns.ts'

const sessionId = '0d5f3c1e-7777-4777-8777-123456789abc'
const pathname = `/paypal-trial-return/${sessionId}`
const plan = { kind: 'trial', sessionId, intentId: 'pi_1', clientSecret: 'pi_1_secret_2' }

test('P-07 a plan kept for a reload is taken only whole, and only on the page that kept it', () => {
  expect(asPlan({ ...plan, pathname }, pathname)).toEqual(plan)
  expect(asPlan({ ...plan, pathname }, `${pathname}x`)).toBeUndefined()
  for (const broken of [
    { kind: 'setup' },
    { kind: undefined },
    { sessionId: null },
    { sessionId: 'x' },
    { sessionId: 7 },
    { intentId: undefined },
    { intentId: '' },
    { clientSecret: 5 },
  ]) {
    expect(asPlan({ ...plan, pathname, ...broken }, pathname), JSON.stringify(broken)).toBeUndefined()
  }
  expect(asPlan(null, pathname)).toBeUndefined()
})

test('P-07 the standard return alone is taken without a session: its secret identifies it', () => {
  const standard = { ...plan, kind: 'standard', sessionId: null }
  expect(asPlan({ ...standard, pathname: '/paypal-return' }, '/paypal-return')).toEqual(standard)
})
