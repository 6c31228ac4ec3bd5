/** Letters that time sets off while a subscription runs. */
import { everyWords } from '../../../contract/period.ts'
import { button, day, link, money, moment, paragraph, quiet, shortDay, type Letter } from '../letter.ts'
import type { SecondWithdrawal, YearlyReminder } from '../mail.running.ts'
import { ABOUT_SUBSCRIPTION, endBlocks, everyLabel, howLong, yourMethod } from './words.ts'

/** Price, period and how to leave. */
export function yearlyReminder(data: YearlyReminder): Letter {
  const { timeZone } = data
  const price = `${money(data.amount)} ${everyWords(data.period)}`
  const next = day(data.nextChargeAt, timeZone)
  const other = data.nextAmount === data.amount ? '' : '. What is taken off or added is counted in'
  return {
    subject: `Your subscription: ${price}, until ${data.endsAt ? shortDay(data.endsAt, timeZone) : 'you cancel'}`,
    preview: `Nothing to do if you would like to stay. Next charge: ${money(data.nextAmount)} on ${next}.`,
    heading: 'Your subscription runs on',
    blocks: [
      paragraph(`You have had your subscription since ${day(data.since, timeZone)}. This is what it costs:`),
      {
        type: 'facts',
        rows: [
          { label: 'Price', detail: `${everyLabel(data.period)}, ${howLong(data)}`, value: money(data.amount) },
          {
            label: 'Next charge',
            detail: `${next}, charged to ${yourMethod(data.paidWith)}${other}`,
            value: money(data.nextAmount),
          },
        ],
      },
      ...endBlocks(data),
      {
        type: 'notice',
        title: 'Do you still use it?',
        line: [
          'If not, ',
          link('cancel your subscription', data.cancelUrl),
          ' and confirm once: nothing more is charged, and what you have paid for stays open to its end.',
        ],
      },
      paragraph('Would you like to stay? Then there is nothing to do.'),
    ],
    because: ABOUT_SUBSCRIPTION,
  }
}

/** H-02: the second time to withdraw, from the first paid period on. */
export function secondWithdrawal(data: SecondWithdrawal): Letter {
  const { timeZone } = data
  const until = moment(data.until, timeZone)
  return {
    subject: `You may withdraw until ${shortDay(data.until, timeZone)} and get your money back`,
    preview: `Your subscription has renewed. Until ${until} you may withdraw without giving a reason.`,
    heading: 'You may still withdraw',
    blocks: [
      paragraph(
        `On ${day(data.from, timeZone)} the time that you paid for with your order ended, and the subscription goes ` +
          `on: ${money(data.amount)} ${everyWords(data.period)}, ${howLong(data)}.`,
      ),
      ...endBlocks(data),
      {
        type: 'notice',
        title: 'Your right to withdraw',
        line: [
          `From that day on you have had another time to withdraw, without giving a reason. It ends on ${until}. ` +
            'Then the subscription ends at once and all that you paid for it goes back the way it was paid.',
        ],
      },
      button('Withdraw from the contract', data.withdrawUrl),
      quiet('Would you rather stop later? ', link('Cancel your subscription', data.cancelUrl), ' at any time.'),
    ],
    because: ABOUT_SUBSCRIPTION,
  }
}
