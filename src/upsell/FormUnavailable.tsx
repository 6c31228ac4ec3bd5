import { trouble } from '../payment/failures.ts'
import { TroubleNotice } from '../payment/TroubleNotice.tsx'
import { Button } from '../ui/Button.tsx'
import { ReloadButton } from '../ui/ReloadButton.tsx'

/** The payment form could not be loaded: what to do, and the way back. */
export function FormUnavailable({ onCancel }: { onCancel: () => void }) {
  return (
    <div className="step">
      <h1>Complete Your Purchase</h1>
      <TroubleNotice trouble={trouble('system_not_available')} />
      <ReloadButton />
      <Button look="text" onClick={onCancel}>
        Cancel and return to offers
      </Button>
    </div>
  )
}
