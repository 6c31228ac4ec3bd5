import { randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { signLink, verifyLink, type LinkPurpose } from './links.ts'

const secret = randomBytes(32).toString('hex')
const expiresAt = new Date('2026-12-20T00:00:00Z')
const now = new Date('2026-11-20T00:00:00Z')

describe('signed links', () => {
  test('H-04 a link opens what it was signed for, until its end', () => {
    const token = signLink({ purpose: 'cancel', subject: 'sub_1', expiresAt }, secret)
    expect(token).toMatch(/^[A-Za-z0-9_-]+$/)
    expect(verifyLink(token, 'cancel', secret, now)).toEqual({ state: 'valid', subject: 'sub_1', expiresAt })
    expect(verifyLink(token, 'cancel', secret, expiresAt).state).toBe('expired')
  })

  test('H-04 an expired link still tells whom to mail a fresh one', () => {
    const token = signLink({ purpose: 'cancel', subject: 'sub_1', expiresAt: now }, secret)
    expect(verifyLink(token, 'cancel', secret, expiresAt)).toEqual({
      state: 'expired',
      subject: 'sub_1',
      expiresAt: now,
    })
  })

  test('a token for one purpose is worthless for every other', () => {
    const others: LinkPurpose[] = [
      'undo_cancel',
      'withdraw',
      'undo_add_on',
      'create_account',
      'update_payment',
      'resume',
      'unsubscribe',
      'invoice',
      'join_purchases',
    ]
    const token = signLink({ purpose: 'cancel', subject: 'sub_1', expiresAt }, secret)
    for (const purpose of others) expect(verifyLink(token, purpose, secret, now)).toEqual({ state: 'invalid' })
  })

  test('every changed character, shortening and lengthening is noticed', () => {
    const token = signLink({ purpose: 'resume', subject: randomUUID(), expiresAt }, secret)
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === 'A' ? 'B' : 'A'
      const changed = token.slice(0, at) + other + token.slice(at + 1)
      expect(verifyLink(changed, 'resume', secret, now).state).toBe('invalid')
      expect(verifyLink(token.slice(0, at), 'resume', secret, now).state).toBe('invalid')
    }
    for (const more of ['A', '==', '.', ' ', token]) {
      expect(verifyLink(token + more, 'resume', secret, now).state).toBe('invalid')
    }
  })

  test('any subject comes back as it went in, and anything else is refused without an error', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }), (subject) => {
        const read = verifyLink(signLink({ purpose: 'invoice', subject, expiresAt }, secret), 'invoice', secret, now)
        expect(read).toEqual({ state: 'valid', subject, expiresAt })
      }),
    )
    fc.assert(fc.property(fc.anything(), (junk) => verifyLink(junk, 'invoice', secret, now).state === 'invalid'))
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const junk = Buffer.from(bytes).toString('base64url')
        return verifyLink(junk, 'invoice', secret, now).state === 'invalid'
      }),
    )
  })

  test('N-02 a session id is not to be read out of a token', () => {
    const subject = randomUUID()
    const token = signLink({ purpose: 'resume', subject, expiresAt }, secret)
    expect(token).not.toContain(subject)
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain(subject.slice(0, 8))
  })

  test('a replaced secret is accepted while it is named, and no longer', () => {
    const next = randomBytes(32).toString('hex')
    const token = signLink({ purpose: 'cancel', subject: 'sub_1', expiresAt }, secret)
    expect(verifyLink(token, 'cancel', [next, secret], now).state).toBe('valid')
    expect(verifyLink(token, 'cancel', next, now).state).toBe('invalid')
  })

  test('H-04 the longest subject, the first moment and the shortest secret are still good', () => {
    const long = { purpose: 'cancel', subject: 'é'.repeat(512), expiresAt } as const
    expect(verifyLink(signLink(long, secret), 'cancel', secret, now)).toMatchObject({ subject: long.subject })
    const early = signLink({ purpose: 'cancel', subject: 'sub_1', expiresAt: new Date(0) }, secret)
    expect(verifyLink(early, 'cancel', secret, now)).toMatchObject({ state: 'expired', expiresAt: new Date(0) })
    const shortest = 's'.repeat(32)
    const token = signLink({ purpose: 'cancel', subject: 'sub_1', expiresAt }, shortest)
    expect(verifyLink(token, 'cancel', shortest, now).state).toBe('valid')
    expect(() => verifyLink(token, 'cancel', 's'.repeat(31), now)).toThrow('at least 32 characters')
  })

  test('a token has one spelling: surplus bits, other signs around it and great length are no link', () => {
    // 32 + 8 + 6 bytes are one more than a multiple of three: the last sign has four surplus bits
    const token = signLink({ purpose: 'cancel', subject: 'sub_12', expiresAt }, secret)
    const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const last = signs.indexOf(token.at(-1) ?? '')
    const sister = token.slice(0, -1) + signs[last + 1]
    expect(Buffer.from(sister, 'base64url').equals(Buffer.from(token, 'base64url'))).toBe(true)
    for (const other of [sister, `${token}\n`, ` ${token}`, `!${token}`, token.padEnd(2049, 'A')]) {
      expect(verifyLink(other, 'cancel', secret, now)).toEqual({ state: 'invalid' })
    }
  })

  test('a weak secret, no end and a long subject are refused when signing', () => {
    const link = { purpose: 'cancel', subject: 'sub_1', expiresAt } as const
    expect(() => signLink(link, 'short')).toThrow(RangeError)
    expect(() => signLink({ ...link, expiresAt: new Date(NaN) }, secret)).toThrow('a link needs an end')
    expect(() => signLink({ ...link, expiresAt: new Date(-1000) }, secret)).toThrow('a link needs an end')
    expect(() => signLink({ ...link, subject: 'x'.repeat(1025) }, secret)).toThrow('1 to 1024 bytes')
    expect(() => signLink({ ...link, subject: '' }, secret)).toThrow(RangeError)
  })
})
