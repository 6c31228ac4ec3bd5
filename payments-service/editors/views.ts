import type { ShareView } from '../../contract/api/numbers.ts'
import type { Definition } from '../numbers/definitions.ts'
import { type Share, wilson } from '../numbers/intervals.ts'
import type { Change } from '../numbers/steps.ts'
import type { Revision } from '../numbers/steps.queries.ts'

/** What reports for the Studio are put together from. */

const rounded = (fraction: number): number => Math.round(fraction * 10_000) / 10_000

export function withInterval(share: Share): ShareView {
  const { low, high } = wilson(share)
  return { share: rounded(share.part / share.whole), low: rounded(low), high: rounded(high) }
}

export const revisionView = ({ revision, firstSeen }: Revision) => ({ revision, firstSeen: firstSeen.toISOString() })

export function changeView({ before, after, verdict }: Change) {
  return {
    before: rounded(before.part / before.whole),
    after: rounded(after.part / after.whole),
    visitors: after.whole,
    verdict,
  }
}

export const meanings = (list: readonly Definition[]) => list.map(({ name, means }) => ({ name, means }))
