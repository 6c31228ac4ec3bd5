import { productWords } from '../../../contract/product-words.ts'
/** Letters about refunds. */
import {
  day,
  listed,
  money,
  moment,
  paragraph,
  quiet,
  shortDay,
  strong,
  type Block,
  type Fact,
  type Letter,
} from '../letter.ts'
import type { MoneyBackDecided, MoneyBackRequested, Refund, RefundFailed, WithdrawalReceived } from '../mail.ts'
import type { Common, Stands } from '../mail.parts.ts'
import { BANK_DAYS, inSentence, runningBlocks, yourMethod, type Setting } from './words.ts'

export function refund(data: Refund): Letter {
  const what = listed(data.productIds.map(productWords))
  const detail = day(data.refundedAt, data.timeZone)
  return {
    subject: `Your refund of ${money(data.amount)}`,
    preview: `On its way to ${yourMethod(data.paidWith)}.`,
    heading: 'Your money is on its way back',
    blocks: [
      paragraph(`We refunded ${money(data.amount)} to ${yourMethod(data.paidWith)}. ${BANK_DAYS}`),
      { type: 'facts', rows: [{ label: what || 'Refund', detail, value: money(data.amount) }] },
      ...(data.tax ? [quiet(`Of this, ${data.tax.name} that goes back: ${money(data.tax.taxAmount)}.`)] : []),
      ...(data.accessEndsAt
        ? [paragraph(`What was refunded is open until ${moment(data.accessEndsAt, data.timeZone)}.`)]
        : [paragraph('Nothing else changes.')]),
    ],
    because: 'You receive this mail because a payment of yours was refunded.',
  }
}

const DISPUTED = 'Your bank holds this payment because it was disputed, and it decides about the money.'
const PERSON = 'One of us is looking for another way now and will write to you within 3 days.'

const NEXT: Record<RefundFailed['next'], (contact: string) => string> = {
  again: () => 'We have sent it once more. You will have a mail from us when the bank has taken it.',
  bank: (contact) => `${DISPUTED} If it decides against you, write to ${contact} and we look at it again.`,
  person: (contact) => `${PERSON} If your card was replaced, you can tell us at ${contact}.`,
}

/** A refund that the bank returned or cannot take. */
export function refundFailed(data: RefundFailed, { identity }: Setting): Letter {
  const what = { label: productWords(data.productId), detail: `Paid on ${day(data.paidAt, data.timeZone)}` }
  return {
    subject: `Your refund of ${money(data.amount)} has not arrived`,
    preview: 'What happens next.',
    heading: 'Your refund has not arrived',
    blocks: [
      paragraph(
        data.next === 'bank'
          ? `We could not refund ${money(data.amount)} to ${yourMethod(data.paidWith)}.`
          : `We sent ${money(data.amount)} to ${yourMethod(data.paidWith)}, and the bank did not accept it.`,
      ),
      { type: 'facts', rows: [{ ...what, value: money(data.amount) }] },
      paragraph(strong('What happens next. '), NEXT[data.next](identity.contactEmail)),
    ],
    because: 'You receive this mail because money of yours has not come back yet.',
  }
}

/** what happens when. */
export function moneyBackRequested(data: MoneyBackRequested): Letter {
  return {
    subject: 'We have your money-back request',
    preview: `You will have an answer by ${day(data.answerBy, data.timeZone)}.`,
    heading: 'We have your request',
    blocks: [
      paragraph('You asked for your money back. Here is what happens now:'),
      {
        type: 'facts',
        rows: [
          {
            label: 'Received',
            value: shortDay(data.requestedAt, data.timeZone),
            detail: moment(data.requestedAt, data.timeZone),
          },
          { label: 'Our answer, at the latest', value: shortDay(data.answerBy, data.timeZone), detail: 'By mail' },
          { label: 'Refund, if granted', value: money(data.amount), detail: 'The way you paid' },
        ],
      },
      paragraph(
        data.closed
          ? 'When it is granted, the money goes back the way you paid.'
          : 'When it is granted, your subscription ends and the programme closes. Until then everything stays open.',
      ),
    ],
    because: 'You receive this mail because you asked for your money back. Keep it: it is your confirmation.',
  }
}

type Granted = Extract<MoneyBackDecided, { decision: 'approved' }>

/** It was given back apart from the request, as by a refund in Stripe's dashboard. */
const NOTHING_LEFT = 'There is nothing left to give back.'

/** What became of each sum, and when the programme closes. */
const grantedRows = ({ amount, pending, withBank, open, decidedAt, accessEndsAt, timeZone }: Granted): Fact[] => [
  ...(amount > 0 ? [{ label: 'Refunded', value: money(amount), detail: day(decidedAt, timeZone) }] : []),
  ...(pending > 0 ? [{ label: 'On its way', value: money(pending), detail: 'The bank has not confirmed it yet' }] : []),
  ...(withBank > 0 ? [{ label: 'With your bank', value: money(withBank), detail: 'Disputed' }] : []),
  ...(open > 0 ? [{ label: 'Not refunded yet', value: money(open), detail: 'We write to you' }] : []),
  ...(accessEndsAt
    ? [
        {
          label: Date.parse(accessEndsAt) < Date.parse(decidedAt) ? 'Programme closed' : 'Programme closes',
          value: shortDay(accessEndsAt, timeZone),
          detail: moment(accessEndsAt, timeZone),
        },
      ]
    : []),
]

function previewOf({ amount, pending, withBank, open }: Granted): string {
  if (withBank + open > 0) return 'Not all of it could go back yet.'
  return amount + pending > 0 ? BANK_DAYS : NOTHING_LEFT
}

export function moneyBackDecided(data: MoneyBackDecided, { identity }: Setting): Letter {
  if (data.decision === 'declined') {
    return {
      subject: 'About your money-back request',
      preview: 'We could not grant it.',
      heading: 'We could not grant your request',
      blocks: [
        paragraph(
          `You asked for ${money(data.amount)} back. We looked at it on ` +
            `${day(data.decidedAt, data.timeZone)} and could not grant it.`,
        ),
        { type: 'notice', title: 'The reason', line: data.reason },
        ...standingBlocks(data),
        paragraph(`If you see it differently, write to ${identity.contactEmail}.`),
      ],
      because: 'You receive this mail because you asked for your money back.',
    }
  }
  const { amount, pending, withBank, open } = data
  const method = yourMethod(data.paidWith)
  const rows = grantedRows(data)
  const blocks: Block[] = [
    paragraph(
      amount > 0
        ? `We granted your request and refunded ${money(amount)} to ${method}. ${BANK_DAYS}`
        : 'We granted your request.',
    ),
    ...(amount + pending + withBank + open === 0 ? [paragraph(NOTHING_LEFT)] : []),
    ...(pending > 0
      ? [paragraph(`${money(pending)} is on its way to ${method}. You will have a mail when the bank has taken it.`)]
      : []),
    ...(withBank > 0 ? [paragraph(`We could not refund ${money(withBank)}. ${DISPUTED}`)] : []),
    ...(open > 0 ? [paragraph(`The bank did not accept our refund of ${money(open)}. ${PERSON}`)] : []),
    ...(rows.length > 0 ? [{ type: 'facts' as const, rows }] : []),
    ...afterwards(data, !data.accessEndsAt, 'Your subscription has ended and you will not be charged again.'),
  ]
  return {
    subject:
      amount + pending > 0 ? `Granted: ${money(amount + pending)} comes back to you` : 'Your request was granted',
    preview: previewOf(data),
    heading: amount + pending > 0 ? 'Your money comes back to you' : 'Your request was granted',
    blocks,
    because: 'You receive this mail because you asked for your money back.',
  }
}

/** What becomes of a subscription that the mail does not end. */
function standingBlocks(data: Common & { standing?: Stands }): Block[] {
  if (data.standing === 'goes_on') return [paragraph('Your subscription goes on as before.')]
  if (data.standing !== 'stays_cancelled') return []
  if (data.running) return [paragraph('The one that you cancelled stays cancelled.'), ...runningBlocks(data)]
  return [
    paragraph(
      'Your subscription stays cancelled: nothing more is charged, and what you have paid for stays open to its end.',
    ),
  ]
}

/** What is charged after money was given back; `nothing`: the words where that is nothing. */
function afterwards(data: Common & { standing?: Stands }, goesOn: boolean, nothing: string): Block[] {
  // a waiting mail that the release before has written names no standing
  if (goesOn) return standingBlocks({ ...data, standing: data.standing === undefined ? 'goes_on' : data.standing })
  if (!data.running) return [paragraph(nothing)]
  return [paragraph('The subscription that you paid for with it has ended.'), ...runningBlocks(data)]
}

/** H-02: the receipt of a withdrawal, which the buyer can keep. */
export function withdrawalReceived(data: WithdrawalReceived): Letter {
  // a trial may have begun for nothing (P-06)
  const paid = data.amount > 0
  return {
    subject: 'We have received your withdrawal',
    preview: `Received on ${day(data.receivedAt, data.timeZone)}.`,
    heading: 'We have received your withdrawal',
    blocks: [
      paragraph(`You withdrew from the contract for ${listed(data.productIds.map(inSentence))}.`),
      {
        type: 'facts',
        rows: [
          {
            label: 'Received',
            value: shortDay(data.receivedAt, data.timeZone),
            detail: moment(data.receivedAt, data.timeZone),
          },
          { label: 'Refund', value: money(data.amount), detail: paid ? 'The way you paid' : 'Nothing was paid' },
        ],
      },
      ...afterwards(data, data.goesOn === true, 'You will not be charged again.'),
      paragraph(`A second mail ${paid ? 'tells you when the refund is on its way' : 'confirms the end'}.`),
    ],
    because: 'You receive this mail because you withdrew from the contract. Keep it: it is your confirmation.',
  }
}
