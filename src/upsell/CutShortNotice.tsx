import { NEXT_STEPS } from '../payment/failures.ts'
import { Notice } from '../ui/Notice.tsx'
import type { cutShort } from './picks.ts'
import { cutShortText } from './upsell-text.ts'

interface Props {
  cut: NonNullable<ReturnType<typeof cutShort>>
  undecided: boolean
}

/**
 * U-08: an order interrupted by a reload or a closed tab: what it achieved, and that the rest is not charged, unless
 * that is not known yet.
 */
export function CutShortNotice({ cut, undecided }: Props) {
  return (
    <Notice tone="info" title={cutShortText(cut)} live="polite">
      <p>
        {cut.done > 0 ? 'What you own is marked below. ' : ''}
        {undecided ? NEXT_STEPS.unknown : 'The rest was not charged: add it now, change it, or skip.'}
      </p>
    </Notice>
  )
}
