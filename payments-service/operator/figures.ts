/** Shares as pages say them: never without how sure they are, and not of fewer than ten visitors (docs/metrics.md). */
import { type Definition, FEWEST } from '../numbers/definitions.ts'
import { type Share, wilson } from '../numbers/intervals.ts'
import type { Change } from '../numbers/steps.ts'
import { html, type Markup } from './html.ts'

export const percent = (part: number, whole: number): string =>
  whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : '–'

/** 18,400 */
export const counted = (count: number): string => count.toLocaleString('en')

export const TOO_FEW = `fewer than ${FEWEST}`

/** 12.3 % (11.0–13.7). */
export function shareWithInterval(share: Share): Markup | string {
  if (share.whole < FEWEST) return TOO_FEW
  const { low, high } = wilson(share)
  return html`${percent(share.part, share.whole)}
    <small class="quiet">(${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)})</small>`
}

/** A rate before and since an edit: 81.0 % → 86.0 %, 1,204 visitors, too few to tell yet. */
export function changeCell(change: Change | undefined): Markup | string {
  if (!change) return '–'
  const { before, after, verdict } = change
  const mark = verdict === 'higher' ? 'good' : verdict === 'lower' ? 'bad' : 'quiet'
  return html`${percent(before.part, before.whole)} → ${percent(after.part, after.whole)}, ${counted(after.whole)}
    visitors, <span class="${mark}">${verdict}</span>`
}

/** What the figures of a page mean, in the words of the one list. */
export function definitions(list: readonly Definition[]): Markup {
  return html`<details>
    <summary>What these numbers mean</summary>
    <dl>
      ${list.map(
        ({ name, means }) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${means}.</dd>
          </div>`,
      )}
    </dl>
  </details>`
}
