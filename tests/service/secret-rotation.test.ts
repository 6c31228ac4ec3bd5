/** A secret is replaced while the one before it still counts: what was mailed under it works until it is taken out. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../payments-service/config.ts'
import { createOperator } from '../../payments-service/operator/accounts.ts'
import { mailLink } from '../../payments-service/mail/mailed-links.ts'
import { chargeMetadata, isOwnCharge } from '../../payments-service/payments/installation.ts'
import { codeOf } from '../support/authenticator.ts'
import { createPasskey } from '../support/passkey.ts'
import { type Membership, startMembership, tokenOf } from './membership.ts'
import { enrol, halfAMinuteLater, OPERATOR_PASSWORD, typePassword } from './operators.ts'
import { Browser, environment, type RunningService, startService } from './service.ts'

const OLD = environment()['TOKEN_SECRET'] ?? ''
const NEW = 'the-secret-that-replaces-it-of-32-characters'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

const running: RunningService[] = []
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop()
})

/** Another replica on the same database and Stripe account, with these settings. */
async function replica(env: Record<string, string>): Promise<RunningService> {
  const { databaseUrl, config } = world
  const service = await startService({ databaseUrl, env: { STRIPE_API_BASE: config.stripe.apiBase ?? '', ...env } })
  running.push(service)
  return service
}

const unique = (name: string) => `${name}-${crypto.randomUUID().slice(0, 8)}@example.com`
const view = async ({ url }: { url: string }, token: string) =>
  (await new Browser(url).post('/api/links/cancel/view', { token })).body.state

async function confirmed() {
  const email = unique('rotated')
  const buyer = await world.buyer(email)
  await buyer.pay()
  const { data } = await world.mail(email, 'order_confirmation')
  return { email, buyer, token: tokenOf(data.cancelUrl) }
}

test('H-04 N-02 a link mailed under the secret before cancels until that secret is taken out', async () => {
  const { token } = await confirmed()
  expect(await view(await replica({ TOKEN_SECRET: NEW }), token)).toBe('invalid')
  const both = await replica({ TOKEN_SECRET: `${NEW}, ${OLD}` })
  expect(await view(both, token)).toBe('valid')
  const used = await new Browser(both.url).post('/api/links/cancel', { token })
  expect(used.body.subscription.state).toBe('ending')
})

test('N-02 an operator signs in with app and recovery codes while a secret is replaced, and after it', async () => {
  const email = unique('operator')
  const { db } = world
  await createOperator(db, email, OPERATOR_PASSWORD)
  const { secret, recoveryCodes } = await enrol(new Browser((await replica({ TOKEN_SECRET: OLD })).url), email)
  const signIn = async ({ url }: RunningService, code: string) => {
    const browser = new Browser(url)
    await typePassword(browser, email)
    await browser.form('/operator/sign-in/code', { code })
    return (await browser.get('/operator')).status
  }
  const [first = '', second = ''] = recoveryCodes
  expect(await signIn(await replica({ TOKEN_SECRET: `${OLD},${NEW}` }), first)).toBe(200)
  await halfAMinuteLater(db, email)
  expect(await signIn(await replica({ TOKEN_SECRET: `${NEW},${OLD}` }), codeOf(secret))).toBe(200)
  const after = await replica({ TOKEN_SECRET: NEW })
  await halfAMinuteLater(db, email)
  expect(await signIn(after, codeOf(secret))).toBe(200)
  expect(await signIn(after, second)).toBe(200)
  // used under the old one
  expect(await signIn(after, first)).not.toBe(200)
})

test('N-02 a sign-in with a passkey alone seals the app too before a secret is taken out, and needs none', async () => {
  const email = unique('passkey')
  const { db } = world
  const SITE_URL = 'http://localhost:4321'
  const browserAt = async (secrets: string) => new Browser((await replica({ TOKEN_SECRET: secrets, SITE_URL })).url)
  await createOperator(db, email, OPERATOR_PASSWORD)
  const { secret } = await enrol(await browserAt(OLD), email)
  const { id } = await db.selectFrom('operator_user').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  const passkey = createPasskey(SITE_URL)
  const kept = { ...passkey.stored, id, user_id: id, counter: 0, device_type: 'singleDevice', backed_up: false }
  await db.insertInto('operator_passkey').values(kept).execute()
  const signIn = async (secrets: string) => {
    const browser = await browserAt(secrets)
    const { challenge } = (await browser.form('/operator/sign-in/passkey/options', {})).body
    await browser.form('/operator/sign-in/passkey', { credential: passkey.answer(challenge) })
    return (await browser.get('/operator')).status
  }
  expect(await signIn(`${NEW},${OLD}`)).toBe(200)
  const after = await browserAt(NEW)
  await halfAMinuteLater(db, email)
  await typePassword(after, email)
  await after.form('/operator/sign-in/code', { code: codeOf(secret) })
  expect((await after.get('/operator')).status).toBe(200)
  // the app's secret is sealed under one that this service does not know
  expect(await signIn('another-secret-of-at-least-32-characters')).toBe(200)
})

test('H-04 N-02 while replicas are replaced one by one, each opens what another one signs', async () => {
  // the first of the two rolls: every replica knows the next secret before one signs with it
  const [before, after] = [await replica({ TOKEN_SECRET: `${OLD},${NEW}` }), await replica({ TOKEN_SECRET: NEW })]
  const { email, buyer, token } = await confirmed()
  expect(await view(before, token)).toBe('valid')
  const anew = mailLink(after.config, 'cancel', { subject: buyer.sessionId, to: email })
  expect(await view(before, tokenOf(anew))).toBe('valid')
  expect(await view(world, tokenOf(anew))).toBe('invalid')
})

test('A-01 a code of a mail counts although the secret was replaced after it was sent', async () => {
  const { buyer } = await confirmed()
  const right = unique('corrected')
  await buyer.browser.post(buyer.path('/email/correction'), { email: right })
  const { code } = (await world.mail(right, 'email_verification_code')).data
  const confirm = async (env: Record<string, string>) => {
    const browser = new Browser((await replica(env)).url)
    for (const [name, value] of buyer.browser.cookies) browser.cookies.set(name, value)
    return (await browser.post(buyer.path('/email/correction/confirm'), { email: right, code })).status
  }
  expect(await confirm({ TOKEN_SECRET: NEW })).not.toBe(200)
  expect(await confirm({ TOKEN_SECRET: `${NEW},${OLD}` })).toBe(200)
})

test('P-02 P-10 charges made under the secret before are known as our own', () => {
  const configured = (secrets: string) => readConfig(environment({ TOKEN_SECRET: secrets }))
  const made = chargeMetadata(configured(OLD), { sessionId: 's', productId: 'trial_1', purpose: 'trial' })
  expect(isOwnCharge(configured(`${NEW},${OLD}`), made)).toBe(true)
  expect(isOwnCharge(configured(NEW), made)).toBe(false)
})
