import { Notice } from '../ui/Notice.tsx'
import type { cutShort } from './picks.ts'
import { cutShortText } from './upsell-text.ts'

/** U-08: an order interrupted by a reload or a closed tab: what it achieved, and that the rest is not charged. */
export function CutShortNotice({ cut }: { cut: NonNullable<ReturnType<typeof cutShort>> }) {
  return (
    <Notice tone="info" title={cutShortText(cut)} live="polite">
      <p>
        {cut.done > 0 ? 'What you own is marked below. ' : ''}The rest was not charged: add it now, change it, or skip.
      </p>
    </Notice>
  )
}
