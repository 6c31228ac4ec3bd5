/** Letters about cancelling: the link to it, its confirmation, and its reversal. */
import { button, day, link, money, moment, paragraph, quiet, shortDay, strong, type Letter } from '../letter.ts'
import type { CancellationConfirmed, CancellationUndone, FreshCancelLink } from '../mail.ts'
import { ABOUT_SUBSCRIPTION, endBlocks, keptBlocks, lastBlocks, laterRows, runningBlocks } from './words.ts'

export function cancellationConfirmed(data: CancellationConfirmed): Letter {
  const until = moment(data.accessUntil, data.timeZone)
  const { last } = data
  const over = !data.running && !last
  const ends = last ? lastBlocks(last, data.timeZone) : [paragraph(strong('You will not be charged again.'))]
  return {
    subject: 'Your subscription is cancelled',
    preview: `${over ? 'No further charge. ' : ''}Access until ${day(data.accessUntil, data.timeZone)}.`,
    heading: 'Your subscription is cancelled',
    blocks: [
      ...(data.running && !last ? [] : ends),
      ...runningBlocks(data),
      {
        type: 'facts',
        rows: [
          {
            label: 'Cancelled',
            value: shortDay(data.canceledAt, data.timeZone),
            detail: moment(data.canceledAt, data.timeZone),
          },
          { label: 'Access until', value: shortDay(data.accessUntil, data.timeZone), detail: until },
        ],
      },
      ...keptBlocks(data.keptAddOns),
      ...(data.over
        ? []
        : [
            paragraph(`Changed your mind? Until ${until} you can take the cancellation back.`),
            button('Keep my subscription', data.undoUrl),
          ]),
    ],
    because: 'You receive this mail because you cancelled. Keep it: it is your confirmation.',
  }
}

export function cancellationUndone(data: CancellationUndone): Letter {
  const { amount, nextChargeAt, owed } = data
  const next =
    amount === null || !nextChargeAt
      ? null
      : { charge: { amount, at: nextChargeAt }, amount: money(amount), on: day(nextChargeAt, data.timeZone) }
  const unpaid = owed ? `A payment of ${money(owed.amount)} is still open.` : null
  const open = next ? 'Everything stays open.' : 'Everything stays open. Charges are paused for now.'
  return {
    subject: 'Your subscription continues',
    preview: unpaid ?? (next ? `Next charge: ${next.amount} on ${next.on}.` : 'Charges are paused.'),
    heading: 'Your subscription continues',
    blocks: [
      paragraph(`You took the cancellation back. ${unpaid ?? open}`),
      ...(next
        ? [
            {
              type: 'facts' as const,
              rows: [
                { label: next.on, detail: owed ? 'Next try' : 'Next charge', value: next.amount },
                ...(owed ? [] : laterRows(data.period, next.charge, data)),
              ],
            },
            ...endBlocks(data),
          ]
        : []),
      ...(owed ? [button(`Pay ${money(owed.amount)} now`, owed.updateUrl)] : []),
      {
        type: 'notice',
        title: 'Was that not you, or a mistake?',
        line: [link('Cancel your subscription', data.cancelUrl), ' and confirm once.'],
      },
    ],
    because: ABOUT_SUBSCRIPTION,
  }
}

/** H-04: an expired cancel link mails a fresh one. */
export function freshCancelLink(data: FreshCancelLink): Letter {
  if (data.freshFor && data.withdrawUrl) return freshWithdrawLink(data.withdrawUrl)
  const until = data.expiresAt ? `The link works until ${moment(data.expiresAt, data.timeZone)}. ` : ''
  const charge =
    data.nextChargeAt && typeof data.amount === 'number'
      ? [paragraph(`The next charge would be ${money(data.amount)} on ${day(data.nextChargeAt, data.timeZone)}.`)]
      : []
  return {
    subject: 'Your link to cancel',
    preview: 'Open it and confirm once.',
    heading: 'Your link to cancel',
    blocks: [
      paragraph(
        data.corrected
          ? 'The address of your order was corrected, so the links in earlier mails no longer work. '
          : 'The link you opened had expired. ',
        'Here is a fresh one: open it and confirm once.',
      ),
      button('Cancel your subscription', data.cancelUrl),
      ...charge,
      quiet(`${until}Nothing changes unless you confirm.`),
    ],
    because: data.corrected
      ? 'You receive this mail because this is now the address of your order.'
      : 'You receive this mail because an expired link from one of our mails was opened.',
  }
}

/** H-02, H-04: the same in place of an expired link that withdraws. */
function freshWithdrawLink(withdrawUrl: string): Letter {
  return {
    subject: 'Your link to withdraw',
    preview: 'Open it and confirm once.',
    heading: 'Your link to withdraw',
    blocks: [
      paragraph('The link you opened had expired. Here is a fresh one: open it and confirm once.'),
      paragraph('Where we have your withdrawal already, it shows what became of it.'),
      button('Withdraw from the contract', withdrawUrl),
      quiet('Nothing changes unless you confirm.'),
    ],
    because: 'You receive this mail because an expired link from one of our mails was opened.',
  }
}
