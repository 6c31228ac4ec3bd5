/** The acknowledgement of a statement that was sent without a sign-in (H-02, H-04). */
import { CONTRACT_WORDS } from '../../../contract/exit.ts'
import { type Block, greetingName, link, type Letter, moment, paragraph, shortDay } from '../letter.ts'
import type { ExitReceived } from '../mail.ts'

const END =
  'It counts from that moment. If there is a subscription under this address, it ends: nothing is charged for a ' +
  'period that begins later, what was charged meanwhile comes back to you, and what you have paid for stays open to ' +
  'its end.'
const NOT_FOUND =
  'If you bought with another address, nothing changes with this mail: please send the form again with that address.'

/**
 * The words are the same for every address. What a stranger typed is left out where it could be read as a message: the
 * reason always, a name unless it looks like one.
 */
export function exitReceived(data: ExitReceived): Letter {
  const { effectAt, statement, timeZone } = data
  const at = (instant: string) => moment(instant, timeZone)
  const what = statement === 'end' ? 'cancellation' : 'withdrawal'
  const name = greetingName(data.name)
  const blocks: Block[] = [
    {
      type: 'facts',
      rows: [
        { label: statement === 'end' ? 'Cancel' : 'Withdraw from', value: CONTRACT_WORDS[data.contract] },
        ...(name ? [{ label: 'Name', value: name }] : []),
        { label: 'Received', value: shortDay(data.receivedAt, timeZone), detail: at(data.receivedAt) },
      ],
    },
    ...(effectAt
      ? [
          paragraph(
            `It counts from that moment. We process it from ${at(effectAt)}` +
              `${data.contract === 'guides' ? '' : '; until then nothing more is charged'}. What you have a right to ` +
              'comes back to the card or PayPal account that paid, and nowhere else. Where the right does not exist, ' +
              'or its days were over, what is paid for stays open to its end.',
          ),
        ]
      : [paragraph(END)]),
    paragraph(NOT_FOUND),
    {
      type: 'notice',
      title: 'Was that not you, or a mistake?',
      line: [
        link('Take it back', data.takeBackUrl),
        effectAt ? ` until ${at(effectAt)}, and confirm once.` : ' while the paid time lasts, and confirm once.',
      ],
    },
  ]
  return {
    subject: `We have received your ${what}`,
    preview: `Received on ${at(data.receivedAt)}.`,
    heading: `We have received your ${what}`,
    blocks,
    because:
      'You receive this mail because this address was named on our page for cancelling. Keep it: it confirms it.',
  }
}
