import { expect, test } from 'vitest'
import { securityTxt } from './security-txt.ts'

const builtAt = new Date('2026-11-22T07:30:00Z')

test('RFC 9116: contact, end, language, its own address and the policy, a line each', () => {
  const site = new URL('https://eyes.example')
  expect(securityTxt({ email: 'help@eyes.example', site, builtAt })).toBe(
    [
      'Contact: mailto:help@eyes.example',
      'Expires: 2027-11-07T00:00:00.000Z',
      'Preferred-Languages: en',
      'Canonical: https://eyes.example/.well-known/security.txt',
      'Policy: https://eyes.example/.well-known/security-policy.txt',
      '',
    ].join('\n'),
  )
})

test('a build that does not know its address names none', () => {
  const text = securityTxt({ email: 'help@eyes.example', site: undefined, builtAt })
  expect(text.match(/^[\w-]+(?=: )/gm)).toEqual(['Contact', 'Expires', 'Preferred-Languages'])
})
