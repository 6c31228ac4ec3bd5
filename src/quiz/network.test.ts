import { afterEach, expect, test, vi } from 'vitest'
import { writeNow } from '../session/queue.ts'
import { writeEmail } from './network.ts'

vi.mock('../session/queue.ts', () => ({ flushOutbox: vi.fn(), startOutbox: vi.fn(), writeNow: vi.fn() }))
const complaints = vi.spyOn(console, 'error').mockImplementation(() => undefined)
afterEach(() => void vi.clearAllMocks())

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
