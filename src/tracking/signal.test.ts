import { afterEach, expect, test, vi } from 'vitest'
import { PRIVACY_SIGNAL } from '../../contract/consent.ts'
import { keepEvidence } from '../session/evidence.ts'
import { tellSignal } from './consent.ts'

let kept = ''
vi.mock('../session/evidence.ts', async (original) => ({
  ...(await original<object>()),
  keepEvidence: vi.fn((_: unknown, wording: string) => void (kept = wording)),
  isKeptAs: (wording: string) => kept === wording,
}))
afterEach(() => vi.unstubAllGlobals())

test('T-02 a signal that only pages hear is told to the service, once, and never beside a choice', () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null })
  vi.stubGlobal('navigator', {})
  tellSignal()
  expect(keepEvidence).not.toHaveBeenCalled()
  vi.stubGlobal('navigator', { globalPrivacyControl: true })
  stored.set('advertising_consent', 'granted')
  tellSignal()
  expect(keepEvidence).not.toHaveBeenCalled()
  stored.clear()
  for (let page = 0; page < 3; page++) tellSignal()
  expect(vi.mocked(keepEvidence).mock.calls).toEqual([[[{ kind: 'advertising', granted: false }], PRIVACY_SIGNAL]])
})
