import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parseAttribution } from './attribution.ts'
import { GUIDE_IDS, product, TRIAL_IDS } from './catalogue.ts'
import { emailKey, parseEmail } from './email.ts'
import { ERROR_CODES, errorOf } from './errors.ts'
import { formatMoney } from './money.ts'
import { passwordProblem } from './password.ts'
import { PAYMENT_MESSAGES, paymentMessage, type PaymentMessageCode } from './payment-messages.ts'
import { catalogueValues, fill, isFilledIn, typedAmounts, unknownPlaceholders } from './placeholders.ts'

describe('words and rules', () => {
  test.each([
    ['a@b.c', 'a@b.c'],
    ['  Ada.Lovelace@example.org ', 'Ada.Lovelace@example.org'],
    ['a@b', undefined],
    ['a b@c.d', undefined],
    ['@b.c', undefined],
    ['a@.c', undefined],
    ['a@b.', undefined],
    ['a@@b.c', undefined],
    ['', undefined],
    // characters that mail servers accept only in quotes, and characters that change a line
    ['<a@b.c>', undefined],
    ['a@b.c>', undefined],
    ['a@b.c,d@e.f', undefined],
    ['a\\b@c.d', undefined],
    ['"a"@b.c', undefined],
    ['\u202aa@c.d\u202c', 'a@c.d'],
    ['a\u202eb@c.d', 'ab@c.d'],
    ['a@b\u200b.c', 'a@b.c'],
    ['a@b..c', undefined],
    ["o'brien+tag@mail.example-x.co.uk", "o'brien+tag@mail.example-x.co.uk"],
    ['o’brien@example.org', "o'brien@example.org"],
    // what no account can have
    ['jörg@example.org', undefined],
    ['a&b@example.org', undefined],
    ['a..b@example.org', undefined],
    ['.a@example.org', undefined],
    ['a.@example.org', undefined],
    ['a@example.рф', undefined],
    ['jorg@müller.example', 'jorg@xn--mller-kva.example'],
    ['Jorg@MÜLLER.example', 'Jorg@xn--mller-kva.example'],
    // as a Mac's files spell it: letter and dots apart
    ['jorg@mu\u0308ller.example', 'jorg@xn--mller-kva.example'],
    ['jorg@xn--mller-kva.example', 'jorg@xn--mller-kva.example'],
    ['a@ü', undefined],
    ['a@ü..example', undefined],
    [`${'x'.repeat(251)}@b.c`, undefined],
  ])('S-23 %j parses to %j', (text, email) => expect(parseEmail(text)).toBe(email))

  test('A-01 A-05 S-23 an account may have every address that the quiz takes', () => {
    const part = fc.stringMatching(/^[a-z'.+_ü&’-]{1,4}$/)
    fc.assert(
      fc.property(part, part, (name, domain) => {
        const email = parseEmail(`${name}@${domain}.example`)
        return email === undefined || z.email().safeParse(email).success
      }),
      { numRuns: 5_000, examples: [["o'b", 'ü']] },
    )
  })

  test('two spellings of an address are one person', () => expect(emailKey(' A@B.c')).toBe('a@b.c'))

  test.each([
    ['Abcdef1', 'Abcdef1', 'password_too_short'],
    ['ABCDEFG1', 'ABCDEFG1', 'password_no_lowercase'],
    ['abcdefg1', 'abcdefg1', 'password_no_uppercase'],
    ['Abcdefgh', 'Abcdefgh', 'password_no_number'],
    ['Abcdefg1', 'Abcdefg2', 'passwords_differ'],
    ['Abcdefg1', 'Abcdefg1', undefined],
    ['Äöüäöü1Ä', 'Äöüäöü1Ä', undefined],
  ])('A-01 the password %s with the confirmation %s has the problem %s', (password, confirmation, problem) =>
    expect(passwordProblem(password, confirmation)).toBe(problem),
  )

  test('P-11 blanks are filled and no message shows a raw blank', () => {
    expect(paymentMessage('upsell_some_failed', { count: 2 })).toBe(
      'Some products were processed successfully, but 2 failed. Please contact support.',
    )
    expect(paymentMessage('failed_with_status', { status: 'canceled' })).toBe(
      'Payment failed with status: canceled. Please try again.',
    )
    for (const code of Object.keys(PAYMENT_MESSAGES) as PaymentMessageCode[]) {
      expect(paymentMessage(code, { reason: 'r', status: 's', count: 1 })).not.toMatch(/[{}]/)
    }
  })

  test('every error code has a client or server status and words', () => {
    for (const code of ERROR_CODES) {
      const { status, words } = errorOf(code)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(words.length).toBeGreaterThan(5)
    }
    expect(new Set(ERROR_CODES).size).toBe(ERROR_CODES.length)
  })

  test('K-02 placeholders are filled from the catalogue, others are left for the browser', () => {
    expect(
      fill('{trialPrice} now, then {monthlyPrice} every {renewalDays} days, {email}', catalogueValues('trial_1767')),
    ).toBe('$17.67 now, then $39 every 30 days, {email}')
    expect(catalogueValues('trial_1')).toEqual({
      trialPrice: '$1',
      trialDays: '3',
      actualPrice: '$17.67',
      monthlyPrice: '$39',
      listPrice: '$55',
      renewalDays: '30',
      specialOfferPrice: '$19',
      specialOfferSaving: '65%',
      trialSaving: '98%',
      bundlePrice: '$24.99',
      bundleListPrice: '$149',
      guidePrice: '$14.90',
      guideListPrice: '$29.80',
      moneyBackDays: '30',
      moneyBackSessions: '7',
      priceNoticeDays: '7',
    })
  })

  test('K-02 S-26 the age group is in no text that visitors read who chose none', () => {
    const inQuiz = (field: string) => isFilledIn('ageGroup', 'quiz', field.split('.'))
    // without an age group, Welcome has another text
    expect(['welcome.text', 'welcome.textWithoutAge', 'steps.visualAgeText'].map(inQuiz)).toEqual([true, false, false])
    expect(isFilledIn('ageBucket', 'quiz', ['steps', 'visualAgeText'])).toBe(true)
  })

  test('K-02 C-01 O-01 nothing of the visitor is in the titles of windows, which a page is built with', () => {
    const inText = (field: string) => isFilledIn('trialPrice', 'offer', [field])
    expect(['introTitle', 'detailsTitle', 'introText'].map(inText)).toEqual([false, false, true])
    expect(isFilledIn('ageGroup', 'checkout', ['seo', 'title'])).toBe(false)
    expect(isFilledIn('ageGroup', 'checkout', ['faq', 'title'])).toBe(true)
    expect(isFilledIn('monthlyPrice', 'offer', ['introTitle'])).toBe(true)
  })

  test('K-02 the stated actual price is the highest of the trials, and one price is told of all guides', () => {
    const prices = TRIAL_IDS.map((id) => product(id).price)
    for (const id of TRIAL_IDS) expect(catalogueValues(id).actualPrice).toBe(formatMoney(Math.max(...prices)))
    for (const id of GUIDE_IDS) {
      const { price, listPrice = 0 } = product(id)
      const told = { guidePrice: formatMoney(price), guideListPrice: formatMoney(listPrice) }
      expect(catalogueValues('trial_1'), id).toMatchObject(told)
    }
  })

  test('K-02 amounts typed into copy and unknown placeholders are found', () => {
    expect(typedAmounts('Only $39, or 39 USD, or € 5')).toEqual(['$39', '39 USD', '€ 5'])
    for (const amount of ['$1,234.50', '£12.99', '19.90 dollars', '1 dollar', '39usd', '5 euro', '5 euros', '7 EUR']) {
      expect(typedAmounts(`It costs ${amount} now`), amount).toEqual([amount])
    }
    // as much of the world writes them
    for (const amount of ['39 €', '39€', '1.234,50 €', 'EUR 39', 'USD 1,234.50', '5£']) {
      expect(typedAmounts(`It costs ${amount} now`), amount).toEqual([amount])
    }
    // in words, and as an adjective
    for (const amount of ['49.99 US dollars', '5 U.S. dollars', '39 US$', '39-dollar', '39‑euro', '99 cents', '99¢']) {
      expect(typedAmounts(`It costs ${amount} now`), amount).toEqual([amount])
    }
    expect(typedAmounts('a 10-pound weight, 30 per cent, 5 centimetres, two cents, in 24 US states')).toEqual([])
    expect(typedAmounts('In 2026 $39, then $5 €')).toEqual(['$39', '$5'])
    expect(typedAmounts('1,234 pounds, 1 pound, 9 GBP')).toEqual(['1,234 pounds', '1 pound', '9 GBP'])
    expect(typedAmounts('a dollar sign, euros in general, x39usdx')).toEqual([])
    expect(typedAmounts('5 minutes a day, 30% stronger, {monthlyPrice}')).toEqual([])
    expect(unknownPlaceholders('{product} and {prodcut} and {constructor}')).toEqual(['prodcut', 'constructor'])
  })

  test('L-06 attribution keeps the known parameters, cut and without empty ones', () => {
    const query = new URLSearchParams({
      utm: 'blog-women-over60',
      fbclid: 'x'.repeat(900),
      utm_source: ' ',
      other: '1',
    })
    expect(parseAttribution(query)).toEqual({ utm: 'blog-women-over60', fbclid: 'x'.repeat(500) })
  })
})
