/** Letters about a payment that was one too many and went back by itself (P-14). */
import { methodWords } from '../../../contract/paid-with.ts'
import { productWords } from '../../../contract/product-words.ts'
import { button, day, money, paragraph, quiet, strong, type Block, type Letter } from '../letter.ts'
import type { DuplicateRefunded } from '../mail.ts'
import { BANK_DAYS, CLOSED_UNTIL_PAID } from './words.ts'

const oneBlocks = ({ runs }: DuplicateRefunded): Block[] => (runs ? [quiet('You have one subscription, not two.')] : [])

/** P-14: a first payment under an address that has a subscription: it started nothing and is refunded automatically. */
function refundedBesideAnother(data: DuplicateRefunded): Letter {
  return {
    subject: `You have a subscription already: we refunded ${money(data.amount)}`,
    preview: data.payUrl
      ? 'Nothing was started twice. Your programme opens once the open payment is made.'
      : 'Nothing was started twice. There is nothing to do.',
    heading: 'You have a subscription already, so we refunded this payment',
    blocks: [
      paragraph(
        'An order arrived with your e-mail address, which has the subscription of your earlier order. ' +
          'We started no second one. ',
        strong(data.payUrl ? `Your subscription is ${CLOSED_UNTIL_PAID}` : 'There is nothing to do.'),
      ),
      ...(data.payUrl ? [button('Pay and open it again', data.payUrl)] : []),
      {
        type: 'facts',
        rows: [
          {
            label: productWords(data.productId),
            detail: `Refunded, paid on ${day(data.paidAt, data.timeZone)}, ${methodWords(data.refunded)}`,
            value: money(data.amount),
          },
        ],
      },
      paragraph(BANK_DAYS),
      ...oneBlocks(data),
    ],
    because: 'You receive this mail because an order was made with your address.',
  }
}

/** P-14: two first payments succeeded; the second is refunded automatically. */
export function duplicateRefunded(data: DuplicateRefunded): Letter {
  if (data.elsewhere) return refundedBesideAnother(data)
  return {
    subject: `You paid twice: we refunded ${money(data.amount)}`,
    preview: 'One order, one payment. There is nothing to do.',
    heading: 'You paid twice, so we refunded one payment',
    blocks: [
      paragraph(
        'Two payments arrived for the same order, perhaps from two open pages. We kept the first and sent ' +
          'the second back. ',
        strong('There is nothing to do.'),
      ),
      {
        type: 'facts',
        rows: [
          { label: productWords(data.productId), detail: `Kept, ${methodWords(data.kept)}`, value: 'Paid once' },
          {
            label: 'Refunded',
            detail: `Paid on ${day(data.paidAt, data.timeZone)}, ${methodWords(data.refunded)}`,
            value: money(data.amount),
          },
        ],
      },
      paragraph(BANK_DAYS),
      ...oneBlocks(data),
    ],
    because: 'You receive this mail because two payments were made for one order.',
  }
}
