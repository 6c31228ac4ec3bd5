/**
 * Who may do what (architecture, "The session"): every endpoint of the contract × (own, foreign, none,
 * expired, operator). The rows are typed by the contract, so an endpoint without a row does not compile, and
 * the first test says it by name.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pathOf } from '../../contract/api.ts'
import type { EndpointName } from '../../contract/api/shapes.ts'
import { wholeApi } from '../../contract/whole-api.ts'
import { signedOperator } from './operators.ts'
import { Browser, type RunningService, startService } from './service.ts'
import { orderOf, setupOf } from '../support/order.ts'

/** What opens an endpoint: nothing; the session's token; a secret in the body; a signed-in account; an editor's. */
type Door = 'open' | 'session' | 'secret' | 'account' | 'editor'
interface Row {
  door: Door
  body?: unknown
  /** Path parameters beside sessionId. */
  path?: Record<string, string>
  /** Why an open endpoint refuses everybody here, where no Stripe is and no mail with a link was sent. */
  refuses?: string
}

const at = new Date().toISOString()
const session = (body?: unknown, path?: Record<string, string>): Row => ({
  door: 'session',
  ...(body === undefined ? {} : { body }),
  ...(path ? { path } : {}),
})

const account = (body?: unknown, path?: Record<string, string>): Row => ({ ...session(body, path), door: 'account' })
const passwords = { password: 'Better Eyes 1', passwordConfirmation: 'Better Eyes 1' }
const subscription = { subscriptionId: '0d5f3c1e-7777-4777-8777-123456789abc' }

/** Each body is one that the endpoint's parser accepts; {sessionId} in it is replaced by the session's id. */
const ROWS: Record<EndpointName, Row> = {
  config: { door: 'open' },
  price: { door: 'open', path: { productId: 'reading_14_days' }, refuses: 'stripe_unavailable' },
  createSession: { door: 'open', body: { clientKey: '5f0c1f6e-8a3d-4d8c-9d52-9a0f8a5f8f10' } },
  // gives everyone the same answer, so that an id reveals nothing (C-02)
  resumeLink: { door: 'open' },
  claimReturn: { door: 'secret', body: { clientSecret: 'pi_unknown_secret_unknown' } },
  openLink: { door: 'secret', body: { code: 'a-code-that-nobody-ever-made' } },
  session: session(),
  saveAnswers: session({ answers: [{ questionId: 'eyeColor', answer: 'green', answeredAt: at }] }),
  answers: session(),
  setSessionEmail: session({ email: 'own@example.com' }),
  setPaymentsEmail: session({ email: 'own@example.com' }),
  setUsersEmail: session({ email: 'own@example.com' }),
  setPrice: session({ selectedPrice: 5 }),
  completeQuiz: session({ seconds: 60 }),
  customer: session({ email: 'own@example.com' }),
  initialPayment: session(orderOf('trial_1', { paymentMethodType: 'card' })),
  finalizePayment: session({ paymentIntentId: 'pi_unknown' }),
  payment: session(undefined, { paymentIntentId: 'pi_unknown' }),
  purchases: session(),
  finishUpsell: session({ reason: 'skipped' }),
  chargeUpsell: session(orderOf('bundle')),
  paypalSetup: session(setupOf('trial_1')),
  finalizePaypalSetup: session({ setupIntentId: 'seti_unknown' }),
  paymentContext: session(),
  createAccount: session({ password: 'Better Eyes 1', passwordConfirmation: 'Better Eyes 1' }),
  reading: session(),
  saveReading: session({ name: 'Soul', description: 'A description' }),
  track: session({ sessionId: '{sessionId}', events: [] }),
  recordConsent: session({ choices: [{ kind: 'advertising', granted: true }], wording: 'w', version: '1', page: '/' }),
  handover: session(),
  undoUpsell: session(undefined, { productId: 'bundle' }),
  undoLink: { door: 'open', body: { token: 'unknown' } },
  undoByLink: { door: 'secret', body: { token: 'unknown' } },

  // the account (members.ts)
  signIn: { door: 'secret', body: { email: 'nobody@example.com', password: 'Better Eyes 1' } },
  signOut: { door: 'open' },
  forgotPassword: { door: 'open', body: { email: 'nobody@example.com' } },
  requestMagicLink: { door: 'open', body: { email: 'nobody@example.com' } },
  resetPassword: { door: 'secret', body: { token: 'unknown-token-of-nobody', ...passwords } },
  useMagicLink: { door: 'secret', body: { token: 'unknown-token-of-nobody' } },
  choosePassword: account(passwords),
  // a page calls it before it requests more
  standing: { door: 'open' },
  account: account(),
  sendJoinCode: account(),
  joinPurchases: account({ code: '123456' }),
  correctEmail: session({ email: 'right@example.com' }),
  confirmEmail: session({ email: 'right@example.com', code: '123456' }),
  programme: account(),
  programmeDay: account(undefined, { day: '1' }),
  listening: account({ seconds: 10 }, { day: '1' }),
  guide: account(undefined, { productId: 'guide_devices' }),
  cancelSubscription: account(undefined, subscription),
  keepSubscription: account(undefined, subscription),
  setUpCard: account(undefined, subscription),
  saveCard: account({ setupIntentId: 'seti_unknown' }, subscription),
  payOwed: account({ owed: 3900, paidWith: { type: 'paypal' } }, subscription),
  requestMoneyBack: account(undefined, subscription),
  withdraw: account(undefined, subscription),
  invoices: account(),
  invoice: account(undefined, { invoiceId: 'unknown' }),
  // a page looks at a link before it says what is wrong with it
  link: { door: 'open', path: { link: 'cancel' }, body: { token: 'unknown' } },
  freshLink: { door: 'open', path: { link: 'cancel' }, body: { token: 'unknown' }, refuses: 'link_invalid' },
  cancelByLink: { door: 'secret', body: { token: 'unknown' } },
  keepByLink: { door: 'secret', body: { token: 'unknown' } },
  withdrawByLink: { door: 'secret', body: { token: 'unknown' } },
  setUpCardByLink: { door: 'secret', body: { token: 'unknown' } },
  saveCardByLink: { door: 'secret', body: { token: 'unknown', setupIntentId: 'seti_unknown' } },
  payOwedByLink: { door: 'secret', body: { token: 'unknown', owed: 3900, paidWith: { type: 'paypal' } } },
  // the page /exit: open to everybody, and it says the same to everybody
  leave: { door: 'open', body: { kind: 'end', contract: 'subscription', name: 'Ada', email: 'nobody@example.com' } },
  exitLink: { door: 'open', body: { token: 'unknown' } },
  takeExitBack: { door: 'secret', body: { token: 'unknown' } },
  createAccountByLink: { door: 'secret', body: { token: 'unknown', ...passwords } },
  // who is let in: editor-numbers.test.ts
  stepNumbers: { door: 'editor' },
  pageNumbers: { door: 'editor' },
}

const REFUSALS = ['session_forbidden', 'session_token_missing', 'session_unknown', 'sign_in_required']
const NAMES = Object.keys(wholeApi) as EndpointName[]

let running: RunningService
let own: Browser
let foreign: Browser
let operator: Browser
let expired: Browser
let sessionId: string

beforeAll(async () => {
  running = await startService()
  own = new Browser(running.url)
  sessionId = await own.visit()
  foreign = new Browser(running.url)
  await foreign.visit()
  operator = (await signedOperator(running)).browser
  expired = new Browser(running.url)
  const gone = await expired.visit()
  // an expired token of the session under test
  const [[name = '', token = ''] = []] = [...expired.cookies]
  expired.cookies.clear()
  expired.cookies.set(name.replace(/\.[0-9a-f]{16}$/, `.${sessionId.replaceAll('-', '').slice(0, 16)}`), token)
  await sql`update session_access set session_id = ${sessionId}, created_at = now() - interval '200 days',
    expires_at = now() - interval '1 second' where session_id = ${gone}`.execute(running.db)
})
afterAll(() => running.stop())

/** Asks as `browser` would, and throws away what the answer does to its cookies. */
async function ask({ cookies }: Browser, name: EndpointName) {
  const browser = new Browser(running.url)
  for (const [cookie, value] of cookies) browser.cookies.set(cookie, value)
  const { method, path } = wholeApi[name]
  const row = ROWS[name]
  const body = row.body === undefined ? undefined : JSON.stringify(row.body).replaceAll('{sessionId}', sessionId)
  const { status, body: answer } = await browser.send(method, pathOf(path, { sessionId, ...row.path }), body)
  const error = (answer as { error?: { code: string } } | undefined)?.error
  return { status, code: error?.code, body: answer as unknown }
}

/** An answer without the moment at which it was given. */
const timeless = (body: unknown): string =>
  JSON.stringify(body ?? null).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a moment')

/** How a door is shut; the body beside it holds words. */
async function refusal(browser: Browser, name: EndpointName) {
  const { status, code } = await ask(browser, name)
  return { status, code }
}

test('N-02 every endpoint of the contract has a row in the access matrix', () => {
  expect(Object.keys(ROWS).sort()).toEqual([...NAMES].sort())
  for (const name of NAMES) {
    if (wholeApi[name].path.includes('{sessionId}') && name !== 'resumeLink')
      expect(ROWS[name].door, name).toBe('session')
  }
})

describe('D-01 N-02 the access matrix', () => {
  const behind = NAMES.filter((name) => ROWS[name]?.door === 'session')
  const written = () =>
    running.db.selectFrom('sessions').selectAll().where('id', '=', sessionId).executeTakeFirstOrThrow()
  test.each(behind)('%s: foreign, none, expired and operator are refused, and write nothing', async (name) => {
    const before = await written()
    expect(await refusal(foreign, name)).toEqual({ status: 403, code: 'session_forbidden' })
    expect(await refusal(new Browser(running.url), name)).toEqual({ status: 401, code: 'session_token_missing' })
    expect(await refusal(expired, name)).toEqual({ status: 403, code: 'session_forbidden' })
    expect(operator.cookies.size).toBeGreaterThan(0)
    expect(await refusal(operator, name)).toEqual({ status: 401, code: 'session_token_missing' })
    expect(await written()).toEqual(before)
  })
  test.each(behind)('%s: the own session gets past the door', async (name) => {
    expect(REFUSALS).not.toContain((await ask(own, name)).code)
  })
  const signedIn = NAMES.filter((name) => ['account', 'editor'].includes(ROWS[name]?.door))
  test.each(signedIn)('%s needs a signed-in account', async (name) => {
    // an operator's sign-in does not count as an account
    for (const browser of [own, foreign, new Browser(running.url), expired, operator]) {
      expect(await refusal(browser, name)).toEqual({ status: 401, code: 'sign_in_required' })
    }
  })
  test.each(NAMES.filter((name) => ROWS[name]?.door === 'open'))(
    '%s is open and answers everybody alike',
    async (name) => {
      const browsers = [own, foreign, new Browser(running.url), expired, operator]
      const replies = await Promise.all(browsers.map((browser) => ask(browser, name)))
      for (const { status, code, body } of replies) {
        expect(code).toBe(ROWS[name].refuses)
        if (code) continue
        expect(status).toBeLessThan(400)
        // each gets a session of its own
        if (name !== 'createSession') expect(timeless(body)).toBe(timeless(replies[0]?.body))
      }
    },
  )
  test.each(NAMES.filter((name) => ROWS[name]?.door === 'secret'))(
    '%s: no token helps, only its secret',
    async (name) => {
      for (const browser of [own, foreign, operator])
        expect([401, 404, 410, 422]).toContain((await ask(browser, name)).status)
    },
  )
})

test('N-02 D-08 a NUL in an address finds nothing, whatever the endpoint would look up with it', async () => {
  const paths = NAMES.map((name) => [wholeApi[name].method, wholeApi[name].path, ROWS[name]] as const).flatMap(
    ([method, path, { path: given, body }]) =>
      Object.keys({ sessionId, ...given })
        .filter((name) => path.includes(`{${name}}`))
        .map((name) => {
          const address = pathOf(path, { sessionId, ...given })
          const value = { sessionId, ...given }[name] ?? ''
          return { method, address: address.replace(value, `${value}%00`), body }
        }),
  )
  const pages = ['/operator/trail?subject=%00', '/operator/funnel?source=a%00b', '/operator/funnel.csv?step=%00']
    .concat('/operator/steps?language=%00', '/operator/sessions/%00', '/upsell-links/%00', '/api/unsubscribe/a%00')
    .concat('/api/editor/steps?source=%00')
    .map((address) => ({ method: 'GET', address, body: undefined }))
  expect(paths.length).toBeGreaterThan(30)
  const found: string[] = []
  for (const { method, address, body } of [...paths, ...pages]) {
    for (const browser of [own, operator]) {
      const { status } = await browser.send(method, address, body)
      if (status !== 404) found.push(`${status} ${method} ${address}`)
    }
  }
  expect(found).toEqual([])
})
