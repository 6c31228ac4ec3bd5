/** Letters about a subscription: before it charges, when it has, when it could not, and when it ends. */
import { product } from '../../../contract/catalogue.ts'
import {
  button,
  day,
  greetingName,
  link,
  money,
  moment,
  paragraph,
  quiet,
  shortDay,
  strong,
  type Letter,
} from '../letter.ts'
import type {
  AccessEnded,
  CancellationConfirmed,
  CancellationUndone,
  FreshCancelLink,
  PaymentFailed,
  RenewalReceipt,
  TrialEnds,
} from '../mail.ts'
import { keptBlocks, methodWords, yourMethod, type Setting } from './words.ts'

const ABOUT_SUBSCRIPTION = 'You receive this mail because it is about your subscription.'

/** date and amount, sent while there is time to cancel (schedule.ts). */
export function trialEnds(data: TrialEnds): Letter {
  const period = product(data.productId).kind === 'trial' ? 'trial' : 'first month'
  const on = day(data.chargeAt, data.timeZone)
  return {
    subject: `Your ${period} ends on ${shortDay(data.chargeAt, data.timeZone)}: ${money(data.amount)} follows unless you cancel`,
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
          ` before ${moment(data.chargeAt, data.timeZone)} and nothing more is charged. You keep access until then.`,
        ],
      },
      paragraph('Would you like to stay? Then there is nothing to do.'),
      button('Open today’s session', data.appUrl),
    ],
    because: ABOUT_SUBSCRIPTION,
  }
}

export function renewalReceipt(data: RenewalReceipt): Letter {
  return {
    subject: `Your receipt: ${money(data.amount)}, paid on ${shortDay(data.paidAt, data.timeZone)}`,
    preview: `Next charge: ${money(data.nextAmount)} on ${day(data.nextChargeAt, data.timeZone)}.`,
    heading: 'Your subscription has renewed',
    blocks: [
      {
        type: 'facts',
        rows: [
          {
            label: 'Paid',
            detail: `${day(data.paidAt, data.timeZone)}, ${methodWords(data.paidWith)}`,
            value: money(data.amount),
          },
          { label: 'Next charge', detail: day(data.nextChargeAt, data.timeZone), value: money(data.nextAmount) },
        ],
      },
      ...(data.invoiceUrl ? [button('See the invoice', data.invoiceUrl)] : []),
      {
        type: 'notice',
        title: 'Want to stop?',
        line: [
          link('Cancel your subscription', data.cancelUrl),
          ` before ${day(data.nextChargeAt, data.timeZone)}, and you keep access until that day.`,
        ],
      },
    ],
    because: ABOUT_SUBSCRIPTION,
  }
}

/** A-06 and dunning (issue 9): three mails, one after each failure that another try follows. */
export function paymentFailed(data: PaymentFailed): Letter {
  const last = data.attempt === 3
  const next = day(data.nextTryAt, data.timeZone)
  const until = day(data.accessUntil, data.timeZone)
  return {
    subject: last
      ? `Last try on ${shortDay(data.nextTryAt, data.timeZone)}: please update how you pay`
      : `Your payment of ${money(data.amount)} did not go through`,
    preview: `Everything stays open until ${until}.`,
    heading: last ? 'One more try, then your programme closes' : 'Your payment did not go through',
    blocks: [
      paragraph(
        `We could not charge ${money(data.amount)} to ${yourMethod(data.paidWith)}. That happens when a card has expired, or a bank says no. `,
        strong(`Everything stays open until ${until}.`),
      ),
      {
        type: 'facts',
        rows: [{ label: last ? 'Last try' : 'Next try', detail: next, value: money(data.amount) }],
      },
      paragraph('With another card it is done in a minute:'),
      button('Update how you pay', data.updateUrl),
      paragraph(
        last
          ? `If the last try does not work either, the programme closes on ${until}. Once you have paid, it opens again.`
          : 'If the card is fine again by then, there is nothing to do.',
      ),
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
  return {
    subject: 'Your subscription continues',
    preview: `Next charge: ${money(data.amount)} on ${day(data.nextChargeAt, data.timeZone)}.`,
    heading: 'Your subscription continues',
    blocks: [
      paragraph('You took the cancellation back. Everything stays open.'),
      {
        type: 'facts',
        rows: [
          { label: day(data.nextChargeAt, data.timeZone), detail: 'Next charge', value: money(data.amount) },
          { label: `Every ${data.everyDays} days after that`, detail: 'Until you cancel', value: money(data.amount) },
        ],
      },
      {
        type: 'notice',
        title: 'Was that not you, or a mistake?',
        line: [link('Cancel your subscription', data.cancelUrl), ' and confirm once.'],
      },
    ],
    because: ABOUT_SUBSCRIPTION,
  }
}

const ENDED: Record<AccessEnded['reason'], { subject: string; line: string }> = {
  cancelled: {
    subject: 'Your subscription has ended',
    line: 'Your subscription ended as you asked. You will not be charged again.',
  },
  payment_failed: {
    subject: 'Your programme is closed: the payment did not go through',
    line: 'We tried several times and could not charge your payment method, so the programme is closed. Once you have paid, it opens again, with your progress as it was.',
  },
  refunded: {
    subject: 'Your programme is closed after the refund',
    line: 'Your payment was refunded, so what it paid for is closed.',
  },
  disputed: {
    subject: 'Your programme is closed: the payment was disputed',
    line: 'The payment was disputed with the bank and taken back, so what it paid for is closed. If that was a mistake, please write to us.',
  },
}

export function accessEnded(data: AccessEnded, _setting: Setting): Letter {
  const { subject, line } = ENDED[data.reason]
  const name = greetingName(data.name)
  return {
    subject,
    preview: `Closed on ${day(data.endedAt, data.timeZone)}.`,
    heading: data.reason === 'cancelled' && name ? `Goodbye for now, ${name}` : subject,
    blocks: [
      paragraph(line),
      {
        type: 'facts',
        rows: [
          {
            label: 'Closed on',
            value: shortDay(data.endedAt, data.timeZone),
            detail: moment(data.endedAt, data.timeZone),
          },
        ],
      },
      ...keptBlocks(data.keptAddOns),
      button(data.reason === 'payment_failed' ? 'Pay and open it again' : 'Open your account', data.returnUrl),
    ],
    because: 'You receive this mail because it is about your access.',
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
