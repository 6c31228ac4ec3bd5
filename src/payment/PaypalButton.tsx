import { Spinner } from '../ui/Spinner.tsx'

interface Props {
  /** A payment is in progress: presses are ignored. */
  busy: boolean
  /** The payment in progress is by PayPal. */
  turning?: boolean
  onClick: () => void
}

/** The PayPal button in PayPal's colours. Nothing of PayPal loads before it is pressed. */
export function PaypalButton({ busy, turning = busy, onClick }: Props) {
  return (
    <button
      type="button"
      className="paypal"
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={onClick}
    >
      {turning ? (
        <Spinner label="One moment" />
      ) : (
        <span className="paypal-mark">
          <span>Pay</span>
          <span>Pal</span>
        </span>
      )}
    </button>
  )
}
