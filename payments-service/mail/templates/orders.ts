/** Letters about buying: what was paid, what follows, and the link back to an unfinished order. */
import { product } from '../../../contract/catalogue.ts'
import { methodWords } from '../../../contract/paid-with.ts'
import { everyWords, ORDERED_PERIOD } from '../../../contract/period.ts'
import { productWords } from '../../../contract/product-words.ts'
import { isLastBefore, type Terms } from '../../../contract/terms.ts'
import {
  button,
  day,
  greetingName,
  heading,
  listed,
  money,
  paragraph,
  quiet,
  type Block,
  type Letter,
} from '../letter.ts'
import type { AbandonedCheckout, AddOnReceipt, OneTimeReceipt, OrderConfirmation } from '../mail.ts'
import {
  addOnRows,
  chargesToCome,
  endBlocks,
  howLong,
  howToCancel,
  moneyBackWords,
  PAUSED,
  requiredTerms,
  sum,
  taxBlocks,
  undoBlocks,
  yourMethod,
  type Setting,
} from './words.ts'

/** A receipt that is sent late is about what was paid, not about what is open. */
const CLOSED = 'What you ordered is closed again by now. A mail of its own says why.'

/** A-06, H-01, A-03: what was bought, everything that will be charged, how to cancel, and how to begin. */
export function orderConfirmation(data: OrderConfirmation, { identity, now }: Setting): Letter {
  const agreed = requiredTerms(data.productId, data.paidAt)
  const { next } = data
  const terms = next ? { ...agreed, firstCharge: next.amount, firstChargeAt: new Date(next.at) } : agreed
  const nothing =
    next !== null ? null : data.paused ? PAUSED : 'Nothing more is charged: your subscription does not renew.'
  const name = greetingName(data.name)
  const total = data.paid + sum(data.addOns)
  const start: Block[] = data.closed
    ? [paragraph(CLOSED)]
    : data.accountUrl
      ? [
          paragraph('One step is left: choose a password, and the programme opens.'),
          button('Create your account', data.accountUrl),
        ]
      : [
          paragraph('Your programme is open. The first session takes five minutes.'),
          button('Open the programme', data.appUrl),
        ]
  return {
    subject: `Your order: ${productWords(data.productId)}, ${money(total)} paid`,
    preview:
      nothing ?? `${money(terms.firstCharge)} on ${day(terms.firstChargeAt, data.timeZone)}, unless you cancel before.`,
    heading: name ? `Thank you, ${name}` : 'Thank you for your order',
    blocks: [
      ...start,
      heading('What you paid'),
      {
        type: 'facts',
        rows: [
          { label: productWords(data.productId), detail: identity.productName, value: money(data.paid) },
          ...addOnRows(data.addOns),
        ],
        total: {
          label: 'Paid in all',
          detail: `${day(data.paidAt, data.timeZone)}, ${methodWords(data.paidWith)}`,
          value: money(total),
        },
      },
      ...taxBlocks(data.tax),
      ...undoBlocks(data.addOns, data.undoUntil, data.timeZone, now),
      heading('What will be charged next'),
      ...(nothing ? [paragraph(nothing)] : renewals(data, terms)),
      ...(data.closed ? [] : [moneyBackWords(identity)]),
    ],
    because:
      `You receive this mail because an order was placed with your address. Keep it: it holds the terms you ` +
      `agreed to.`,
  }
}

/** Everything that is charged after the order, until when, and how to stop it. */
function renewals({ next, timeZone, paidWith, cancelUrl }: OrderConfirmation, terms: Terms): Block[] {
  const { firstCharge, firstChargeAt } = terms
  const period = next?.period ?? ORDERED_PERIOD
  const later = { ...next, timeZone }
  const once = next?.endsAt ? isLastBefore(next.endsAt, next.at, period) : false
  const price = money(once ? firstCharge : (next?.price ?? firstCharge))
  return [
    chargesToCome(terms, period, later),
    paragraph(
      `Your subscription renews by itself${once ? ' once' : ''}: ${price} is charged to ${yourMethod(paidWith)} ` +
        `${once ? 'on that day' : `${everyWords(period)} ${howLong(later)}`}. All amounts are in US dollars.`,
    ),
    ...endBlocks(later),
    howToCancel(cancelUrl, firstChargeAt, timeZone),
  ]
}

/** A-06, H-05. */
export function addOnReceipt(data: AddOnReceipt, { now }: Setting): Letter {
  const names = data.items.map(({ productId }) => productWords(productId))
  return {
    subject: `Your receipt: ${names.length === 1 ? names[0] : `${names.length} add-ons`}, ${money(sum(data.items))}`,
    preview: data.closed ? CLOSED : `${listed(names)}: yours for life.`,
    heading: 'Added to your programme',
    blocks: [
      paragraph(
        data.closed
          ? CLOSED
          : names.length === 1
            ? 'It is open in your account now.'
            : 'They are open in your account now.',
      ),
      {
        type: 'facts',
        rows: addOnRows(data.items),
        total: {
          label: 'Paid in all',
          detail: `${day(data.paidAt, data.timeZone)}, ${methodWords(data.paidWith)}`,
          value: money(sum(data.items)),
        },
      },
      ...taxBlocks(data.tax),
      ...(data.closed ? [] : [button('Open your guides', data.appUrl)]),
      ...undoBlocks(data.items, data.undoUntil, data.timeZone, now),
      quiet('This was paid once. It does not renew and changes nothing about your subscription.'),
    ],
    because: 'You receive this mail because you added this to your order.',
  }
}

/** Products that are paid once and are separate from the programme (X-03). */
export function oneTimeReceipt(data: OneTimeReceipt): Letter {
  return {
    subject: `Your receipt: ${productWords(data.productId)}, ${money(data.paid)}`,
    preview: 'Paid once. It does not renew.',
    heading: 'Thank you for your order',
    blocks: [
      {
        type: 'facts',
        rows: [
          { label: productWords(data.productId), detail: 'One-time payment, does not renew', value: money(data.paid) },
        ],
        total: {
          label: 'Paid in all',
          detail: `${day(data.paidAt, data.timeZone)}, ${methodWords(data.paidWith)}`,
          value: money(data.paid),
        },
      },
      ...taxBlocks(data.tax),
      button('Open your order', data.openUrl),
      quiet('This link opens it in one browser, once, within 30 days. In your account it stays open for good.'),
      ...(data.accountUrl ? [button('Create your account', data.accountUrl)] : []),
    ],
    because: 'You receive this mail because an order was placed with your address.',
  }
}

/** C-11: one reminder, only with consent to marketing, with the full terms and one click to stop. */
export function abandonedCheckout(data: AbandonedCheckout, { identity, now }: Setting): Letter {
  const { kind, price } = product(data.productId)
  const terms = requiredTerms(data.productId, now.toISOString())
  const until = kind === 'trial' ? 'the trial ends' : 'the first month ends'
  return {
    subject: 'Go on where you stopped',
    preview: 'You left before the last page. Continue whenever it suits you.',
    heading: 'Go on where you stopped',
    blocks: [
      paragraph(
        `You answered our questions and left before the last page. ${identity.productName} is ready when you ` +
          `are: five minutes a day, with audio to guide you.`,
      ),
      button('Continue', data.resumeUrl),
      heading('What it costs'),
      {
        type: 'facts',
        rows: [
          { label: productWords(data.productId), detail: 'Charged when you order', value: money(price) },
          {
            label: `When ${until}, then every ${terms.everyDays} days`,
            detail: 'Until you cancel, online, at any time',
            value: money(terms.firstCharge),
          },
        ],
      },
      quiet(
        `The link works until ${day(data.expiresAt, data.timeZone)}. If you are not interested, there is ` +
          `nothing to do: we send this reminder once.`,
      ),
    ],
    because: 'You receive this mail because you gave us your address and agreed to reminders and offers.',
    unsubscribeUrl: data.unsubscribeUrl,
  }
}
