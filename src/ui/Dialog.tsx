import { useEffect, useId, useLayoutEffect, useRef, type MouseEvent, type ReactNode } from 'react'
import './dialog.css'

interface Props {
  open: boolean
  title: string
  children: ReactNode
  onClose: () => void
  /** False while something is under way that must not be cut off (a payment). */
  closable?: boolean
}

/**
 * The longest pause within a double click: its second click is meant for the control that opened the dialog, not the
 * backdrop.
 */
const DOUBLE_CLICK_MS = 500

/**
 * A modal on the native element: the focus stays inside and returns by itself. Escape closes it, and so does a press
 * that begins and ends on the backdrop.
 */
export function Dialog({ open, title, children, onClose, closable = true }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const openedAt = useRef(0)
  const pressed = useRef(false)

  useEffect(() => {
    const element = dialog.current
    if (!element) return
    if (open && !element.open) {
      element.showModal()
      openedAt.current = performance.now()
    }
    if (!open && element.open) element.close()
  }, [open])
  useLayoutEffect(() => {
    const element = dialog.current
    // a dialog removed while open returns the focus only if it is closed first
    return () => element?.close()
  }, [])

  function isBeside(event: MouseEvent): boolean {
    if (event.target !== dialog.current) return false
    const box = dialog.current.getBoundingClientRect()
    const { clientX: x, clientY: y } = event
    return x < box.left || x > box.right || y < box.top || y > box.bottom
  }

  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        // a file input inside bubbles its own cancel
        if (event.target !== dialog.current) return
        event.preventDefault()
        if (closable) onClose()
      }}
      onMouseDown={(event) => {
        pressed.current = isBeside(event) && event.timeStamp - openedAt.current > DOUBLE_CLICK_MS
      }}
      onClick={(event) => {
        if (pressed.current && closable && isBeside(event)) onClose()
        pressed.current = false
      }}
      onClose={() => {
        // the event comes later than the closing: the dialog may be open again
        if (!open || dialog.current?.open) return
        if (closable) onClose()
        // browsers let a repeated Escape or Back close it whatever `cancel` was answered
        else dialog.current?.showModal()
      }}
    >
      {open && (
        <>
          <div className="dialog-head">
            <h2 id={id}>{title}</h2>
            {closable && (
              <button type="button" className="dialog-close" aria-label="Close" onClick={onClose}>
                <svg
                  viewBox="0 0 20 20"
                  stroke="currentColor"
                  strokeWidth="2.2"
                  strokeLinecap="round"
                  aria-hidden="true"
                >
                  <path d="M4 4l12 12M16 4 4 16" />
                </svg>
              </button>
            )}
          </div>
          {children}
        </>
      )}
    </dialog>
  )
}
