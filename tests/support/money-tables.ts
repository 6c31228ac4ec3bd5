/** The tables of docs/money.md, cell by cell, as the code defines them. */
import { INTENT_STATUS } from '../../payments-service/stripe/intent-status.ts'
import { STATUS } from '../../payments-service/stripe/subscription-status.ts'
import { EVENTS } from '../../payments-service/webhooks/event-table.ts'

const code = (text: string): string => `\`${text}\``
const yes = (fact: boolean): string => (fact ? 'yes' : '')

/** By the heading of the section that contains the table. */
export const MONEY_TABLES: Record<string, string[][]> = {
  'Payment intents and set-ups': [
    ['Status', 'Here', 'Over'],
    ...Object.entries(INTENT_STATUS).map(([status, { state, over }]) => [code(status), state, yes(over)]),
  ],
  Subscriptions: [
    ['Status', 'Its owner reads', 'Over', 'Live', 'Access', 'Renews', 'Owed'],
    ...Object.entries(STATUS).map(([status, { state, over, live, access, renews, owed }]) => [
      code(status),
      state,
      ...[over, live, access, renews, owed].map(yes),
    ]),
  ],
  Events: [
    ['Event', 'Object', 'Action', 'When Stripe sends it'],
    ...Object.entries(EVENTS).map(([type, { object, action, means }]) => [
      code(type),
      code(object),
      code(action),
      means,
    ]),
  ],
}

/** A table as Markdown, unaligned; prettier aligns it. */
export function markdown([head = [], ...rows]: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
