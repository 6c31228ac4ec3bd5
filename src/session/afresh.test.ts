import { expect, test, vi } from 'vitest'
import { goOnAfresh } from './afresh.ts'
import { keepSessionId, storedSessionId } from './id.ts'
import { local } from './storage.ts'

const OLD = '00000000-0000-4000-8000-000000000001'
const NEW = '00000000-0000-4000-8000-000000000002'

const service = vi.hoisted(() => ({ makes: false }))
vi.mock(import('./queue.ts'), () => ({ tellNewSession: () => Promise.resolve() }) as never)
vi.mock(import('./visit.ts'), () => ({ currentSession: () => Promise.resolve(service.makes ? NEW : null) }) as never)

test('C-02 while no visit can be made in place of the old one, the old one is still held', async () => {
  keepSessionId(local, OLD)
  expect(await goOnAfresh(OLD)).toBeNull()
  expect(storedSessionId(local)).toBe(OLD)
  service.makes = true
  expect(await goOnAfresh(OLD)).toBe(NEW)
  expect(storedSessionId(local)).toBeNull()
})
