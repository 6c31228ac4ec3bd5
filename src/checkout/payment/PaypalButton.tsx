import { Spinner } from '../../ui/Spinner.tsx'

/** The PayPal button in PayPal's colours. Nothing of PayPal loads before it is pressed. */
export function PaypalButton({ busy, onClick }: { busy: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      className="paypal"
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={onClick}
    >
      {busy ? (
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
