/** Letters about a running subscription: before a charge, after it, and when it failed. */
import { product } from '../../../contract/catalogue.ts'
import { methodWords } from '../../../contract/paid-with.ts'
import { everyWords, samePeriod } from '../../../contract/period.ts'
import { button, day, link, money, moment, paragraph, quiet, shortDay, strong, type Letter } from '../letter.ts'
import type { AlreadySubscribed, PaymentFailed, PriceChanged, RenewalReceipt, TrialEnds } from '../mail.ts'
import {
  ABOUT_SUBSCRIPTION,
  CLOSED_UNTIL_PAID,
  endBlocks,
  everyLabel,
  laterRows,
  PAUSED,
  taxBlocks,
  yourMethod,
} from './words.ts'

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
          ...laterRows(data.period, { amount: data.amount, at: data.chargeAt }, data),
        ],
      },
      ...endBlocks(data),
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

/** H-01: the old price, the new one, each with its period, when it takes effect, the next charge, the cancel link. */
export function priceChanged(data: PriceChanged): Letter {
  const { timeZone, oldPeriod, newPeriod } = data
  const [before, now] = [money(data.oldAmount), money(data.newAmount)]
  const [older, newer] = [`${before} ${everyWords(oldPeriod)}`, `${now} ${everyWords(newPeriod)}`]
  const not = samePeriod(oldPeriod, newPeriod) ? `, not ${before}` : ''
  const on = day(data.nextChargeAt, timeZone)
  const counted = data.nextAmount === data.newAmount ? '' : '. What is taken off or added is counted in'
  return {
    subject: `Your subscription costs ${newer} from ${shortDay(data.fromAt, timeZone)} on${not}`,
    preview: `Cancel before ${on} and nothing more is charged.`,
    heading: 'The price of your subscription changes',
    blocks: [
      paragraph(`It has been ${older} until now. From ${day(data.fromAt, timeZone)} on it is `, strong(newer), '.'),
      {
        type: 'facts',
        rows: [
          { label: 'Price until now', detail: everyLabel(oldPeriod), value: before },
          {
            label: 'New price',
            detail: `${everyLabel(newPeriod)}, from ${shortDay(data.fromAt, timeZone)} on`,
            value: now,
          },
          {
            label: 'Next charge',
            detail: `${on}, charged to ${yourMethod(data.paidWith)}${counted}`,
            value: money(data.nextAmount),
          },
        ],
      },
      ...endBlocks(data),
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
  const nothing = data.paused ? PAUSED : 'Nothing more is charged.'
  return {
    subject: `Your receipt: ${money(data.amount)}, paid on ${shortDay(data.paidAt, data.timeZone)}`,
    preview: next ? `Next charge: ${next.amount} on ${next.on}.` : nothing,
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
            : { label: 'Next charge', detail: nothing, value: 'None' },
        ],
      },
      ...(next ? endBlocks(data) : []),
      ...taxBlocks(data.tax),
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

/** Why a charge fails and what helps, where it was made to a card. */
const CARD = {
  why: 'That happens when a card has expired, or a bank says no.',
  // nothing of a lost or stolen card: whoever reads it may not be its owner
  refused: 'We cannot try this card again. Please pay it with another one to keep your programme open.',
  unconfirmed:
    'Your bank wants you to confirm this payment, so we cannot try it again by ourselves. Please pay it here to ' +
    'keep your programme open.',
  again: 'With the same card once it is fine again, or with another one, it is done in a minute:',
  waits: 'If the card is fine again by then, there is nothing to do.',
}

/** The same for PayPal, where the owner of an account can also end the agreement by which it is charged. */
const PAYPAL: typeof CARD = {
  why: 'That happens when PayPal or a bank says no, or when our agreement with you was ended at PayPal.',
  refused: 'We cannot try your PayPal account again. Please pay it with a card to keep your programme open.',
  unconfirmed:
    'PayPal wants you to confirm this payment, so we cannot try it again by ourselves. Please pay it here to ' +
    'keep your programme open.',
  again: 'With PayPal once it is fine again there, or with a card, it is done in a minute:',
  waits: 'If it is fine again at PayPal by then, there is nothing to do.',
}

/**
 * A-06 and dunning: one mail after each failure, with the next try as Stripe plans it. Where it plans none, it still
 * may: only after a refusal for good a mail says that nothing will be tried.
 */
export function paymentFailed(data: PaymentFailed): Letter {
  const next = data.nextTryAt ? day(data.nextTryAt, data.timeZone) : null
  const { refusedForGood } = data
  const words = data.paidWith?.type === 'paypal' ? PAYPAL : CARD
  const noDay = refusedForGood
    ? words[refusedForGood]
    : 'We may try again by ourselves, but no day is set. Please pay it to keep your programme open.'
  const open = next ? `Everything stays open until we try again on ${next}.` : noDay
  return {
    subject: `Your payment of ${money(data.amount)} did not go through`,
    preview: open,
    heading: 'Your payment did not go through',
    blocks: [
      paragraph(
        `We could not charge ${money(data.amount)} to ${yourMethod(data.paidWith)}. ${words.why} `,
        strong(open),
      ),
      ...(next
        ? [{ type: 'facts' as const, rows: [{ label: 'Next try', detail: next, value: money(data.amount) }] }]
        : []),
      paragraph(refusedForGood ? 'It is done in a minute:' : words.again),
      button(`Pay ${money(data.amount)} now`, data.updateUrl),
      ...(next ? [paragraph(words.waits)] : []),
      quiet('Would you rather stop? ', link('Cancel your subscription', data.cancelUrl), '.'),
    ],
    because: ABOUT_SUBSCRIPTION,
  }
}

/** P-14: someone has begun to order with the address of a subscription. */
export function alreadySubscribed(data: AlreadySubscribed): Letter {
  const stands = data.payUrl
    ? `Your subscription is ${CLOSED_UNTIL_PAID}`
    : 'Your subscription runs, so you need no second one.'
  return {
    subject: 'You have a subscription already',
    preview: 'An order was begun with your address. You need no second one.',
    heading: 'You have a subscription already',
    blocks: [
      paragraph(`Somebody has just begun to order with your e-mail address. ${stands}`),
      paragraph('A payment made for another one would start nothing, and we would refund it by ourselves.'),
      ...(data.payUrl ? [button('Pay and open it again', data.payUrl)] : []),
      data.payUrl ? quiet(link('Open your account', data.appUrl)) : button('Open your account', data.appUrl),
      quiet('If it was not you, there is nothing to do: nobody can charge you by typing your address.'),
    ],
    because: 'You receive this mail because an order was begun with your address.',
  }
}
