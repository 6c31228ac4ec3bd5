import { expect, test, vi } from 'vitest'
import type { Stripe } from '@stripe/stripe-js'
import type { CardSaved } from '../../contract/members.ts'
import type { Outcome } from '../session/http.ts'
import { charge, NOT_READY } from './press.ts'

const asked = { result: 'owed', clientSecret: 'pi_1_secret_1' }
const answers = (...list: object[]) => {
  const left = list.map((data) => ({ ok: true, data }) as Outcome<CardSaved>)
  return () => Promise.resolve(left.shift() as Outcome<CardSaved>)
}
const bank = (status: string) => () =>
  Promise.resolve({
    handleNextAction: vi.fn(() => Promise.resolve({ paymentIntent: { status } })),
  } as unknown as Stripe)
const after = (result: CardSaved['result']) => ({ result, clientSecret: null })

test('A-05 H-01 once the bank has said yes, no page says "You were not charged"', async () => {
  const failed = await charge(bank('succeeded'), answers(asked, after('owed')), 3900)
  expect(failed).toMatchObject({ words: expect.stringContaining('processed') })
  expect(failed).not.toMatchObject({ after: expect.stringContaining('not charged') })
})

test.each(['unasked', 'part'] as const)('A-05 one bill confirmed and another left is a part: %s', async (result) => {
  expect(await charge(bank('succeeded'), answers(asked, after(result)), 7800)).toEqual(after('part'))
})

test('A-05 H-01 where one bill was paid and the bank’s dialog about the next fails, a part is paid', async () => {
  const part = { ...asked, result: 'part' }
  expect(await charge(bank('requires_payment_method'), answers(part), 7800)).toEqual(part)
  expect(await charge(() => Promise.resolve(null), answers(part), 7800)).toEqual(part)
})

test.each(['paid', 'saved'] as const)('A-05 a debt that the bank has confirmed is paid: %s', async (result) => {
  expect(await charge(bank('succeeded'), answers(asked, after(result)), 3900)).toMatchObject({ result: 'paid' })
})

test('A-05 where the bank wants a dialog and Stripe is not there, nothing was charged', async () => {
  expect(await charge(() => Promise.resolve(null), answers(asked), 3900)).toEqual({
    words: NOT_READY,
    after: 'You were not charged.',
  })
})
