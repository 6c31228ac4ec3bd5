/** what the metadata of a sign-up records about its origin. */
import { expect, test } from 'vitest'
import { createdFrom } from '../../payments-service/accounts/accounts.ts'
import { startEdited } from './edited-settings.ts'

test('A-02 created_from is the product’s name as one word, then _quiz', () => {
  expect(createdFrom('Brightgaze')).toBe('brightgaze_quiz')
  expect(createdFrom('  Clear Eyes – 2nd edition! ')).toBe('clear_eyes_2nd_edition_quiz')
  expect(createdFrom('Œil Clair 目')).toBe('œil_clair_目_quiz')
  expect(createdFrom('***')).toBe('product_quiz')
})

test('A-02 an account is kept with the name that the editors gave the product', async () => {
  const funnel = await startEdited({ productName: 'Clear Eyes' })
  try {
    const buyer = await funnel.buyer()
    await buyer.pay()
    const password = 'Tulip boat 7'
    const made = await buyer.browser.post(buyer.path('/account'), { password, passwordConfirmation: password })
    expect(made.status).toBe(200)
    const user = await funnel.db
      .selectFrom('auth_user')
      .select(['quiz_session_id', 'created_from'])
      .where('id', '=', made.body.userId)
      .executeTakeFirstOrThrow()
    expect(user).toEqual({ quiz_session_id: buyer.sessionId, created_from: 'clear_eyes_quiz' })
  } finally {
    await funnel.stop()
  }
})
