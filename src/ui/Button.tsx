import type { ReactNode } from 'react'
import { Spinner } from './Spinner.tsx'
import './button.css'

interface Shared {
  children: ReactNode
  look?: 'primary' | 'quiet' | 'text'
  className?: string
}
interface ButtonProps extends Shared {
  onClick?: () => void
  type?: 'button' | 'submit'
  disabled?: boolean
  /** Work is under way: shows a spinner, keeps the focus and swallows further clicks. */
  busy?: boolean
  /** What a screen reader hears while busy; the visible label stays. */
  busyLabel?: string
  id?: string
}

function classOf({ look = 'primary', className }: Pick<Shared, 'look' | 'className'>): string {
  return ['button', look === 'primary' ? '' : `button-${look}`, className ?? ''].filter(Boolean).join(' ')
}

/** The one button of the site. Disabled is the specified grey; busy never disables, so the focus stays where it is. */
export function Button(props: ButtonProps) {
  const { children, onClick, type = 'button', disabled = false, busy = false, busyLabel = 'One moment', id } = props
  return (
    <button
      id={id}
      type={type}
      className={classOf(props)}
      disabled={disabled}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        // the second click of a double click would act on whatever is there by then
        if (busy || event.detail > 1) event.preventDefault()
        else onClick?.()
      }}
    >
      {busy && <Spinner label={busyLabel} />}
      {children}
    </button>
  )
}

/** A link that looks like a button: it changes the page, works before any script and can be opened in a new tab. */
export function ButtonLink(props: Shared & { href: string; onClick?: (event: React.MouseEvent) => void }) {
  return (
    <a className={classOf(props)} href={props.href} onClick={props.onClick}>
      {props.children}
    </a>
  )
}
