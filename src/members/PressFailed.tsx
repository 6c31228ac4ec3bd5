import { Notice } from '../ui/Notice.tsx'
import type { Failed } from './press.ts'

/** Why a payment failed, and what became of the money. */
export function PressFailed({ failed }: { failed: Failed | null }) {
  if (!failed) return null
  return (
    <Notice tone="danger" title={failed.words} live="assertive">
      <p className="small">{failed.after}</p>
    </Notice>
  )
}
