/** Passwords that many people use are guessed first: no form accepts one. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD_MESSAGES, passwordProblem } from '../../contract/password.ts'
import { commonPasswords } from '../../payments-service/accounts/common-passwords.ts'
import { createOperator, setOperatorPassword } from '../../payments-service/operator/accounts.ts'
import { browserOf, type Membership, startMembership, tokenOf, twice } from './membership.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const both = (password: string) => ({ password, passwordConfirmation: password })
const refused = {
  status: 422,
  body: {
    error: { code: 'password_common', field: 'password', message: PASSWORD_MESSAGES.password_common },
  },
}

test('A-01 V6.2.4 a common password makes no account, in any case of its letters; another one does', async () => {
  const buyer = await world.buyer('common@example.com')
  await buyer.pay()
  for (const password of ['Password1', 'PASSWOrd1', 'Qwerty123', 'Welcome1', 'Trustno1']) {
    expect(passwordProblem(password, password)).toBeUndefined()
    expect(await buyer.browser.post(buyer.path('/account'), both(password)), password).toMatchObject(refused)
  }
  // the specified message about a password comes first
  const short = await buyer.browser.post(buyer.path('/account'), both('abc123'))
  expect(short.body.error.code).toBe('password_too_short')
  expect((await buyer.browser.post(buyer.path('/account'), twice)).status).toBe(200)
})

test('A-05 V6.2.4 a common password is not taken by a mailed link either, and the link still works', async () => {
  const email = 'resets@example.com'
  await world.member({ email })
  const browser = browserOf(world)
  await browser.post('/api/account/password/forgot', { email })
  const token = tokenOf((await world.mail(email, 'password_reset')).data.resetUrl)
  expect(await browser.post('/api/account/password/reset', { token, ...both('Football1') })).toMatchObject(refused)
  const chosen = both('Chosen By Mail 77')
  expect((await browser.post('/api/account/password/reset', { token, ...chosen })).status).toBe(200)
  expect((await browser.post('/api/account/sign-in', { email, password: chosen.password })).status).toBe(200)
})

test('N-02 V6.2.4 no operator is made with a common password or gets one', async () => {
  const email = 'careless@example.com'
  await expect(createOperator(world.db, email, '1qaz2wsx3edc')).rejects.toThrow(/common/)
  await createOperator(world.db, email, 'A Long Pass Phrase 1')
  await expect(setOperatorPassword(world.db, email, 'Qwerty123456')).rejects.toThrow(/common/)
})

test('V6.2.4 the list has over 3,000 passwords that our rules would take but for the case of letters', async () => {
  const taken = [...(await commonPasswords())].filter(
    (one) => one.length >= 8 && /\p{L}/u.test(one) && /\p{Nd}/u.test(one),
  )
  expect(taken.length).toBeGreaterThan(3_000)
})
