import { describe, expect, test } from 'vitest'
import { formatMoney } from '../../contract/money.ts'
import { termsOf } from '../../contract/terms.ts'
import { day, greetingName } from './letter.ts'
import type { Mail, MailData } from './mail.ts'
import { renderMail } from './render.ts'
import { SAMPLE_IDENTITY, SAMPLE_NOW, SAMPLES } from './samples.ts'

const render = (mail: Mail, now = SAMPLE_NOW) => renderMail(mail, SAMPLE_IDENTITY, now)
const sample = <Kind extends Mail['kind']>(name: Kind) =>
  SAMPLES[name] as { kind: Kind; to: string; data: MailData[Kind] }

/** The words of an HTML mail, as a reader sees them. */
function wordsOf(html: string): string {
  return html
    .replace(/<head>[\s\S]*<\/head>/, '')
    .replace(/<!--[\s\S]*?-->|<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
}

/** Every amount, instant and link of a mail's data. */
function factsOf(value: unknown, key = ''): { key: string; value: string | number }[] {
  if (Array.isArray(value)) return value.flatMap((inner) => factsOf(inner, key))
  if (typeof value === 'object' && value) return Object.entries(value).flatMap(([name, inner]) => factsOf(inner, name))
  return typeof value === 'string' || typeof value === 'number' ? [{ key, value }] : []
}

describe.each(Object.entries(SAMPLES))('A-06 %s', (_name, mail) => {
  test('H-01 tells every amount and date of its data, in HTML and in text alike', async () => {
    const { html, text, subject } = await render(mail)
    const words = wordsOf(html)
    const plain = text.replace(/\s+/g, ' ')
    const zone = 'timeZone' in mail.data ? mail.data.timeZone : null
    for (const { key, value } of factsOf(mail.data)) {
      const expected =
        typeof value === 'number' && /amount|paid$|Amount/i.test(key)
          ? formatMoney(value)
          : typeof value === 'string' && /(At|Until|By)$/.test(key)
            ? day(value, zone)
            : undefined
      if (expected === undefined) continue
      // a day is written in full or, beside its label, as month and day
      const spoken = (whole: string) =>
        whole.includes(expected) || whole.includes(expected.replace(/^\w+, |, \d{4}$/g, ''))
      expect(spoken(words), `${key} ${expected} in HTML`).toBe(true)
      expect(spoken(plain), `${key} ${expected} in text`).toBe(true)
    }
    expect(subject.length).toBeGreaterThan(5)
    expect(subject.length).toBeLessThan(80)
  })

  test('carries every link in both parts, and no other', async () => {
    const { html, text } = await render(mail)
    const given = factsOf(mail.data).flatMap(({ key, value }) => (/Url$/.test(key) ? [String(value)] : []))
    const hrefs = [...html.matchAll(/href="(https?:[^"]+)"/g)].map(([, href]) => href)
    const written = text.match(/https?:\/\/\S+/g) ?? []
    const shown = given.filter(
      (url) => !(mail.kind === 'order_confirmation' && url.endsWith('/app/')) || !mail.data.accountUrl,
    )
    const all = new Set([...shown, `${SAMPLE_IDENTITY.siteUrl}/exit`])
    expect(new Set(hrefs)).toEqual(all)
    expect(new Set(written)).toEqual(all)
  })

  test('ends no sentence twice', async () => {
    const { text } = await render(mail)
    expect(text).not.toMatch(/[?!.][.](\s|$)/m)
  })

  test('leaves no hole: no undefined, null, NaN, braces or invalid date', async () => {
    const { html, text, subject } = await render(mail)
    for (const part of [wordsOf(html), text, subject]) {
      expect(part).not.toMatch(/undefined|\bnull\b|NaN|Invalid|\[object|[{}]|\$\$|\bTODO\b/)
    }
  })

  test('H-04 has the way out at its foot wherever a subscription lives', async () => {
    const cancelUrl = 'cancelUrl' in mail.data ? mail.data.cancelUrl : undefined
    const { html, text } = await render(mail)
    const foot = html.slice(html.indexOf('class="foot"'))
    if (cancelUrl) expect(foot).toContain(cancelUrl)
    else expect(foot).not.toContain('Cancel your subscription')
    expect(text.includes('Cancel your subscription:')).toBe(Boolean(cancelUrl))
  })

  test('N-02 names no session: no UUID anywhere', async () => {
    const { html, text } = await render(mail)
    expect(html + text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/i)
  })

  test('works in dark mode and without pictures, fonts or scripts from elsewhere', async () => {
    const { html } = await render(mail)
    expect(html).toContain('prefers-color-scheme: dark')
    expect(html).toContain('name="color-scheme"')
    expect(html).not.toMatch(/<img|<script|<link|@import|url\(/i)
  })
})

describe('order confirmation', () => {
  test('H-01 the terms are those of the contract, in the buyer’s time zone', async () => {
    const mail = sample('order_confirmation')
    const terms = termsOf('trial_1767', new Date(mail.data.paidAt))!
    const { text } = await render(mail)
    expect(text).toContain(`${day(terms.firstChargeAt, 'America/New_York')}: $39`)
    expect(text).toContain('Every 30 days after that: $39')
    expect(text).toContain('3-day trial: $17.67')
    expect(text).toContain('Paid in all: $47.47')
    // 01:30 UTC is the day before in New York
    const late = await render({ ...mail, data: { ...mail.data, paidAt: '2026-11-21T01:30:00Z' } })
    expect(late.text).toContain('Monday, November 23, 2026: $39')
  })

  test('H-05 the undo of add-ons is offered while it works, and not after', async () => {
    const mail = sample('order_confirmation')
    expect((await render(mail)).text).toContain('Undo Monitor Ergonomics Guide')
    const late = await render(mail, new Date('2026-11-20T15:40:01Z'))
    expect(late.text + late.html).not.toContain('/undo/')
    expect(late.text).not.toContain('Added something you do not want?')
  })

  test('A-02 offers the account while there is none, and the programme afterwards', async () => {
    const mail = sample('order_confirmation')
    expect((await render(mail)).text).toContain('Create your account:')
    const { text } = await render({ ...mail, data: { ...mail.data, accountUrl: null } })
    expect(text).toContain('Open the programme:')
    expect(text).not.toContain('Create your account')
  })

  test('P-06 a PayPal set-up says that nothing was paid', async () => {
    const mail = sample('order_confirmation')
    const { text } = await render({ ...mail, data: { ...mail.data, productId: 'trial_5', paid: 0, addOns: [] } })
    expect(text).toContain('Paid in all: $0')
  })

  test('H-02 carries the withdrawal function where it is given', async () => {
    const { text } = await render(SAMPLES['order_confirmation_plain']!)
    expect(text).toContain('Withdraw from the contract:\nhttps://sample.test/withdraw#')
  })
})

test('H-01 A-06 a period that an operator moved is said in every letter that names one', async () => {
  const period = { unit: 'week', count: 2 } as const
  const words = async (mail: Mail) => (await render(mail)).text.replace(/\s+/g, ' ')
  const order = sample('order_confirmation')
  const next = { amount: 3900, at: '2026-11-23T15:29:00Z', period }
  const ordered = await words({ ...order, data: { ...order.data, next } })
  expect(ordered).toContain('Every 2 weeks after that: $39')
  expect(ordered).toContain('ending in 4242 every 2 weeks until you cancel')
  expect(ordered).not.toContain('30 days until')
  for (const kind of ['trial_ends', 'cancellation_undone', 'yearly_reminder', 'second_withdrawal'] as const) {
    const mail = sample(kind)
    const told = await words({ ...mail, data: { ...mail.data, period } } as Mail)
    expect([kind, told.match(/every (?:\d+ )?\w+/i)?.[0].toLowerCase()]).toEqual([kind, 'every 2 weeks'])
    expect(told).not.toContain('30 days')
  }
  const changed = SAMPLES['price_changed_with_period']!
  expect((await render(changed)).subject).toBe('Your subscription costs $39 every week from November 25 on')
  const told = await words(changed)
  expect(told).toMatch(/been \$39 every 30 days until now\. From .*, November 25, 2026 on it is \$39 every week\./)
  expect(told).toMatch(/until now: \$39 Every 30 days .*price: \$39 Every week, from November 25 on/)
  expect((await render(sample('price_changed'))).subject).toMatch(/costs \$45 every 30 days from .* on, not \$39$/)
})

test('H-01 a cancellation taken back while a payment is late names what is owed, and no pause', async () => {
  const mail = sample('cancellation_undone')
  const owed = { amount: 3900, updateUrl: 'https://example.com/update-payment#token' }
  const words = async (data: object) =>
    (await render({ ...mail, data: { ...mail.data, owed, ...data } } as Mail)).text.replace(/\s+/g, ' ')
  const trying = await words({})
  expect(trying).toContain('A payment of $39 is still open.')
  expect(trying).toContain('Next try')
  expect(trying).not.toMatch(/every 30 days|next charge/i)
  const over = await words({ amount: null, nextChargeAt: null })
  expect(over).toContain('Pay $39 now')
  expect([trying, over].join()).not.toMatch(/paused/i)
})

test.each([
  ['refused', 'We cannot try this card again. Please pay it with another one'],
  ['unconfirmed', 'Your bank wants you to confirm this payment, so we cannot try it again by ourselves.'],
])('A-06 H-01 a charge that is %s for good: only paying it helps, no try is spoken of', async (why, said) => {
  const mail = SAMPLES['payment_failed_last']!
  const told = (await render({ ...mail, data: { ...mail.data, refusedForGood: why } } as Mail)).text
  expect(told.replace(/\s+/g, ' ')).toContain(said)
  expect(told.replace(/\s+/g, ' ')).not.toMatch(/may try again|fine again|nothing to do|lost|stolen/)
})

test('A-06 A-05 a charge to PayPal that failed is told in words about PayPal, not about a card', async () => {
  const failed = async (name: string, data: object = {}) => {
    const mail = SAMPLES[name]!
    const { text } = await render({ ...mail, data: { ...mail.data, paidWith: { type: 'paypal' }, ...data } } as Mail)
    return text.replace(/\s+/g, ' ')
  }
  const tried = await failed('payment_failed_1')
  expect(tried).toContain('or when our agreement with you was ended at PayPal.')
  expect(tried).toContain('With PayPal once it is fine again there, or with a card, it is done in a minute:')
  expect(tried).toContain('If it is fine again at PayPal by then, there is nothing to do.')
  const refused = await failed('payment_failed_last', { refusedForGood: 'refused' })
  expect(refused).toContain('We cannot try your PayPal account again. Please pay it with a card to keep')
  const unconfirmed = await failed('payment_failed_last', { refusedForGood: 'unconfirmed' })
  expect(unconfirmed).toContain('PayPal wants you to confirm this payment')
  for (const told of [tried, refused, unconfirmed, await failed('payment_failed_last')])
    expect(told).not.toMatch(/(the|same|this|your) card|card has expired|your bank/i)
})

test.each(['access_ended', 'access_ended_at_once', 'access_ended_one_of_two'])(
  'H-04 P-12 %s says “as you asked” only of an end that its buyer asked for',
  async (name) => {
    const mail = SAMPLES[name]!
    const words = async (asked?: boolean) => (await render({ ...mail, data: { ...mail.data, asked } } as Mail)).text
    expect(await words(true)).toMatch(/as you asked|that you cancelled/)
    // an operator ended it at Stripe; a mail that has waited since an earlier release names nobody
    for (const told of [await words(false), await words()]) {
      expect(told).not.toMatch(/asked|you cancelled|Goodbye/)
      expect(told).toMatch(/subscriptions? has ended/)
    }
  },
)

describe('an end that is set for a later day', () => {
  const endsAt = '2027-02-03T15:29:00Z'
  const end = 'Your subscription ends by itself on Wednesday, February 3, 2027. Nothing is charged after that.'
  /** The words of a sample while an end is set, in one line. */
  async function ending(name: string, end = endsAt): Promise<string> {
    const mail = SAMPLES[name]!
    const order = { next: { amount: 3900, at: '2026-11-23T15:29:00Z', endsAt: end }, accountUrl: null }
    const data = { ...mail.data, ...(mail.kind === 'order_confirmation' ? order : { endsAt: end }) }
    return (await render({ ...mail, data } as Mail)).text.replace(/\s+/g, ' ')
  }

  test.each([
    'order_confirmation',
    'trial_ends',
    'price_changed',
    'renewal_receipt',
    'yearly_reminder',
    'second_withdrawal',
    'cancellation_undone',
    'access_reopened_add_on',
  ])('H-01 %s tells it, and nothing that goes on until the buyer cancels', async (name) => {
    const text = await ending(name)
    expect(text).toContain(end)
    expect(text).not.toMatch(/until you cancel/i)
  })

  test('H-01 where the next charge is the last one, none is announced after it', async () => {
    for (const name of ['order_confirmation', 'trial_ends', 'cancellation_undone']) {
      expect(await ending(name)).toContain('Every 30 days after that: $39 Until it ends by itself on Wednesday')
      expect(await ending(name, '2026-12-23T15:29:00Z')).not.toMatch(/every 30 days/i)
    }
    expect(await ending('order_confirmation', '2026-12-23T15:29:00Z')).toContain('renews by itself once: $39 ')
  })
})

test('C-11 the reminder of a checkout unsubscribes with one click, other mails have no such header', async () => {
  const { headers, text } = await render(sample('abandoned_checkout'))
  expect(headers['List-Unsubscribe']).toBe(`<${sample('abandoned_checkout').data.unsubscribeUrl}>`)
  expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
  expect(text).toContain('Unsubscribe from reminders and offers:')
  expect(text).toContain(SAMPLE_IDENTITY.companyAddress)
  expect((await render(sample('order_confirmation'))).headers).not.toHaveProperty('List-Unsubscribe')
})

test('P-14 the mail about a duplicate says which amount goes back and that there is nothing to do', async () => {
  const { subject, text } = await render(sample('duplicate_refunded'))
  expect(subject).toBe('You paid twice: we refunded $9')
  expect(text).toContain('There is nothing to do.')
  expect(text.replace(/\s+/g, ' ')).toContain('- Refunded: $9 Paid on Friday, November 20, 2026, PayPal')
})

test('a code is neither in the subject nor in the preview, which locked screens show', async () => {
  const { subject, html } = await render(sample('email_verification_code'))
  expect(subject).not.toContain('482913')
  expect(html.slice(0, html.indexOf('<h1'))).not.toContain('482913')
})

test('a wrong amount, date or link is an error, never a mail', async () => {
  const trial = sample('trial_ends')
  const broken = (data: object) => render({ ...trial, data: { ...trial.data, ...data } } as Mail)
  await expect(broken({ amount: 39.5 })).rejects.toThrow(RangeError)
  await expect(broken({ amount: undefined })).rejects.toThrow(RangeError)
  await expect(broken({ chargeAt: 'soon' })).rejects.toThrow(RangeError)
  await expect(broken({ appUrl: 'javascript:alert(1)' })).rejects.toThrow(TypeError)
  await expect(broken({ cancelUrl: '/cancel/x' })).rejects.toThrow(TypeError)
  await expect(
    broken({ cancelUrl: 'https://sample.test/checkout/0198a1b2-0000-7000-8000-000000000000' }),
  ).rejects.toThrow('must not carry a UUID')
})

test.each([
  ['Ada Lovelace', 'Ada Lovelace'],
  ['  Zoë   van der Berg ', 'Zoë van der Berg'],
  ['J. R. Smith', 'J. R. Smith'],
  ['Visit evil.example now', undefined],
  ['http://evil.example', undefined],
  ['You have won a prize today friend', undefined],
  ['<b>Ada</b>', undefined],
  ['', undefined],
  [null, undefined],
])('the name %j greets as %j', (name, greeting) => expect(greetingName(name)).toBe(greeting))

test('words of the buyer cannot become markup', async () => {
  const { html } = await render({
    kind: 'money_back_decided',
    to: 'a@b.cd',
    data: {
      decision: 'declined',
      amount: 100,
      decidedAt: '2026-11-20T00:00:00Z',
      reason: '<a href="https://x.example">x</a>',
    },
  })
  expect(html).toContain('&lt;a href=')
  expect(html).not.toContain('href="https://x.example"')
})

test('C-02 C-11 D-13 no mail says that answers are saved: without a consent one browser alone has them', async () => {
  for (const mail of Object.values(SAMPLES)) {
    const { subject, text, html } = await render(mail)
    expect(`${subject} ${text} ${html}`, mail.kind).not.toMatch(/answers (are|were) (saved|safe|kept)/i)
  }
})
