import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './password.ts'

test('A-02 passwords are kept as argon2id only, each with its own salt', async () => {
  const hash = await hashPassword('Correct Horse 1')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await hashPassword('Correct Horse 1')).not.toBe(hash)
  expect(await verifyPassword(hash, 'Correct Horse 1')).toBe(true)
  expect(await verifyPassword(hash, 'correct horse 1')).toBe(false)
  expect(await verifyPassword('plain', 'plain')).toBe(false)
})

test('A-02 two keyboards that compose ü differently are one password', async () => {
  expect(await verifyPassword(await hashPassword('Gr\u00fcn1234'), 'Gru\u0308n1234')).toBe(true)
})
