import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { expect, test } from 'vitest'
import { connect } from '../../db/connect.ts'
import { readConfig } from '../config.ts'
import { keyText } from '../keys/keys.ts'
import { createOperatorAuth } from './auth.ts'

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)]

/** Seals with the first of these secrets, opens with any. */
async function keyOf(secrets: string) {
  const config = readConfig({
    DATABASE_URL: 'postgres://u:p@db.example/funnel',
    SITE_URL: 'https://example.com/',
    TOKEN_SECRET: secrets,
    TRUST_PROXY: 'false',
    STRIPE_SECRET_KEY: 'sk_test_12345678',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_12345678',
    STRIPE_WEBHOOK_SECRET: 'whsec_12345678',
  })
  return (await createOperatorAuth(config, connect(config.databaseUrl).db).$context).secretConfig
}

test('N-02 a second factor opens with either of two secrets, also one sealed before keys had numbers', async () => {
  const [old, both] = [await keyOf(OLD), await keyOf(`${NEW},${OLD}`)]
  const open = (key: typeof old, data: string) => symmetricDecrypt({ key, data })
  const sealed = await symmetricEncrypt({ key: old, data: 'JBSWY3DP' })
  expect(await open(both, sealed)).toBe('JBSWY3DP')
  expect(await open(old, await symmetricEncrypt({ key: keyText(OLD, 'operators'), data: 'JBSWY3DP' }))).toBe('JBSWY3DP')
  await expect(open(await keyOf(NEW), sealed)).rejects.toThrow(/not found/)
})
