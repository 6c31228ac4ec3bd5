import { Button } from './Button.tsx'
import { Notice } from './Notice.tsx'

/** The service does not answer: say so, offer another try. Whether something was charged before is not known here. */
export function Unreachable({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="stack">
      <Notice tone="danger" title="We cannot reach our service right now." live="assertive">
        <p>Nothing is lost. Please check your internet connection and try again.</p>
      </Notice>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}
