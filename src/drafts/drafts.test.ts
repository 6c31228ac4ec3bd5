import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { patienceFor } from './changes.ts'
import { draftFields } from './fields.ts'
import { createLock, ENABLE_PATH } from './lock.ts'
import { createMatcher, type Entry } from './match.ts'
import { previewAnswer } from './preview-session.ts'
import { troublePage } from './trouble-page.ts'

describe('K-04 which field stands where', () => {
  const quiz = {
    _id: 'drafts.quiz',
    _type: 'quiz',
    steps: [
      { _key: 'one', _type: 'questionStep', storageKey: 'one', title: 'First?', button: 'Continue' },
      { _key: 'two', _type: 'infoStep', title: 'Only {monthlyPrice} a month', button: 'Continue' },
      {
        _key: 'three',
        _type: 'testimonialsStep',
        testimonials: [{ _id: 'jane', _type: 'testimonial', quote: 'Good.' }],
      },
    ],
    body: [{ _key: 'b', _type: 'block', children: [{ text: 'Rich ' }, { text: 'text' }] }],
    cover: { asset: { _ref: 'image-abc123-10x10-png' } },
  }
  const fields = draftFields([quiz])

  test('K-04 texts and pictures with their paths, those of a referenced document under its own name', () => {
    expect(fields.map(({ documentId, path, show }) => `${documentId} ${path} ${show}`)).toEqual([
      'quiz steps[_key=="one"].title First?',
      'quiz steps[_key=="one"].button Continue',
      'quiz steps[_key=="two"].title Only {monthlyPrice} a month',
      'quiz steps[_key=="two"].button Continue',
      'jane quote Good.',
      'quiz body[_key=="b"] Rich text',
      'quiz cover abc123',
    ])
  })

  const entries = fields.map(({ documentId, path, show, kind }): Entry => ({
    edit: `${documentId} ${path}`,
    near: `${documentId} ${path.split(']')[0]}`,
    document: documentId,
    show,
    kind,
  }))
  const matcher = createMatcher(entries)

  test('K-04 words that stand in several places belong to the step that is on the screen', () => {
    const edits = (texts: string[]) => matcher.texts(texts).map((entry) => entry?.edit)
    expect(edits(['Only $39 a month', 'Continue'])[1]).toBe('quiz steps[_key=="two"].button')
    expect(edits([' First? ', 'Continue'])[1]).toBe('quiz steps[_key=="one"].button')
    expect(edits(['12:34', 'Only'])).toEqual([undefined, undefined])
  })

  test('K-04 a picture is known by its file', () => {
    expect(matcher.picture('http://lake/images/p/d/abc123-10x10.png?w=5')?.edit).toBe('quiz cover')
    expect(matcher.picture('/logo.svg')).toBeUndefined()
  })
})

describe('K-04 the preview session', () => {
  test('K-04 stands where the page needs it, and pays for nothing', () => {
    const session = (page: string) => previewAnswer('GET', '/api/sessions/preview', page).body
    expect(session('/checkout/preview')).toMatchObject({ paymentStatus: 'unpaid', nextPage: 'checkout' })
    expect(session('/multi-upsell/preview')).toMatchObject({ paymentStatus: 'paid', nextPage: 'multi-upsell' })
    expect(session('/thank-you/preview')).toMatchObject({ accountCreated: true })
    for (const path of ['payments/initial', 'upsells', 'paypal/setup', 'account']) {
      const { status, body } = previewAnswer('POST', `/api/sessions/preview/${path}`, '/checkout/preview')
      expect([status, body]).toMatchObject([503, { error: { code: 'service_unavailable' } }])
    }
    expect(previewAnswer('GET', '/api/sessions/7c2f', '/').status).toBe(404)
    expect(previewAnswer('GET', '/api/prices/monthly', '/').body).toMatchObject({ amount: 3900 })
  })

  test('K-06 a draft that cannot be shown names document and field, and nothing of it is markup', () => {
    const html = troublePage([
      { documentId: 'quiz', documentType: 'quiz', field: 'steps[_key=="<b>"].title', reason: 'is empty' },
    ])
    expect(html).toContain('steps[_key==&quot;&lt;b&gt;&quot;].title</code>: is empty')
    expect(html).toContain('noindex')
  })
})

describe('K-04 a locked draft deployment', () => {
  let now = 1_000
  const lockOf = (token: string) =>
    createLock(
      ['https://studio.test'],
      token,
      async (secret) => {
        if (secret === 'unanswered') throw new Error('the lake does not answer')
        return secret === 'right'
      },
      () => now,
    )
  let lock = lockOf('one token')
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url?.startsWith(ENABLE_PATH)) void lock.enable(request, response)
    else if (lock.isOpen(request)) response.end('draft')
    else lock.refuse(response)
  }
  const server = createServer(answer).listen(0, '127.0.0.1')
  afterAll(() => void server.close())
  const get = (path: string, cookie = '') =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
      redirect: 'manual',
      headers: { cookie },
    })

  test.each([
    ['/quiz?step=3#x', '/quiz?step=3#x'],
    ['/%E5%AD%97', '/%E5%AD%97'],
    ['//evil.test', '/'],
    ['/\\evil.test', '/'],
    ['/\t/evil.test', '/'],
    ['/\n/evil.test', '/'],
    ['\t//evil.test', '/'],
    ['/.//evil.test', '/evil.test'],
    ['https://evil.test/', '/'],
    ['//[', '/'],
    ['/字', '/%E5%AD%97'],
  ])('K-04 the Studio opens no other site: %j', async (to, local) => {
    const asked = new URLSearchParams({ 'sanity-preview-secret': 'right', 'sanity-preview-pathname': to })
    const { status, headers } = await get(`${ENABLE_PATH}?${asked.toString()}`)
    expect([status, headers.get('location')]).toEqual([307, local])
  })

  test('K-04 opens with the secret of the Studio alone, for a day, and leads nowhere else', async () => {
    expect((await get('/quiz')).status).toBe(401)
    expect((await get(`${ENABLE_PATH}?sanity-preview-secret=wrong`)).status).toBe(401)
    const opened = await get(`${ENABLE_PATH}?sanity-preview-secret=right&sanity-preview-pathname=//evil.test`)
    expect([opened.status, opened.headers.get('location')]).toEqual([307, '/'])
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(await (await get('/quiz', cookie)).text()).toBe('draft')
    expect(
      (
        await get(
          '/quiz',
          cookie.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
        )
      ).status,
    ).toBe(401)
    // another process of the same deployment, or this one after a restart
    lock = lockOf('one token')
    expect((await get('/quiz', cookie)).status).toBe(200)
    lock = lockOf('another token')
    expect((await get('/quiz', cookie)).status).toBe(401)
    lock = lockOf('one token')
    now += 13 * 3600 * 1000
    expect((await get('/quiz', cookie)).status).toBe(401)
  })

  test('K-04 where the lake cannot say whether a secret is right, the log says so', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect((await get(`${ENABLE_PATH}?sanity-preview-secret=unanswered`)).status).toBe(401)
    expect(said).toHaveBeenCalledExactlyOnceWith(new Error('the lake does not answer'))
    said.mockRestore()
  })
})

test('K-04 a draft that has just appeared waits for its first change; everything else is told at once', () => {
  expect(patienceFor({ transition: 'appear', documentId: 'drafts.quiz' })).toBeGreaterThan(0)
  expect(patienceFor({ transition: 'update', documentId: 'drafts.quiz' })).toBe(0)
  expect(patienceFor({ transition: 'appear', documentId: 'quiz' })).toBe(0)
  expect(patienceFor({ transition: 'disappear', documentId: 'drafts.quiz' })).toBe(0)
})
