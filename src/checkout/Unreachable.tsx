import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'

/** The service does not answer: say so, promise nothing was charged, offer another try. */
export function Unreachable({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="stack">
      <Notice tone="danger" title="We cannot reach our service right now." live="assertive">
        <p>Nothing was charged and nothing is lost. Please check your internet connection and try again.</p>
      </Notice>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}
