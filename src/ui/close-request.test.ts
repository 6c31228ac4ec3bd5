import { beforeEach, expect, test, vi } from 'vitest'
import { onCloseRequest } from './close-request.ts'

/** A window without CloseWatcher, as Firefox and Safari have it. */
let page: EventTarget
beforeEach(() => {
  page = new EventTarget()
  vi.stubGlobal('window', {})
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
})

const press = (key: string, more: object = {}, prevented = false): void => {
  const event = Object.assign(new Event('keydown', { cancelable: true }), { key, isComposing: false, ...more })
  if (prevented) event.preventDefault()
  page.dispatchEvent(event)
}

test('C-13 Escape asks to close each time it is pressed, until it is ended', () => {
  const ask = vi.fn()
  const end = onCloseRequest(ask)
  press('Escape')
  press('Escape')
  press('Enter')
  expect(ask).toHaveBeenCalledTimes(2)
  end()
  press('Escape')
  expect(ask).toHaveBeenCalledTimes(2)
})

test('C-13 an Escape that puts suggestions away or ends a composition asks for nothing', () => {
  const ask = vi.fn()
  onCloseRequest(ask)
  press('Escape', {}, true)
  press('Escape', { isComposing: true })
  expect(ask).not.toHaveBeenCalled()
})
