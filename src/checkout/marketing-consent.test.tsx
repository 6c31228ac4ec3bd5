import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { FunnelSettings } from '../funnel/page-settings.ts'
import { useMarketingConsent } from './useMarketingConsent.ts'

/** What the hook's states hold, in their order. */
const states = vi.hoisted((): unknown[] => [])
vi.mock('react', async (original) => ({
  ...(await original<object>()),
  useState: () => [states.shift(), () => undefined],
}))

/** The box as the order gets it, where it came ticked or not and the visitor has chosen that since. */
function boxOf(preticked: boolean, chosen: boolean | null) {
  states.push(preticked, chosen)
  const held: ReturnType<typeof useMarketingConsent>[0][] = []
  function Page() {
    held.push(useMarketingConsent({} as FunnelSettings)[0])
    return null
  }
  renderToStaticMarkup(<Page />)
  return held[0]
}

test('C-11 a box that is left or unticked was ticked in advance; one that is ticked again was ticked by hand', () => {
  expect(boxOf(true, null)).toEqual({ granted: true, preticked: true })
  expect(boxOf(true, false)).toEqual({ granted: false, preticked: true })
  expect(boxOf(true, true)).toEqual({ granted: true, preticked: false })
  expect(boxOf(false, true)).toEqual({ granted: true, preticked: false })
})
