import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { likelyAddress, PROVIDERS } from './likely-address.ts'

describe('a likely slip in an address', () => {
  test.each([
    ['ada@gmial.com', 'ada@gmail.com'],
    ['Ada.L+news@GMAIL.CON', 'Ada.L+news@gmail.com'],
    ['ada@gmial.con', 'ada@gmail.com'],
    ['ada@gmai.com', 'ada@gmail.com'],
    ['ada@gmaill.com', 'ada@gmail.com'],
    ['ada@gnail.com', 'ada@gmail.com'],
    ['ada@gmail.co', 'ada@gmail.com'],
    ['ada@hotmial.com', 'ada@hotmail.com'],
    ['ada@example.cmo', 'ada@example.com'],
  ])('S-23 %s is asked about', (typed, meant) => expect(likelyAddress(typed, false)).toBe(meant))

  const own =
    'mail.com email.com ymail.com cloud.com yahoo.co.uk yahoo.ca yahoo.de hotmail.fr outlook.de gmx.com web.de b.c'
  test.each(own.split(' '))('S-23 %s is somebody’s own, and not asked about', (domain) =>
    expect(likelyAddress(`ada@${domain}`, false)).toBeUndefined(),
  )

  test('S-23 an address at a provider is never asked about, nor on the way to it', () => {
    for (const provider of PROVIDERS) {
      for (let length = 1; length <= provider.length; length++) {
        const domain = provider.slice(0, length)
        expect(likelyAddress(`ada@${domain}`, true), domain).toBeUndefined()
      }
      expect(likelyAddress(`ada@${provider}`, false)).toBeUndefined()
    }
  })

  test('S-23 one slip in a long name is found: a letter left out, put in, mistaken or swapped with the next', () => {
    const long = PROVIDERS.filter(({ length }) => length >= 9)
    const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz')
    fc.assert(
      fc.property(fc.constantFrom(...long), fc.nat(7), letter, fc.nat(3), (provider, at, other, kind) => {
        const [before, here, next, after] = [
          provider.slice(0, at),
          provider.charAt(at),
          provider.charAt(at + 1),
          provider.slice(at + 2),
        ]
        const slip = [next, here + other + next, other + next, next + here][kind]
        const typed = before + slip + after
        fc.pre(!PROVIDERS.includes(typed))
        return PROVIDERS.some((one) => likelyAddress(`ada@${typed}`, false) === `ada@${one}`)
      }),
      { numRuns: 2_000 },
    )
  })
})
