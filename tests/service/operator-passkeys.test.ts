/** The checks on operators' passkeys without a browser; tests/journeys/operator-passkeys.spec.ts makes and uses one. */
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setOperatorPassword } from '../../payments-service/operator/accounts.ts'
import { Browser, type RunningService, startService } from './service.ts'
import { formTokenOf, OPERATOR_PASSWORD, signedOperator, type SignedOperator } from './operators.ts'

let service: RunningService
let one: SignedOperator
let other: SignedOperator
beforeAll(async () => {
  service = await startService({ env: { SITE_URL: 'http://localhost:4321' } })
  one = await signedOperator(service, 'one@example.com')
  other = await signedOperator(service, 'other@example.com')
})
afterAll(() => service.stop())

const tokenOf = async ({ browser }: SignedOperator) =>
  formTokenOf((await browser.get('/operator/passkeys')).body as string)
const kept = () => service.db.selectFrom('operator_passkey').select('id').execute()

async function insertPasskey({ email }: SignedOperator, id: string): Promise<void> {
  const user = await service.db
    .selectFrom('operator_user')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  await service.db
    .insertInto('operator_passkey')
    .values({
      id,
      user_id: user.id,
      credential_id: id,
      public_key: 'AA==',
      counter: 4_294_967_295,
      device_type: 'singleDevice',
      backed_up: false,
    })
    .execute()
}

test('N-02 a passkey is asked for by an operator who types the password, for the site of the pages', async () => {
  const form_token = await tokenOf(one)
  const ask = (password: string, browser = one.browser) =>
    browser.form('/operator/passkeys/options', { form_token, password })
  expect((await ask('not the password')).status).toBe(401)
  expect((await ask(OPERATOR_PASSWORD, new Browser(service.url))).status).toBe(404)
  expect((await ask(OPERATOR_PASSWORD, other.browser)).status).toBe(404)
  const { body } = await ask(OPERATOR_PASSWORD)
  expect(body).toMatchObject({
    rp: { id: 'localhost' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const signIn = await new Browser(service.url).form('/operator/sign-in/passkey/options', {})
  expect(signIn.body).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
})

test('N-02 OPERATOR_URL is the site that passkeys belong to', async () => {
  const own = await startService({ env: { OPERATOR_URL: 'http://operator.example' } })
  try {
    const browser = new Browser(own.url)
    const path = '/operator/sign-in/passkey/options'
    expect((await browser.form(path, {})).status).toBe(404)
    const body = await new Promise<string>((done, failed) => {
      const headers = { host: 'operator.example', 'content-type': 'application/x-www-form-urlencoded' }
      const call = request(own.url + path, { method: 'POST', headers }, (reply) => {
        let text = ''
        reply.on('data', (part: Buffer) => (text += part.toString())).on('end', () => done(text))
      })
      call.on('error', failed).end()
    })
    expect(JSON.parse(body)).toMatchObject({ rpId: 'operator.example' })
  } finally {
    await own.stop()
  }
})

test('N-02 an invented answer signs nobody in and adds nothing', async () => {
  for (const credential of ['', 'null', '[]', '{}', '{"id":"x","response":{}}', '{"id":{"a":1}}']) {
    const browser = new Browser(service.url)
    await browser.form('/operator/sign-in/passkey/options', {})
    const reply = await browser.form('/operator/sign-in/passkey', { credential })
    expect([credential, reply.status, (await browser.get('/operator')).status]).toEqual([credential, 401, 404])
    const form_token = await tokenOf(one)
    await one.browser.form('/operator/passkeys/options', { form_token, password: OPERATOR_PASSWORD })
    expect((await one.browser.form('/operator/passkeys', { form_token, credential })).status, credential).toBe(200)
  }
  expect(await kept()).toEqual([])
})

test('N-02 a passkey is removed by its owner alone, and a new password ends it', async () => {
  await insertPasskey(one, 'of-one')
  expect((await one.browser.get('/operator/passkeys')).body).toContain('Your passkeys (1)')
  expect((await other.browser.get('/operator/passkeys')).body).toContain('None yet.')
  const remove = async (by: SignedOperator) =>
    (await by.browser.form('/operator/passkeys/of-one/remove', { form_token: await tokenOf(by) })).status
  expect([await remove(other), (await kept()).length]).toEqual([404, 1])
  expect([await remove(one), (await kept()).length]).toEqual([303, 0])

  await insertPasskey(one, 'again')
  await setOperatorPassword(service.db, one.email, 'Another long phrase 2')
  expect(await kept()).toEqual([])
})
