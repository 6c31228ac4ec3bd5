import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { LostSession } from './LostSession.tsx'

afterEach(() => vi.unstubAllGlobals())

const shown = () => renderToStaticMarkup(<LostSession sessionId="11111111-1111-4111-8111-111111111111" />)

test('C-02 who blocks cookies is told so, although the storage of such a browser throws as well', () => {
  const window = { navigator: { cookieEnabled: true }, localStorage: { getItem: () => null } }
  for (const [name, value] of Object.entries(window)) vi.stubGlobal(name, value)
  expect(shown()).not.toContain('Please allow cookies')
  vi.stubGlobal('navigator', { cookieEnabled: false })
  vi.stubGlobal('localStorage', {
    getItem() {
      throw new Error('SecurityError')
    },
  })
  expect(shown()).toContain('Please allow cookies')
})
