/** Letters about a subscription: before it charges, when it has, when it could not, and when it ends. */
import { product } from '../../../contract/catalogue.ts'
import { button, day, link, money, moment, paragraph, quiet, shortDay, strong, type Letter } from '../letter.ts'
import type {
  AlreadySubscribed,
  CancellationConfirmed,
  CancellationUndone,
  FreshCancelLink,
  PaymentFailed,
  PriceChanged,
  RenewalReceipt,
  TrialEnds,
} from '../mail.ts'
import { keptBlocks, methodWords, yourMethod } from './words.ts'

const ABOUT_SUBSCRIPTION = 'You receive this mail because it is about your subscription.'

/** date and amount, sent while there is time to cancel (schedule.ts). */
export function trialEnds(data: TrialEnds): Letter {
  const period = product(data.productId).kind === 'trial' ? 'trial' : 'first month'
  const on = day(data.chargeAt, data.timeZone)
  return {
    subject:
      `Your ${period} ends on ${shortDay(data.chargeAt, data.timeZone)}: ${money(data.amount)} follows unless ` +
      `you cancel`,
    preview: `Cancel before ${on} and you will not be charged.`,
    heading: `Your ${period} ends on ${shortDay(data.chargeAt, data.timeZone)}`,
    blocks: [
      paragraph('This is a reminder, so that no charge surprises you.'),
      {
        type: 'facts',
        rows: [
          { label: on, detail: `Charged to ${yourMethod(data.paidWith)}`, value: money(data.amount) },
          { label: `Every ${data.everyDays} days after that`, detail: 'Until you cancel', value: money(data.amount) },
        ],
      },
      {
        type: 'notice',
        title: 'Not for you?',
        line: [
          link('Cancel your subscription', data.cancelUrl),
          ` before ${moment(data.chargeAt, data.timeZone)} and nothing more is charged. What you have paid ` +
            `for stays open to its end.`,
        ],
      },
      paragraph('Would you like to stay? Then there is nothing to do.'),
      button('Open today’s session', data.appUrl),
    ],
    because: ABOUT_SUBSCRIPTION,
  }
}

/** H-01: the old price, the new one, from when it holds, what the next charge is, and the way out. */
export function priceChanged(data: PriceChanged): Letter {
  const { timeZone } = data
  const [before, now] = [money(data.oldAmount), money(data.newAmount)]
  const on = day(data.nextChargeAt, timeZone)
  const other = data.nextAmount === data.newAmount ? '' : '. What is taken off or added is counted in'
  return {
    subject: `Your subscription costs ${now} from ${shortDay(data.fromAt, timeZone)} on, not ${before}`,
    preview: `Cancel before ${on} and you will not be charged.`,
    heading: 'The price of your subscription changes',
    blocks: [
      paragraph(`It has been ${before} until now. From ${day(data.fromAt, timeZone)} on it is `, strong(now), '.'),
      {
        type: 'facts',
        rows: [
          { label: 'Price until now', value: before },
          { label: 'New price', detail: `From ${shortDay(data.fromAt, timeZone)} on`, value: now },
          {
            label: 'Next charge',
            detail: `${on}, charged to ${yourMethod(data.paidWith)}${other}`,
            value: money(data.nextAmount),
          },
        ],
      },
      {
        type: 'notice',
        title: 'Not for you?',
        line: [
          link('Cancel your subscription', data.cancelUrl),
          ` and confirm once, before ${moment(data.nextChargeAt, timeZone)}, and nothing more is charged. What you ` +
            `have paid for stays open to its end.`,
        ],
      },
      paragraph('Would you like to stay? Then there is nothing to do.'),
    ],
    because: ABOUT_SUBSCRIPTION,
  }
}

export function renewalReceipt(data: RenewalReceipt): Letter {
  const { nextAmount, nextChargeAt } = data
  const next =
    nextAmount === null || !nextChargeAt ? null : { amount: money(nextAmount), on: day(nextChargeAt, data.timeZone) }
  return {
    subject: `Your receipt: ${money(data.amount)}, paid on ${shortDay(data.paidAt, data.timeZone)}`,
    preview: next ? `Next charge: ${next.amount} on ${next.on}.` : 'Nothing more is charged.',
    heading: next ? 'Your subscription has renewed' : 'Your receipt',
    blocks: [
      {
        type: 'facts',
        rows: [
          {
            label: 'Paid',
            detail: `${day(data.paidAt, data.timeZone)}, ${methodWords(data.paidWith)}`,
            value: money(data.amount),
          },
          next
            ? { label: 'Next charge', detail: next.on, value: next.amount }
            : { label: 'Next charge', detail: 'Nothing more is charged', value: 'None' },
        ],
      },
      ...(data.invoiceUrl ? [button('See the invoice', data.invoiceUrl)] : []),
      ...(next
        ? [
            {
              type: 'notice' as const,
              title: 'Want to stop?',
              line: [
                link('Cancel your subscription', data.cancelUrl),
                ` before ${next.on}, and you keep access to the end of what is paid.`,
              ],
            },
          ]
        : []),
    ],
    because: ABOUT_SUBSCRIPTION,
  }
}

/** A-06 and dunning: one mail after each failure, with the next try as Stripe plans it. */
export function paymentFailed(data: PaymentFailed): Letter {
  const next = data.nextTryAt ? day(data.nextTryAt, data.timeZone) : null
  const open = next
    ? `Everything stays open until we try again on ${next}.`
    : 'We do not try again by ourselves. Please pay with another card to keep your programme open.'
  return {
    subject: `Your payment of ${money(data.amount)} did not go through`,
    preview: open,
    heading: 'Your payment did not go through',
    blocks: [
      paragraph(
        `We could not charge ${money(data.amount)} to ${yourMethod(data.paidWith)}. That happens when a card ` +
          `has expired, or a bank says no. `,
        strong(open),
      ),
      ...(next
        ? [{ type: 'facts' as const, rows: [{ label: 'Next try', detail: next, value: money(data.amount) }] }]
        : []),
      paragraph('With another card it is done in a minute:'),
      button('Update how you pay', data.updateUrl),
      ...(next ? [paragraph('If the card is fine again by then, there is nothing to do.')] : []),
      quiet('Would you rather stop? ', link('Cancel your subscription', data.cancelUrl), '.'),
    ],
    because: ABOUT_SUBSCRIPTION,
  }
}

export function cancellationConfirmed(data: CancellationConfirmed): Letter {
  const until = moment(data.accessUntil, data.timeZone)
  return {
    subject: 'Your subscription is cancelled',
    preview: `No further charge. Access until ${day(data.accessUntil, data.timeZone)}.`,
    heading: 'Your subscription is cancelled',
    blocks: [
      paragraph(strong('You will not be charged again.')),
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
      paragraph(`Changed your mind? Until ${until} you can take the cancellation back.`),
      button('Keep my subscription', data.undoUrl),
    ],
    because: 'You receive this mail because you cancelled. Keep it: it is your confirmation.',
  }
}

export function cancellationUndone(data: CancellationUndone): Letter {
  const { amount, nextChargeAt } = data
  const next = amount === null || !nextChargeAt ? null : { amount: money(amount), on: day(nextChargeAt, data.timeZone) }
  return {
    subject: 'Your subscription continues',
    preview: next ? `Next charge: ${next.amount} on ${next.on}.` : 'Charges are paused.',
    heading: 'Your subscription continues',
    blocks: [
      paragraph(`You took the cancellation back. Everything stays open.${next ? '' : ' Charges are paused for now.'}`),
      ...(next
        ? [
            {
              type: 'facts' as const,
              rows: [
                { label: next.on, detail: 'Next charge', value: next.amount },
                { label: `Every ${data.everyDays} days after that`, detail: 'Until you cancel', value: next.amount },
              ],
            },
          ]
        : []),
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
  const charge =
    data.nextChargeAt && typeof data.amount === 'number'
      ? [paragraph(`The next charge would be ${money(data.amount)} on ${day(data.nextChargeAt, data.timeZone)}.`)]
      : []
  return {
    subject: 'Your link to cancel',
    preview: 'Open it and confirm once.',
    heading: 'Your link to cancel',
    blocks: [
      paragraph('The link you opened had expired. Here is a fresh one: open it and confirm once.'),
      button('Cancel your subscription', data.cancelUrl),
      ...charge,
      quiet(`The link works until ${moment(data.expiresAt, data.timeZone)}. Nothing changes unless you confirm.`),
    ],
    because: 'You receive this mail because an expired link from one of our mails was opened.',
  }
}

/** P-14: somebody begins to order with the address of a subscription. */
export function alreadySubscribed(data: AlreadySubscribed): Letter {
  return {
    subject: 'You have a subscription already',
    preview: 'An order was begun with your address. You need no second one.',
    heading: 'You have a subscription already',
    blocks: [
      paragraph(
        'Somebody has just begun to order with your e-mail address. Your subscription runs, so you need no second one.',
      ),
      paragraph('A payment made for another one would start nothing, and we would refund it by ourselves.'),
      button('Open your account', data.appUrl),
      quiet('If it was not you, there is nothing to do: nobody can charge your card by typing your address.'),
    ],
    because: 'You receive this mail because an order was begun with your address.',
  }
}
