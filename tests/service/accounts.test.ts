import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD_MESSAGES } from '../../contract/password.ts'
import { type Funnel, startFunnel } from './funnel.ts'
import { Browser } from './service.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel({ webhooks: false, background: false })))
afterAll(() => funnel.stop())

const good = { password: 'Better Eyes 1', passwordConfirmation: 'Better Eyes 1' }

describe('after the payment', () => {
  test('U-05 C-02 Skip leads to the account, the account to the thank-you page', async () => {
    const buyer = await funnel.buyer()
    expect((await buyer.browser.post(buyer.path('/upsell/finish'), { reason: 'skipped' })).body.error.code).toBe(
      'not_paid',
    )
    await buyer.pay()
    expect((await buyer.browser.post(buyer.path('/upsell/finish'), { reason: 'skipped' })).body).toEqual({
      status: 'settled',
      productId: null,
      nextPage: 'user-creation',
    })
    const { status, body } = await buyer.browser.post(buyer.path('/account'), good)
    expect([status, body.nextPage]).toEqual([200, 'thank-you'])
    expect((await buyer.browser.get(buyer.path(''))).body).toMatchObject({
      upsellDone: true,
      accountCreated: true,
      nextPage: 'thank-you',
    })
  })

  test('U-05 C-02 after sign-up a Skip whose request was lost does not bring the offers back', async () => {
    const buyer = await funnel.buyer()
    await buyer.pay()
    expect((await buyer.browser.get(buyer.path(''))).body.nextPage).toBe('multi-upsell')
    expect((await buyer.browser.post(buyer.path('/account'), good)).status).toBe(200)
    expect((await buyer.browser.get(buyer.path(''))).body).toMatchObject({
      accountCreated: true,
      nextPage: 'thank-you',
    })
  })

  test('A-03 P-08 the purchases: what was bought, the address, the next full charge', async () => {
    const buyer = await funnel.buyer('reader@example.com')
    await buyer.pay('trial_9')
    const { body } = await buyer.browser.get(buyer.path('/purchases'))
    expect(body).toMatchObject({
      email: 'reader@example.com',
      items: [{ productId: 'trial_9', amount: 900, refundable: true }],
      nextCharge: { amount: 3900 },
    })
    expect(Date.parse(body.nextCharge.at) - Date.now()).toBeGreaterThan(2.9 * 86_400_000)
  })
})

describe('the account', () => {
  test('A-01 A-02 is made once, with metadata, hash and row of users; a double click changes nothing', async () => {
    const buyer = await funnel.buyer('Ann.Reader@Example.com')
    await buyer.pay()
    const replies = await Promise.all([1, 2, 3].map(() => buyer.browser.post(buyer.path('/account'), good)))
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.userId}`)).size).toBe(1)
    const userId = replies[0]?.body.userId as string
    const user = await funnel.db.selectFrom('auth_user').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
    expect(user).toMatchObject({
      email: 'ann.reader@example.com',
      quiz_session_id: buyer.sessionId,
      created_from: 'your_programme_quiz',
      email_verified: false,
    })
    const [credential] = await funnel.db.selectFrom('auth_account').selectAll().where('user_id', '=', userId).execute()
    expect(credential?.password).toMatch(/^\$argon2id\$/)
    const users = await funnel.db.selectFrom('users').selectAll().where('session_id', '=', buyer.sessionId).execute()
    expect(users).toMatchObject([
      { email: 'ann.reader@example.com', subscription_status: 'active', auth_user_id: userId },
    ])
    const mails = await funnel.db
      .selectFrom('outbox')
      .select('kind')
      .where('session_id', '=', buyer.sessionId)
      .where('kind', '=', 'mail:account_welcome')
      .execute()
    expect(mails).toHaveLength(1)
    expect([...buyer.browser.cookies.keys()].some((name) => name.includes('funnel-account'))).toBe(true)
  })

  test('A-02 another session with the address is sent to sign in, and so is another password', async () => {
    const first = await funnel.buyer('taken@example.com')
    await first.pay()
    expect((await first.browser.post(first.path('/account'), good)).status).toBe(200)
    // a buyer who has cancelled may order again (P-14)
    const { body: owned } = await first.browser.get('/api/account')
    await first.browser.post(`/api/subscriptions/${owned.subscriptions[0].id}/cancel`)
    const second = await funnel.buyer('TAKEN@example.com')
    await second.pay()
    const exists = {
      status: 409,
      body: {
        error: {
          code: 'account_exists',
          message: 'An account with this email already exists. Please try signing in instead.',
        },
      },
    }
    expect(await second.browser.post(second.path('/account'), good)).toMatchObject(exists)
    expect(
      await first.browser.post(first.path('/account'), {
        password: 'Other Pass 1',
        passwordConfirmation: 'Other Pass 1',
      }),
    ).toMatchObject(exists)
  })

  test('A-02 one whose maker died before its metadata is finished by a repeat with the same password', async () => {
    const { db } = funnel
    const buyer = await funnel.buyer('half@example.com')
    await buyer.pay()
    const made = await buyer.browser.post(buyer.path('/account'), good)
    const row = () => db.selectFrom('auth_user').selectAll().where('email', '=', 'half@example.com').executeTakeFirst()
    const whole = await row()
    // as it lies there until then
    await db.deleteFrom('users').where('session_id', '=', buyer.sessionId).execute()
    await db.deleteFrom('outbox').where('dedupe_key', '=', `mail:account_welcome:${whole?.id}`).execute()
    const nothing = { quiz_session_id: null, created_from: null }
    await db.updateTable('auth_user').set(nothing).where('email', '=', 'half@example.com').execute()

    const other = { password: 'Other Pass 1', passwordConfirmation: 'Other Pass 1' }
    expect((await buyer.browser.post(buyer.path('/account'), other)).body.error?.code).toBe('account_exists')
    expect(await row()).toMatchObject(nothing)
    expect(await buyer.browser.post(buyer.path('/account'), good)).toMatchObject({ status: 200, body: made.body })
    expect(await row()).toEqual(whole)
    const linked = await db
      .selectFrom('users')
      .select('auth_user_id')
      .where('session_id', '=', buyer.sessionId)
      .execute()
    expect(linked).toEqual([{ auth_user_id: whole?.id }])
  })

  test('A-05 A-02 S-23 an address is one person as Safari and as Chrome spell its domain', async () => {
    const buyer = await funnel.buyer('Ada@Müller.example')
    await buyer.pay()
    expect((await buyer.browser.post(buyer.path('/account'), good)).status).toBe(200)
    for (const email of ['ada@xn--mller-kva.example', 'ADA@MÜLLER.EXAMPLE', 'ada@mu\u0308ller.example']) {
      const body = { email, password: good.password }
      expect((await new Browser(funnel.url).post('/api/account/sign-in', body)).status, email).toBe(200)
    }
  })

  test('A-01 an address that cannot have an account is named, to be corrected', async () => {
    const buyer = await funnel.buyer('a@b.c')
    await buyer.pay()
    const refused = await buyer.browser.post(buyer.path('/account'), good)
    expect(refused).toMatchObject({ status: 422, body: { error: { code: 'account_email_invalid', field: 'email' } } })
  })

  test('A-01 the five rules answer with their own words and field, in order', async () => {
    const buyer = await funnel.buyer()
    await buyer.pay()
    const tries: [string, string, keyof typeof PASSWORD_MESSAGES, string][] = [
      ['Short1a', 'Short1a', 'password_too_short', 'password'],
      ['UPPERCASE1', 'UPPERCASE1', 'password_no_lowercase', 'password'],
      ['lowercase1', 'lowercase1', 'password_no_uppercase', 'password'],
      ['NoNumbers', 'NoNumbers', 'password_no_number', 'password'],
      ['Better Eyes 1', 'Better Eyes 2', 'passwords_differ', 'passwordConfirmation'],
    ]
    for (const [password, passwordConfirmation, code, field] of tries) {
      const { status, body } = await buyer.browser.post(buyer.path('/account'), { password, passwordConfirmation })
      expect([status, body.error.code, body.error.message, body.error.field]).toEqual([
        422,
        code,
        PASSWORD_MESSAGES[code],
        field,
      ])
    }
    const long = `Aa1${'x'.repeat(300)}`
    expect(
      (await buyer.browser.post(buyer.path('/account'), { password: long, passwordConfirmation: long })).body.error
        .code,
    ).toBe('account_password_weak')
    expect(await funnel.db.selectFrom('users').selectAll().where('session_id', '=', buyer.sessionId).execute()).toEqual(
      [],
    )
  })

  test('A-02 nobody makes the account of an unpaid or a foreign session', async () => {
    const unpaid = await funnel.buyer()
    expect(await unpaid.browser.post(unpaid.path('/account'), good)).toMatchObject({
      status: 409,
      body: { error: { code: 'not_paid' } },
    })
    const paid = await funnel.buyer()
    await paid.pay()
    expect((await unpaid.browser.post(paid.path('/account'), good)).status).toBe(403)
  })
})
