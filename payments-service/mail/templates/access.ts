/** Letters about access: that it ended, and that it is open again. */
import { isAddOnId } from '../../../contract/catalogue.ts'
import { productWords } from '../../../contract/product-words.ts'
import {
  button,
  day,
  greetingName,
  link,
  listed,
  money,
  moment,
  paragraph,
  shortDay,
  strong,
  type Block,
  type Letter,
} from '../letter.ts'
import type { AccessEnded, AccessReopened, PurchaseEnded } from '../mail.ts'
import { charge, endBlocks, keptBlocks, lastBlocks, runningBlocks, type Setting } from './words.ts'

const ABOUT_ACCESS = 'You receive this mail because it is about your access.'

/** `part`: where another subscription of the same address goes on. */
const ENDED: Record<AccessEnded['reason'], { subject: string; line: string; part: string }> = {
  cancelled: {
    subject: 'Your subscription has ended',
    line: 'Your subscription ended as you asked. You will not be charged again.',
    part: 'The subscription that you cancelled has ended.',
  },
  payment_failed: {
    subject: 'Your programme is closed: the payment did not go through',
    line:
      'We could not charge your payment method, so the programme is closed. Once you have paid, it opens again, with ' +
      'your progress as it was.',
    part: 'We could not charge your payment method, so that subscription is closed.',
  },
  refunded: {
    subject: 'Your programme is closed after the refund',
    line:
      'Your payment was refunded, so what it paid for is closed. Your subscription has ended: nothing more is ' +
      'charged.',
    part: 'Your payment was refunded. What it paid for is closed, and the subscription that it began has ended.',
  },
  disputed: {
    subject: 'Your programme is closed: the payment was disputed',
    line:
      'The payment was disputed with the bank and taken back, so what it paid for is closed. Your subscription has ' +
      'ended: nothing more is charged. If that was a mistake, please write to us.',
    part:
      'The payment was disputed with the bank and taken back. What it paid for is closed, and the subscription that ' +
      'it began has ended. If that was a mistake, please write to us.',
  },
}

/** Its buyer did not ask for the end with us: an operator ended it at Stripe, say. */
const UNASKED: (typeof ENDED)['cancelled'] = {
  ...ENDED.cancelled,
  line: 'You will not be charged again.',
  part: 'This subscription has ended.',
}

/** A charge failed and Stripe ended the subscription with it: only a new order opens the programme. */
const FINAL: (typeof ENDED)['payment_failed'] = {
  ...ENDED.payment_failed,
  line:
    'We could not charge your payment method, so your subscription has ended. Nothing more is charged. To come back, ' +
    'please order again.',
}

function endedWords({ reason, asked, final }: AccessEnded): (typeof ENDED)['cancelled'] {
  if (final) return FINAL
  return reason === 'cancelled' && !asked ? UNASKED : ENDED[reason]
}

export function accessEnded(data: AccessEnded, _setting: Setting): Letter {
  const { line, part, ...whole } = endedWords(data)
  const name = greetingName(data.name)
  const subject = data.running ? 'One of your subscriptions has ended' : whole.subject
  return {
    subject,
    preview: `Closed on ${day(data.endedAt, data.timeZone)}.`,
    heading: data.asked && name && !data.running ? `Goodbye for now, ${name}` : subject,
    blocks: [
      paragraph(data.running || data.last ? part : line),
      ...(data.last ? lastBlocks(data.last, data.timeZone) : []),
      ...(data.dropped
        ? [paragraph(`The ${money(data.dropped)} for the period that had just begun is not charged.`)]
        : []),
      closedOn(data),
      ...runningBlocks(data),
      ...keptBlocks(data.keptAddOns),
      button(
        data.reason === 'payment_failed' && !data.final ? 'Pay and open it again' : 'Open your account',
        data.returnUrl,
      ),
    ],
    because: ABOUT_ACCESS,
  }
}

function closedOn({ endedAt, timeZone }: Pick<AccessEnded, 'endedAt' | 'timeZone'>): Block {
  return {
    type: 'facts',
    rows: [{ label: 'Closed on', value: shortDay(endedAt, timeZone), detail: moment(endedAt, timeZone) }],
  }
}

/** P-12: which purchase is closed, why, that it costs nothing more, and whom to ask. */
export function purchaseEnded(data: PurchaseEnded, { identity }: Setting): Letter {
  const what = productWords(data.productId)
  return {
    subject: `${what} is closed: the payment was disputed`,
    preview: `Closed on ${day(data.endedAt, data.timeZone)}.`,
    heading: `${what} is closed`,
    blocks: [
      paragraph(
        `You paid ${money(data.amount)} for ${what} on ${day(data.paidAt, data.timeZone)}. That payment was disputed ` +
          'with the bank and taken back, so what it paid for is closed.',
      ),
      paragraph(strong('It was paid once: we charge you nothing more for it.')),
      closedOn(data),
      ...keptBlocks(data.keptAddOns),
      paragraph(`If the dispute was a mistake, or you have a question, please write to ${identity.contactEmail}.`),
      button('Open your account', data.appUrl),
    ],
    because: ABOUT_ACCESS,
  }
}

/** P-12: what is open again, until when, and what is charged next. */
export function accessReopened(data: AccessReopened): Letter {
  const { next, openUntil, timeZone } = data
  const forLife = data.productIds.filter(isAddOnId).map(productWords)
  const programme = data.productIds.some((id) => !isAddOnId(id))
  const charged = next ? `Next charge: ${money(next.amount)} on ${day(next.at, timeZone)}.` : 'Nothing more is charged.'
  return {
    subject: 'What you paid for is open again',
    preview: charged,
    heading: 'What you paid for is open again',
    blocks: [
      paragraph(
        data.refund
          ? 'The refund of your payment was cancelled before it arrived: the payment stands. What was closed is open.'
          : 'Your bank has decided again about the payment that was disputed, and it stands. What was closed is open.',
      ),
      ...(programme
        ? [
            paragraph(
              openUntil
                ? `Your programme is open until ${moment(openUntil, timeZone)}, with your progress as it was.`
                : 'Your programme is open, with your progress as it was.',
            ),
          ]
        : []),
      ...(forLife.length > 0 ? [paragraph(`${listed(forLife)}: open for life.`)] : []),
      ...chargeBlocks(data, charged),
      button('Open your account', data.appUrl),
    ],
    because: ABOUT_ACCESS,
  }
}

function chargeBlocks(data: AccessReopened, charged: string): Block[] {
  const { next, openUntil, cancelUrl, timeZone } = data
  if (!next)
    return [paragraph(strong(charged), openUntil ? ' The subscription has ended and does not begin again.' : '')]
  const facts: Block[] = [charge('Next charge', next, timeZone), ...endBlocks(data)]
  if (!cancelUrl) return facts
  return [...facts, { type: 'notice', title: 'Not for you?', line: [link('Cancel your subscription', cancelUrl), '.'] }]
}
