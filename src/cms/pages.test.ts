import { describe, expect, test } from 'vitest'
import { ADD_ON_IDS, savingPercent } from '../../contract/catalogue.ts'
import { filled } from '../../contract/filled.ts'
import { type ContentError } from './content-error.ts'
import { sampleSource } from './content.fixture.ts'
import { ADVERTORIAL_SLICE, advertorialsQuery } from './queries.ts'
import { getAccount, getAdvertorials, getCheckout, getLegalPages, getOffer, getReading, getUpsell } from './content.ts'

describe('the sample pages after the quiz', () => {
  test('C-04 C-05 C-07 C-09 C-12 checkout: six weeks, the sixth locked, and the specified strings', async () => {
    const checkout = await getCheckout(sampleSource())
    expect(checkout.countdownText).toBe('75% Discount only valid for')
    expect(checkout.timeline.map(({ locked }) => locked)).toEqual([false, false, false, false, false, true])
    expect(checkout.rating).toEqual({ text: 'TrustScore 4.2 | +2.5k reviews', source: null })
    expect(checkout.faq).toHaveLength(3)
    expect(checkout.orderButton).toBe('Order now')
  })

  test('C-10 X-02 the guarantee names no day and no session but those that are filled in', async () => {
    const values = { moneyBackDays: '41', moneyBackSessions: '13' }
    const { guaranteeTitle, guaranteeText } = filled(await getCheckout(sampleSource()), values)
    expect(guaranteeTitle).toBe('41-day money-back guarantee')
    expect(guaranteeText.match(/\d+/g)).toEqual(['13', '41'])
    expect(filled(await getReading(sampleSource()), values).moneyBackLine).toBe(guaranteeTitle)
  })

  test('C-08 the Day 1 preview has an address and a transcript', async () => {
    expect(await getCheckout(sampleSource())).toMatchObject({
      audioUrl: 'http://lake.test/files/abc123.mp3',
      audioTranscript: expect.stringContaining('Welcome to day one.'),
    })
  })

  test('C-07 a cleared rating is hidden', async () => {
    const source = sampleSource((document) => {
      if (document._id === 'checkout') document['rating'] = { _type: 'claim', text: ' ' }
    })
    expect((await getCheckout(source)).rating).toBeNull()
  })

  test('O-01 O-02 the offer keeps the specified strings', async () => {
    expect(await getOffer(sampleSource())).toMatchObject({
      introTitle: 'Special offer just for you',
      introButton: 'Get secret discount',
      introDecline: 'No thanks, continue with regular price',
      detailsTitle: 'You get a secret discount',
    })
  })

  test('U-01 U-05 every add-on once, with a label that follows from the catalogue', async () => {
    const { addOns, benefits } = await getUpsell(sampleSource())
    expect(addOns.map(({ id }) => id)).toEqual(ADD_ON_IDS)
    expect(addOns.map(({ label }) => label)).toEqual(ADD_ON_IDS.map((id) => `${savingPercent(id)}% OFF`))
    expect(benefits).toEqual(['One-time payment', 'Lifetime access', 'Proven techniques'])
  })

  test('U-01 K-06 an add-on that is named twice or never stops the build', async () => {
    const source = sampleSource((document) => {
      const { addOns } = document as { addOns?: { id: string }[] }
      if (addOns?.[1]) addOns[1].id = 'bundle'
    })
    const error = await getUpsell(source).catch((thrown: unknown) => thrown)
    expect((error as ContentError).issues.map(({ reason }) => reason)).toEqual([
      'names the product bundle 2 times, not once',
      'names the product guide_devices 0 times, not once',
    ])
  })

  test('A-03 the account and thank-you texts are there', async () => {
    const account = await getAccount(sampleSource())
    expect(account.features.length).toBeGreaterThan(3)
  })

  test('X-02 the reading has its six titles and the default', async () => {
    const { titles, defaultTitle } = await getReading(sampleSource())
    expect(titles.map(({ insight }) => insight)).toEqual([
      'starseed',
      'soul',
      'origins',
      'energies',
      'awakening',
      'guidance',
    ])
    expect(defaultTitle).toBe('Your Spiritual Journey')
  })
})

describe('the sample articles and legal pages', () => {
  test('V-01 V-02 V-03 two advertorials, newest first, five comments each, with pictures resolved', async () => {
    const articles = await getAdvertorials(sampleSource())
    expect(articles.map(({ path, utm }) => [path, utm])).toEqual([
      ['/screen-tired-eyes', 'blog-screen-tired-eyes'],
      ['/women-over60', 'blog-women-over60'],
    ])
    for (const { comments, body } of articles) {
      expect(comments).toHaveLength(5)
      expect(body.map(({ _type }) => _type)).toEqual(
        expect.arrayContaining(['block', 'picture', 'pullQuote', 'callToAction']),
      )
      expect(body.find(({ _type }) => _type === 'picture')).toMatchObject({
        caption: expect.any(String),
        picture: { width: 1200, alt: expect.stringMatching(/.{10}/) },
      })
    }
  })

  test('V-03 K-06 hundreds of advertorials come once each, newest first, with all their faults at once', async () => {
    const sample = sampleSource()
    const [one] = (await sample.fetch(advertorialsQuery, { after: '' })) as Record<string, unknown>[]
    const many = Array.from({ length: 612 }, (_, index) => ({
      ...one,
      _id: `advertorial-${String(index).padStart(4, '0')}`,
      path: `/story-${index}`,
      publishedAt: index % 2 ? '2026-01-02' : '2026-03-04',
    }))
    const asked: number[] = []
    const source = {
      ...sample,
      fetch: async (_query: string, params: Record<string, unknown> = {}) => {
        const slice = many.filter(({ _id }) => _id > String(params['after'])).slice(0, ADVERTORIAL_SLICE)
        asked.push(slice.length)
        return slice
      },
    }
    const paths = await getAdvertorials(source, ({ path }) => path)
    expect(asked).toEqual([250, 250, 112])
    expect(paths).toHaveLength(612)
    expect(new Set(paths).size).toBe(612)
    expect([paths[0], paths[611]]).toEqual(['/story-0', '/story-611'])
    Object.assign(many[3]!, { headline: '' })
    Object.assign(many[600]!, { utm: '' })
    const error = await getAdvertorials(source).catch((thrown: unknown) => thrown)
    expect((error as ContentError).issues.map(({ field }) => field)).toEqual(['headline', 'utm'])
  })

  test('V-03 K-06 two advertorials under one path stop the build', async () => {
    const source = sampleSource((document) => {
      if (document._type === 'advertorial') document['path'] = '/same'
    })
    const error = await getAdvertorials(source).catch((thrown: unknown) => thrown)
    expect((error as ContentError).issues).toMatchObject([
      { field: 'path', reason: expect.stringContaining('"/same"') },
    ])
  })

  test('G-01 G-02 the four legal pages, privacy and accessibility', async () => {
    const pages = await getLegalPages(sampleSource())
    expect(pages.map(({ slug }) => slug)).toEqual([
      'accessibility',
      'contact-us',
      'money-back-guarantee',
      'privacy',
      'subscription-terms',
      'terms-and-conditions',
    ])
  })

  test('K-06 a block that no page can show is named', async () => {
    const source = sampleSource((document) => {
      if (document._id === 'legal-privacy') (document['body'] as object[])[2] = { _type: 'video', _key: 'v' }
    })
    const error = await getLegalPages(source).catch((thrown: unknown) => thrown)
    expect((error as ContentError).issues).toMatchObject([{ documentId: 'legal-privacy', field: 'body[_key=="v"]' }])
  })
})
