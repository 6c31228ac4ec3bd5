import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { onCloseRequest } from './close-request.ts'
import './dialog.css'

interface Props {
  title: string
  children: ReactNode
  onClose: () => void
  /** False while something is under way that must not be cut off (a payment). */
  closable?: boolean
}

/**
 * The longest pause within a double click: its second click is meant for the control that opened the dialog, not for
 * what lies beside the dialog.
 */
const DOUBLE_CLICK_MS = 500

/**
 * A modal: the rest of the page is inert, and the focus returns to where it was. Escape closes it, and so does a press
 * that begins and ends beside it. It stays out of the browser's top layer: Stripe.js adds the bank's 3-D Secure to the
 * page, where `showModal()` would cover it and make it inert (github.com/stripe/stripe-js/issues/599).
 */
export function Dialog({ title, children, onClose, closable = true }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [openedAt] = useState(() => performance.now())
  const pressed = useRef(false)

  useLayoutEffect(() => {
    const element = dialog.current
    const opener = document.activeElement as HTMLElement | null
    element?.show()
    setRestInert(element, true)
    return () => {
      setRestInert(element, false)
      opener?.focus()
    }
  }, [])
  useEffect(
    () =>
      onCloseRequest(() => {
        if (closable) onClose()
      }),
    [closable, onClose],
  )

  return (
    <div
      className="dialog-scrim"
      onMouseDown={({ target, currentTarget, timeStamp }) => {
        pressed.current = target === currentTarget && timeStamp - openedAt > DOUBLE_CLICK_MS
      }}
      onMouseUp={({ target, currentTarget }) => {
        pressed.current &&= target === currentTarget
      }}
      onClick={({ target, currentTarget }) => {
        // a press that no click followed, as of another button, is none for a later click inside
        if (pressed.current && target === currentTarget && closable) onClose()
        pressed.current = false
      }}
    >
      <dialog ref={dialog} className="dialog" aria-labelledby="dialog-title">
        <div className="dialog-head">
          <h2 id="dialog-title">{title}</h2>
          {closable && (
            <button type="button" className="dialog-close" aria-label="Close" onClick={onClose}>
              <svg viewBox="0 0 20 20" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round" aria-hidden="true">
                <path d="M4 4l12 12M16 4 4 16" />
              </svg>
            </button>
          )}
        </div>
        {children}
      </dialog>
    </div>
  )
}

/** Everything beside an element and its ancestors, except frames and what holds them: those in `body` are Stripe's. */
function setRestInert(element: Element | null, inert: boolean): void {
  for (let at = element; at && at !== document.body; at = at.parentElement)
    for (const one of at.parentElement?.children ?? [])
      one.toggleAttribute('inert', inert && one !== at && !one.matches('iframe') && !one.querySelector('iframe'))
}
