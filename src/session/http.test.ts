import { afterEach, describe, expect, test, vi } from 'vitest'
import { isSessionLost, isTemporary, mayHaveHappened, request, type Failure } from './http.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const answer = (status: number, body: string): unknown =>
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(body, { status })),
  )
const failed = async (): Promise<Failure> => {
  const outcome = await request('GET', '/api/x', undefined, { timeoutMs: 20 })
  if (outcome.ok) throw new Error('expected a failure')
  return outcome
}

describe('a request to the service', () => {
  test('D-02 P-11 every way it can end is a value', async () => {
    answer(202, '{"status":"pending"}')
    expect(await request('GET', '/api/x')).toEqual({ ok: true, status: 202, data: { status: 'pending' } })
    answer(422, '{"error":{"code":"invalid_body","message":"m","field":"email","requestId":"r"}}')
    expect(await failed()).toMatchObject({ kind: 'refused', code: 'invalid_body', field: 'email', requestId: 'r' })
    answer(502, '<html>Bad gateway</html>')
    expect(await failed()).toMatchObject({ kind: 'unreadable', status: 502, code: null })
    answer(500, '{"oops":true}')
    expect((await failed()).kind).toBe('unreadable')
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
    expect((await failed()).kind).toBe('network')
  })

  test('N-03 a page names the trace that the service began with its first request, and none of its own', async () => {
    const FIRST = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-00`
    const told: (Record<string, string> | undefined)[] = []
    let timing = 'cdn;dur=3'
    vi.stubGlobal('fetch', async (_: string, { headers }: { headers?: Record<string, string> }) => {
      told.push(headers)
      return new Response('{}', { headers: { 'server-timing': timing } })
    })
    vi.resetModules()
    const page = (await import('./http.ts')).request
    await page('GET', '/api/x')
    timing = `cdn;dur=3, traceparent;desc="${FIRST}"`
    await page('GET', '/api/x')
    timing = `traceparent;desc="00-${'3'.repeat(32)}-${'4'.repeat(16)}-01"`
    await page('POST', '/api/x', {})
    await page('GET', '/api/x')
    expect(told).toEqual([{}, {}, { 'content-type': 'application/json', traceparent: FIRST }, { traceparent: FIRST }])
  })

  test('D-02 an answer that does not come in time is a timeout', async () => {
    vi.stubGlobal(
      'fetch',
      (_: string, { signal }: RequestInit) =>
        new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
        ),
    )
    expect((await failed()).kind).toBe('timeout')
  })

  test('Q-10 C-02 what may succeed later, and what means that the session is not ours', async () => {
    answer(429, '{"error":{"code":"too_many_requests","message":"m"}}')
    expect([isTemporary(await failed()), mayHaveHappened(await failed())]).toEqual([true, false])
    answer(503, '{"error":{"code":"stripe_unavailable","message":"m"}}')
    expect([isTemporary(await failed()), mayHaveHappened(await failed())]).toEqual([true, true])
    answer(422, '{"error":{"code":"unknown_price","message":"m"}}')
    expect([isTemporary(await failed()), mayHaveHappened(await failed())]).toEqual([false, false])
    for (const code of ['session_unknown', 'session_forbidden', 'session_token_missing']) {
      answer(403, JSON.stringify({ error: { code, message: 'm' } }))
      expect(isSessionLost(await failed())).toBe(true)
    }
  })
})
