import { useEffect, useId, useRef, type ReactNode } from 'react'
import './dialog.css'

interface Props {
  open: boolean
  title: string
  children: ReactNode
  onClose: () => void
  /** False while something is under way that must not be cut off (a payment). */
  closable?: boolean
}

/** A modal on the native element: focus stays inside, Escape and the backdrop close it, the focus returns by itself. */
export function Dialog({ open, title, children, onClose, closable = true }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()

  useEffect(() => {
    const element = dialog.current
    if (!element) return
    if (open && !element.open) element.showModal()
    if (!open && element.open) element.close()
  }, [open])

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
        if (event.target !== dialog.current || !closable) return
        const box = dialog.current.getBoundingClientRect()
        const inside =
          event.clientX >= box.left &&
          event.clientX <= box.right &&
          event.clientY >= box.top &&
          event.clientY <= box.bottom
        if (!inside) onClose()
      }}
      onClose={() => {
        if (open) onClose()
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
