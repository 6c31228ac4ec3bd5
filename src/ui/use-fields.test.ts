import { expect, test } from 'vitest'
import { codeFault, emailFault } from './field-words.ts'
import { faultsAt, stillWrong } from './useFields.ts'

test('A-01 A-05 H-04 an edit takes away what no longer holds of its field, and keeps what does', () => {
  const rule = { email: 'no address', password: undefined }
  expect(stillWrong({ email: 'no address' }, 'email', [rule, rule])).toEqual({ email: 'no address' })
  expect(stillWrong({ email: 'no address' }, 'email', [rule, {}])).toEqual({})
  expect(stillWrong({ email: 'empty' }, 'email', [{ email: 'empty' }, rule])).toEqual({})
  // the service's words are no rule's
  expect(stillWrong({ email: 'taken' }, 'email', [{}, {}])).toEqual({})
})

test('A-01 P-11 an edit leaves other fields alone, but for a rule that looks at both', () => {
  type Field = 'password' | 'confirmation' | 'cvc'
  const differ = { confirmation: 'differ' }
  expect(stillWrong<Field>(differ, 'password', [differ, {}])).toEqual({})
  expect(stillWrong<Field>(differ, 'password', [differ, differ])).toEqual(differ)
  expect(stillWrong<Field>({ cvc: 'the bank says no' }, 'password', [differ, {}])).toEqual({ cvc: 'the bank says no' })
  expect(stillWrong<Field>({ cvc: 'incomplete' }, 'password', [{ cvc: 'incomplete' }, { cvc: 'incomplete' }])).toEqual({
    cvc: 'incomplete',
  })
})

test('A-05 only the faults of the fields in question are said', () => {
  const found = { email: 'no address', password: undefined, code: 'no code' }
  expect(faultsAt<keyof typeof found>(found, () => true)).toEqual({ email: 'no address', code: 'no code' })
  expect(faultsAt<keyof typeof found>(found, (field) => field === 'code')).toEqual({ code: 'no code' })
})

test('A-01 A-05 H-04 an empty address and a wrong one have their own words; a code may be pasted with spaces', () => {
  expect(emailFault(' ')).toBe('Please enter your email address.')
  expect(emailFault('', 'Which one?')).toBe('Which one?')
  expect(emailFault('ada@', 'Which one?')).toBe('Please enter a valid email address.')
  expect(emailFault(' ada@example.com ')).toBeUndefined()
  expect(codeFault(' 123 456')).toBeUndefined()
  for (const wrong of ['', '12345', '1234567', '12345x']) {
    expect(codeFault(wrong)).toBe('Please enter the six digits from the mail.')
  }
})
