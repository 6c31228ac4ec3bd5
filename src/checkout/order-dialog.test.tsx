import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SessionView } from '../../contract/api.ts'
import { useOrderDialog } from './useOrderDialog.ts'

const OFFER = '/special-offer-intro/one'
/** Ends what the closing reports. */
let reported: () => void
vi.mock('./track.ts', () => ({ track: () => new Promise<void>((done) => (reported = done)) }))
vi.mock('./exit-intent.ts', () => ({ exitIntentTarget: () => OFFER }))

const assign = vi.fn()
beforeEach(() => {
  vi.stubGlobal('location', { assign })
})
afterEach(() => {
  vi.unstubAllGlobals()
  assign.mockClear()
})

/** The dialog as a page gets it; what is drawn plays no part. */
function dialogOf(): ReturnType<typeof useOrderDialog> {
  const held: ReturnType<typeof useOrderDialog>[] = []
  function Page() {
    held.push(useOrderDialog({ sessionId: 'one' } as SessionView, 'trial_1'))
    return null
  }
  renderToStaticMarkup(<Page />)
  const [dialog] = held
  if (!dialog) throw new Error('the page was not drawn')
  return dialog
}

test('C-12 C-15 who has opened the dialog again is not led away from it', async () => {
  const dialog = dialogOf()
  dialog.order()
  dialog.close()
  dialog.order()
  reported()
  await new Promise((done) => setTimeout(done))
  expect(assign).not.toHaveBeenCalled()
})

test('C-15 the offer follows the closing as soon as that is reported', async () => {
  const dialog = dialogOf()
  dialog.order()
  dialog.close()
  expect(assign).not.toHaveBeenCalled()
  reported()
  await vi.waitFor(() => expect(assign.mock.calls).toEqual([[OFFER]]))
})
