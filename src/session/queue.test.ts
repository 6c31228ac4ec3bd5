import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AnswerInput } from '../../contract/api.ts'
import { PRIVACY_SIGNAL } from '../../contract/consent.ts'
import * as KEYS from './keys.ts'
import { BATCH, retryWait } from './sending.ts'

/** What the browser keeps over pages. `full`: it takes nothing more, as a phone without room does. */
const stored = new Map<string, string>()
let full = false
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  removeItem: (key: string) => void stored.delete(key),
  setItem(key: string, value: string) {
    if (full) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    stored.set(key, value)
  },
}

/** The service: what has arrived, in order, and how it takes the next request. */
let arrived: (AnswerInput & { sessionId: string })[] = []
let sizes: number[] = []
let writes: string[] = []
let underWay = 0
let atOnce = 0
type Reply = 'ok' | 'away' | 'broken' | 'reply lost' | 'forbidden'
let reply: (path: string, answers: readonly AnswerInput[]) => Reply | Promise<Reply> = () => 'ok'

const SESSION = '11111111-1111-4111-8111-111111111111'
const NEXT_SESSION = '22222222-2222-4222-8222-222222222222'
const refusal = (status: number, code: string) => Response.json({ error: { code, message: code } }, { status })

async function service(path: string, { body }: { body?: string } = {}): Promise<Response> {
  if (path === '/api/sessions') return Response.json({ sessionId: NEXT_SESSION })
  const given = JSON.parse(body ?? '{}') as { answers?: AnswerInput[] }
  const answers = given.answers ?? []
  atOnce = Math.max(atOnce, ++underWay)
  const how = await reply(path, answers)
  underWay--
  if (how === 'away') throw new TypeError('Failed to fetch')
  if (how === 'broken') return new Response('<html>Bad gateway</html>', { status: 502 })
  if (how === 'forbidden') return refusal(403, 'session_forbidden')
  if (answers.some(({ answer }) => answer === 'refused')) return refusal(422, 'invalid_body')
  const sessionId = path.split('/')[3] ?? ''
  if (given.answers) sizes.push(answers.length)
  else writes.push(`${path.split('/').at(-1)} ${body}`)
  arrived.push(...answers.map((answer) => ({ ...answer, sessionId })))
  if (how === 'reply lost') throw new TypeError('Failed to fetch')
  return new Response(null, { status: 204 })
}

/** Events of the window and of the document. */
let listeners: Record<string, () => void> = {}
const beacons: Blob[] = []

/** A page that is loaded anew: only storage is left of the one before. */
async function load() {
  vi.resetModules()
  vi.clearAllTimers()
  listeners = {}
  const { queueAllAnswers, queueAnswer, queueWrite } = await import('./outbox-store.ts')
  const { flushOutbox, startOutbox, writeNow } = await import('./queue.ts')
  const { keepEvidence, sendEvidence } = await import('./evidence.ts')
  const consent = await import('./consent.ts')
  const queue = { queueAllAnswers, queueAnswer, queueWrite, flushOutbox, startOutbox, writeNow }
  return { ...queue, keepEvidence, sendEvidence, ...consent }
}

const answersThere = (): [string, string][] => arrived.map(({ questionId, answer }) => [questionId, answer])
const leftBehind = (): unknown => JSON.parse(stored.get(KEYS.outbox) ?? 'null')

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') })
  stored.clear()
  stored.set(KEYS.sessionId, SESSION)
  stored.set(KEYS.healthConsent, 'granted')
  full = false
  ;[arrived, sizes, writes, underWay, atOnce] = [[], [], [], 0, 0]
  reply = () => 'ok'
  beacons.length = 0
  const listen = (event: string, listener: () => void) => void (listeners[event] = listener)
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('addEventListener', listen)
  vi.stubGlobal('document', { addEventListener: listen, visibilityState: 'visible', referrer: '' })
  vi.stubGlobal('location', { origin: 'https://shop.example', pathname: '/quiz' })
  vi.stubGlobal('screen', { width: 390, height: 844 })
  vi.stubGlobal('navigator', {
    userAgent: 'a phone',
    language: 'en-US',
    sendBeacon: (_: string, blob: Blob) => beacons.push(blob),
  })
  vi.stubGlobal('fetch', service)
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the sender of the outbox', () => {
  test('Q-10 answers arrive in the order in which they were given, in batches, one request at a time', async () => {
    const page = await load()
    const given = Array.from({ length: 2 * BATCH + 5 }, (_, index): [string, string] => [`q${200 - index}`, `${index}`])
    for (const [question, answer] of given) {
      page.queueAnswer(question, answer)
      vi.setSystemTime(Date.now() + 1)
    }
    // the first one again: now it is the newest, and counts once
    const [[again] = ['']] = given.splice(0, 1)
    page.queueAnswer(again, 'changed')
    given.push([again, 'changed'])
    vi.setSystemTime(Date.now() + 1)
    // one more while the first batch is on its way
    reply = () => {
      if (sizes.length === 0) page.queueAnswer('late', 'x')
      return 'ok'
    }
    await Promise.all([page.flushOutbox(), page.flushOutbox()])
    expect(answersThere()).toEqual([...given, ['late', 'x']])
    expect(sizes).toEqual([BATCH, BATCH, 6])
    expect(atOnce).toBe(1)
    expect(leftBehind()).toBeNull()
  })

  test('Q-10 answers given close together travel together, without anybody asking for it', async () => {
    const page = await load()
    page.queueAnswer('eyeColor', 'blue')
    await vi.advanceTimersByTimeAsync(500)
    page.queueAnswer('symptoms', 'red')
    expect(arrived).toEqual([])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(sizes).toEqual([2])
  })

  test.each(['away', 'broken'] as const)(
    'Q-10 D-02 a service that is %s is asked again, each time later',
    async (how) => {
      const page = await load()
      const tries: number[] = []
      reply = (_, answers) => {
        if (answers.length > 0) tries.push(Date.now())
        return tries.length < 4 ? how : 'ok'
      }
      page.queueAnswer('eyeColor', 'blue')
      await page.flushOutbox()
      page.queueAnswer('eyeColor', 'green')
      page.queueWrite('setPrice', { selectedPrice: 9 })
      await vi.advanceTimersByTimeAsync(600_000)
      expect(tries.slice(1, 4).map((at, index) => at - (tries[index] ?? 0))).toEqual(
        [1, 2, 3].map((failures) => retryWait(failures, () => 0)),
      )
      expect(answersThere()).toEqual([['eyeColor', 'green']])
      expect(writes).toEqual(['price {"selectedPrice":9}'])
      expect(leftBehind()).toBeNull()
    },
  )

  test('Q-10 the network that comes back is used at once', async () => {
    const page = await load()
    reply = () => 'away'
    page.startOutbox()
    page.queueAnswer('eyeColor', 'blue')
    await vi.advanceTimersByTimeAsync(60_000)
    reply = () => 'ok'
    const before = Date.now()
    listeners['online']?.()
    await page.flushOutbox()
    expect([answersThere(), Date.now()]).toEqual([[['eyeColor', 'blue']], before])
  })

  test('Q-10 Q-14 nothing is lost by a reload: the next page sends what the last one could not', async () => {
    const first = await load()
    reply = () => 'away'
    first.queueAnswer('eyeColor', 'blue')
    await first.writeNow('setSessionEmail', { email: 'me@example.com' })
    await first.flushOutbox()
    vi.setSystemTime(Date.now() + 1_000)
    first.queueAnswer('symptoms', 'red')
    reply = () => 'ok'
    const second = await load()
    second.startOutbox()
    await vi.advanceTimersByTimeAsync(0)
    await second.flushOutbox()
    expect(answersThere()).toEqual([
      ['eyeColor', 'blue'],
      ['symptoms', 'red'],
    ])
    expect(writes).toEqual(['email {"email":"me@example.com"}'])
    expect(leftBehind()).toBeNull()
  })

  test('Q-10 an answer whose reply was lost is sent once more, the same', async () => {
    const page = await load()
    reply = () => (arrived.length === 0 ? 'reply lost' : 'ok')
    page.queueAnswer('eyeColor', 'blue')
    await page.flushOutbox()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(arrived).toHaveLength(2)
    expect(arrived[1]).toEqual(arrived[0])
    expect(leftBehind()).toBeNull()
  })

  test('Q-10 a full storage loses nothing while the page is open; no older answer follows a newer one', async () => {
    const page = await load()
    reply = () => 'away'
    page.queueAnswer('eyeColor', 'blue')
    await page.flushOutbox()
    full = true
    page.queueAnswer('eyeColor', 'green')
    page.queueAnswer('symptoms', 'red')
    expect(leftBehind()).toMatchObject({ answers: { eyeColor: { answer: 'blue' } } })
    reply = () => 'ok'
    await vi.advanceTimersByTimeAsync(60_000)
    expect(answersThere()).toEqual([
      ['eyeColor', 'green'],
      ['symptoms', 'red'],
    ])
    const next = await load()
    next.startOutbox()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(arrived).toHaveLength(2)
  })

  test('Q-10 an answer that the service refuses does not hold up the others', async () => {
    const page = await load()
    for (const [question, answer] of Object.entries({ a: '1', b: 'refused', c: '3' }))
      page.queueAnswer(question, answer)
    await page.flushOutbox()
    expect(answersThere()).toEqual([
      ['a', '1'],
      ['c', '3'],
    ])
    expect(leftBehind()).toBeNull()
  })

  test('C-02 a session that the service no longer knows is replaced, and the new one gets the answers', async () => {
    const page = await load()
    reply = (path) => (path.includes(SESSION) ? 'forbidden' : 'ok')
    page.queueAnswer('eyeColor', 'blue')
    await page.flushOutbox()
    expect(arrived).toMatchObject([{ sessionId: NEXT_SESSION, questionId: 'eyeColor', answer: 'blue' }])
    expect(leftBehind()).toBeNull()
  })

  test('C-02 the new session gets all that this visit has said, also what the lost one had already', async () => {
    stored.set(KEYS.answers, JSON.stringify({ eyeColor: 'blue', selectedPrice: 9, email: 'me@example.com' }))
    stored.set(KEYS.quizCompleted, 'true')
    stored.set(KEYS.quizCompletionTime, '61')
    const page = await load()
    reply = (path) => (path.includes(SESSION) ? 'forbidden' : 'ok')
    page.queueAnswer('symptoms', 'red')
    await page.flushOutbox()
    expect(new Set(arrived.map(({ sessionId }) => sessionId))).toEqual(new Set([NEXT_SESSION]))
    expect(answersThere().sort()).toEqual([
      ['eyeColor', 'blue'],
      ['selectedPrice', '9'],
      ['symptoms', 'red'],
    ])
    expect(writes.sort()).toEqual([
      'completion {"seconds":61}',
      'email {"email":"me@example.com"}',
      'price {"selectedPrice":9}',
    ])
    expect(leftBehind()).toBeNull()
  })

  test('D-12 all answers are queued for a new visit, and the address beside them is none', async () => {
    stored.set(KEYS.answers, JSON.stringify({ eyeColor: 'blue', email: 'me@example.com', selectedPrice: 9 }))
    const page = await load()
    page.queueAllAnswers()
    await page.flushOutbox()
    expect(answersThere().sort()).toEqual([
      ['eyeColor', 'blue'],
      ['selectedPrice', '9'],
    ])
  })

  test('D-13 without consent answers stay in the browser, also as the page is left; with it they go', async () => {
    stored.set(KEYS.healthConsent, 'refused')
    const page = await load()
    page.startOutbox()
    page.queueAnswer('eyeColor', 'blue')
    await vi.advanceTimersByTimeAsync(60_000)
    listeners['pagehide']?.()
    expect([arrived, beacons]).toEqual([[], []])
    stored.set(KEYS.healthConsent, 'granted')
    listeners['pagehide']?.()
    expect(JSON.parse((await beacons[0]?.text()) ?? '')).toMatchObject({ answers: [{ questionId: 'eyeColor' }] })
    // a beacon may be lost: it stays until the service has answered
    expect(leftBehind()).not.toBeNull()
    await page.flushOutbox()
    expect(answersThere()).toEqual([['eyeColor', 'blue']])
  })
})

describe('evidence of consents', () => {
  const HEALTH = [{ kind: 'health', granted: true }] as const
  const NEITHER = [
    { kind: 'advertising', granted: false },
    { kind: 'analytics', granted: false },
  ] as const
  /** Told in this order: what, of whom, in which words, on which page. */
  interface Told {
    sessionId: string
    choices: { kind: string }[]
    wording: string
    version: string
    page: string
    chosenAt?: string
  }
  let told: Told[] = []
  beforeEach(() => {
    told = []
    const others = service
    vi.stubGlobal('fetch', async (path: string, init: { body?: string } = {}) => {
      if (path === '/api/config') return Response.json({ country: 'DE' })
      const answer = await others(path, init)
      if (path.endsWith('/consents') && answer.ok) {
        writes.pop()
        told.push({ ...(JSON.parse(init.body ?? '') as Told), sessionId: path.split('/')[3] ?? '' })
        arrived.push({ sessionId: '', questionId: 'consent', answer: '', answeredAt: '' })
      } else if (answer.ok && !path.endsWith('/answers'))
        arrived.push({ sessionId: '', questionId: path.split('/').at(-1) ?? '', answer: '', answeredAt: '' })
      return answer
    })
  })
  const order = () => arrived.map(({ questionId }) => questionId)

  test('T-02 a signal that the browser gave up is told to no further visit', async () => {
    const page = await load()
    const signals = (globalPrivacyControl: boolean) =>
      vi.stubGlobal('navigator', { ...navigator, globalPrivacyControl })
    signals(true)
    await page.keepEvidence([NEITHER[0]], PRIVACY_SIGNAL)
    expect(told).toHaveLength(1)
    stored.set(KEYS.sessionId, NEXT_SESSION)
    signals(false)
    await page.sendEvidence()
    expect(told).toHaveLength(1)
    signals(true)
    await page.sendEvidence()
    expect(told.map(({ sessionId }) => sessionId)).toEqual([SESSION, NEXT_SESSION])
  })

  test('D-13 choices made while offline are told each in its own words and of its own page', async () => {
    const page = await load()
    reply = () => 'away'
    await page.keepEvidence([...HEALTH], 'My answers about health')
    vi.stubGlobal('location', { origin: 'https://shop.example', pathname: '/legal/privacy' })
    await page.keepEvidence([{ kind: 'advertising', granted: true }, NEITHER[1]], 'Save my choice')
    await page.keepEvidence([...NEITHER], 'Allow neither')
    reply = () => 'ok'
    await page.sendEvidence()
    expect(told).toMatchObject([
      { choices: HEALTH, wording: 'My answers about health', page: '/quiz' },
      { choices: NEITHER, wording: 'Allow neither', page: '/legal/privacy' },
    ])
    await page.sendEvidence()
    expect(told).toHaveLength(2)
  })

  test('T-02 D-13 another session is told of the choices before it gets an address or an answer', async () => {
    const first = await load()
    await first.keepEvidence([...HEALTH], 'My answers about health')
    await first.keepEvidence([...NEITHER], 'Allow neither')
    expect([told.length, told.every((one) => one.chosenAt === undefined)]).toEqual([2, true])
    const chosenAt = new Date().toISOString()
    vi.setSystemTime(Date.now() + 60_000)
    stored.set(KEYS.sessionId, NEXT_SESSION)
    ;[told, arrived] = [[], []]
    const next = await load()
    next.queueAnswer('eyeColor', 'blue')
    await Promise.all([next.writeNow('setSessionEmail', { email: 'me@example.com' }), next.flushOutbox()])
    expect(told).toMatchObject([
      { sessionId: NEXT_SESSION, choices: HEALTH, wording: 'My answers about health', chosenAt },
      { sessionId: NEXT_SESSION, choices: NEITHER, wording: 'Allow neither', chosenAt },
    ])
    expect(order().slice(0, 2)).toEqual(['consent', 'consent'])
    expect(order().slice(2).sort()).toEqual(['email', 'eyeColor'])
  })

  test('T-02 a choice made before any visit was known is told with its moment to a visit opened later', async () => {
    stored.delete(KEYS.sessionId)
    const page = await load()
    await page.keepEvidence([...NEITHER], 'Allow neither')
    expect(told).toEqual([])
    const chosenAt = new Date().toISOString()
    vi.setSystemTime(Date.now() + 60_000)
    stored.set(KEYS.sessionId, NEXT_SESSION)
    await page.sendEvidence()
    expect(told).toMatchObject([{ sessionId: NEXT_SESSION, choices: NEITHER, chosenAt }])
  })

  test('T-02 a choice for a visit that never heard of it is told with its moment to the next one', async () => {
    const page = await load()
    reply = () => 'away'
    await page.keepEvidence([...NEITHER], 'Allow neither')
    reply = () => 'ok'
    const chosenAt = new Date().toISOString()
    stored.set(KEYS.sessionId, NEXT_SESSION)
    await page.sendEvidence()
    expect(told).toMatchObject([{ sessionId: NEXT_SESSION, choices: NEITHER, chosenAt }])
  })

  test('D-13 other words about health are asked for again, and kept with their own version', async () => {
    const first = await load()
    first.forgetOtherWords('2026-11-01')
    await first.keepEvidence([...HEALTH], 'The words of November', '2026-11-01')
    const same = await load()
    same.forgetOtherWords('2026-11-01')
    expect(await same.learnHealthGate(['DE'])).toBe('open')
    const next = await load()
    next.forgetOtherWords('2026-12-01')
    expect(await next.learnHealthGate(['DE'])).toBe('ask')
    next.queueAnswer('eyeColor', 'blue')
    await next.flushOutbox()
    expect(answersThere().filter(([question]) => question === 'eyeColor')).toEqual([])
    next.setHealthConsent(true)
    await next.keepEvidence([...HEALTH], 'The words of December', '2026-12-01')
    await next.flushOutbox()
    expect(told).toMatchObject([
      { choices: HEALTH, wording: 'The words of November', version: '2026-11-01' },
      { choices: HEALTH, wording: 'The words of December', version: '2026-12-01' },
    ])
    expect(order()).toEqual(['consent', 'consent', 'eyeColor'])
    const back = await load()
    back.forgetOtherWords('2026-12-01')
    expect(back.healthGate()).toBe('open')
  })

  test.each([
    ['of an older page, which named the month, in that month', '2026-11', '2026-11-01', 'granted'],
    ['of an older page, which named the month, after it', '2026-11', '2026-12-01', null],
    ['without evidence', null, '2026-12-01', 'granted'],
  ])('D-13 a consent %s: asked again or not', async (_what, version, shown, left) => {
    if (version) stored.set(KEYS.healthEvidence, JSON.stringify({ choices: HEALTH, version }))
    const page = await load()
    page.forgetOtherWords(shown)
    expect(stored.get(KEYS.healthConsent) ?? null).toBe(left)
  })

  test('D-13 a refusal stays one, whatever the words are by now', async () => {
    stored.set(KEYS.healthConsent, 'refused')
    stored.set(KEYS.healthEvidence, JSON.stringify({ choices: HEALTH, version: '2026-11-01' }))
    const page = await load()
    page.forgetOtherWords('2026-12-01')
    expect(await page.learnHealthGate([])).toBe('refused')
  })

  test('T-02 an address waits while a choice cannot be told', async () => {
    const page = await load()
    reply = (path) => (path.endsWith('/consents') ? 'broken' : 'ok')
    await page.keepEvidence([...NEITHER], 'Allow neither')
    await page.writeNow('setSessionEmail', { email: 'me@example.com' })
    await page.flushOutbox()
    expect(order()).toEqual([])
    reply = () => 'ok'
    await vi.advanceTimersByTimeAsync(60_000)
    expect(order()).toEqual(['consent', 'email'])
  })
})
