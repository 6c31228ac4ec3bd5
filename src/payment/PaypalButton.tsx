import { Spinner } from '../ui/Spinner.tsx'

interface Props {
  /** H-02: what stands beside PayPal's mark, where the law wants words on a button that orders. */
  label?: string | undefined
  /** A payment is in progress: presses are ignored. */
  busy: boolean
  /** The payment in progress is by PayPal. */
  turning?: boolean
  onClick: () => void
}

/** The PayPal button in PayPal's colours. Nothing of PayPal loads before it is pressed. */
export function PaypalButton({ label, busy, turning = busy, onClick }: Props) {
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
        <>
          {label && <span className="paypal-words">{label} </span>}
          <span className="paypal-mark">
            <span>Pay</span>
            <span>Pal</span>
          </span>
        </>
      )}
    </button>
  )
}
