import { afterEach, expect, test, vi } from 'vitest'
import { queueAllAnswers } from '../session/outbox-store.ts'
import { forgetOtherWords, type HealthGate, learnHealthGate, setHealthConsent } from '../session/consent.ts'
import { keepEvidence } from '../session/evidence.ts'
import { storedSessionId } from '../session/id.ts'
import { flushOutbox, startOutbox, writeNow } from '../session/queue.ts'
import { KEYS, local, visit, VISIT_KEYS } from '../session/storage.ts'
import { startVisit } from '../session/visit.ts'
import { trackLead } from '../tracking/tracking.ts'
import { beginVisit, writeConsent, writeEmail } from './network.ts'

vi.mock('../session/outbox-store.ts', () => ({ queueAllAnswers: vi.fn() }))
vi.mock('../session/consent.ts', () => ({
  forgetOtherWords: vi.fn(),
  learnHealthGate: vi.fn(),
  setHealthConsent: vi.fn(),
}))
vi.mock('../session/evidence.ts', () => ({ keepEvidence: vi.fn() }))
vi.mock('../session/id.ts', () => ({ storedSessionId: vi.fn() }))
vi.mock('../session/queue.ts', () => ({ flushOutbox: vi.fn(), startOutbox: vi.fn(), writeNow: vi.fn() }))
vi.mock('../session/visit.ts', () => ({ startVisit: vi.fn() }))
vi.mock('../tracking/tracking.ts', () => ({ trackLead: vi.fn() }))
const complaints = vi.spyOn(console, 'error').mockImplementation(() => undefined)
const remembered = vi.spyOn(visit, 'set').mockImplementation(() => undefined)
const stored = vi.spyOn(local, 'get')
afterEach(() => {
  vi.clearAllMocks()
  vi.unstubAllGlobals()
})

const settled = () => new Promise((done) => setTimeout(done))
const failed = { ok: false, kind: 'network', status: 0, code: null, words: null, field: null, requestId: null } as const

test('S-23 the address is written to session, payments and users in parallel', async () => {
  const answers: (() => void)[] = []
  vi.mocked(writeNow).mockImplementation(
    () => new Promise((done) => answers.push(() => done({ ok: true, status: 200, data: undefined }))),
  )
  writeEmail('me@example.com')
  expect(vi.mocked(writeNow).mock.calls).toEqual([
    ['setSessionEmail', { email: 'me@example.com' }],
    ['setPaymentsEmail', { email: 'me@example.com' }],
    ['setUsersEmail', { email: 'me@example.com' }],
  ])
  answers.forEach((answer) => answer())
  await settled()
  expect(complaints).not.toHaveBeenCalled()
})

test('S-23 each failed write logs its own console error; without a session there is none', async () => {
  vi.mocked(writeNow).mockResolvedValue(failed)
  writeEmail('me@example.com')
  await settled()
  expect(complaints.mock.calls.flat()).toEqual([
    'Error updating sessions table',
    'Error updating payments table',
    'Error updating users table',
  ])
  complaints.mockClear()
  vi.mocked(writeNow).mockResolvedValue(null)
  writeEmail('me@example.com')
  await settled()
  expect(complaints).not.toHaveBeenCalled()
})

test('T-03 an address is a lead of its session, and of none where there is no session yet', () => {
  vi.mocked(writeNow).mockResolvedValue(null)
  writeEmail('me@example.com')
  expect(trackLead).not.toHaveBeenCalled()
  vi.mocked(storedSessionId).mockReturnValueOnce('the-session')
  writeEmail('me@example.com')
  expect(vi.mocked(trackLead).mock.calls).toEqual([['the-session']])
})

const VERSION = '2026-12-01'

/** A page with the words of that version, whose checkbox has this label. */
const page = (label: { textContent: string | null } | null) => {
  const found: Record<string, unknown> = { main: { dataset: { consent: VERSION } }, '.welcome-consent label': label }
  vi.stubGlobal('document', { querySelector: (at: string) => found[at] })
}

test('D-13 a consent is kept with its words and version; a grant sends what waited, a refusal nothing', async () => {
  page({ textContent: '  I agree that my answers about my eyes … \n' })
  await writeConsent(true)
  expect(setHealthConsent).toHaveBeenLastCalledWith(true)
  const words = 'I agree that my answers about my eyes …'
  expect(keepEvidence).toHaveBeenLastCalledWith([{ kind: 'health', granted: true }], words, VERSION)
  expect([vi.mocked(queueAllAnswers).mock.calls.length, vi.mocked(flushOutbox).mock.calls.length]).toEqual([1, 1])
  await writeConsent(false)
  expect(setHealthConsent).toHaveBeenLastCalledWith(false)
  expect(keepEvidence).toHaveBeenLastCalledWith([{ kind: 'health', granted: false }], words, VERSION)
  expect([vi.mocked(queueAllAnswers).mock.calls.length, vi.mocked(flushOutbox).mock.calls.length]).toEqual([1, 1])
})

test('D-13 a consent whose words are gone from the page is kept all the same', async () => {
  for (const label of [null, { textContent: null }, { textContent: ' ' }]) {
    page(label)
    await writeConsent(true)
    expect(keepEvidence).toHaveBeenLastCalledWith([{ kind: 'health', granted: true }], 'health answers', VERSION)
  }
})

test.each<[HealthGate, string | null, string]>([
  ['ask', null, 'asked'],
  ['refused', 'refused', 'asked'],
  ['open', 'granted', 'given'],
  ['open', 'not_required', 'not_asked'],
  ['unknown', 'granted', 'not_asked'],
])('D-13 a gate that is %s with %s stored: %s', async (gate, answer, consent) => {
  page(null)
  vi.mocked(startVisit).mockResolvedValue(null)
  vi.mocked(learnHealthGate).mockResolvedValue(gate)
  stored.mockImplementation((key) => (key === KEYS.healthConsent ? answer : null))
  expect(await beginVisit(['DE'])).toBe(consent)
  expect(learnHealthGate).toHaveBeenCalledWith(['DE'])
  expect(startOutbox).toHaveBeenCalledWith(['DE'])
  // before anything is sent
  expect(forgetOtherWords).toHaveBeenCalledWith(VERSION)
  const [asked, sent] = [forgetOtherWords, startOutbox].map((fn) => vi.mocked(fn).mock.invocationCallOrder[0] ?? 0)
  expect(asked).toBeLessThan(sent ?? 0)
})

test('D-01 D-13 a region that cannot be learned asks nobody; only a visit that began marks its tab', async () => {
  page(null)
  vi.mocked(learnHealthGate).mockRejectedValue(new Error('offline'))
  vi.mocked(startVisit).mockResolvedValue(null)
  expect(await beginVisit([])).toBe('not_asked')
  expect(remembered).not.toHaveBeenCalled()
  vi.mocked(startVisit).mockResolvedValue('the-session')
  await beginVisit([])
  expect(remembered.mock.calls).toEqual([[VISIT_KEYS.sessionInitialized, '1']])
})
