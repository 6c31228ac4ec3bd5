import type { Deps } from '../deps.ts'
import { listMoneyBackRequests, type MoneyBackCase } from '../money-back/decide.ts'
import { dollars, html, long, type Markup, moment, table, visitLink } from './html.ts'
import { lostVisitsSection } from './lost-visits.pages.ts'
import { chargesOf, owedSection } from './owed.pages.ts'
import { hidden } from './page.ts'

const KINDS: Readonly<Record<string, string>> = { guarantee: 'Guarantee (A-07)', withdrawal: 'Withdrawal (H-02)' }

const STATUS_WORDS: Readonly<Record<string, string>> = {
  refunding: 'granted, under way',
  refunded: 'granted, done',
  incomplete: 'granted, not all could go back',
}

/** Nothing may be left to give back: of what began for nothing, or where it went back while the request waited. */
const grantWords = ({ amount_cents: cents }: MoneyBackCase): string =>
  cents > 0 ? `Give ${dollars(cents)} back` : 'Grant it (nothing to give back)'

/** Requests for money back: approving one starts the refund, declining needs a sentence for the buyer. */
export async function moneyBackPage(deps: Deps, formToken: string, trouble?: string): Promise<Markup> {
  const open = await listMoneyBackRequests(deps, 'open')
  const decided = await listMoneyBackRequests(deps, 'decided')
  const charges = await chargesOf(
    deps,
    decided.map(({ id }) => id),
  )
  const head = ['Asked', 'Answer by', 'Who', 'Kind', 'Amount', 'Listened', 'First paid']
  const facts = (one: MoneyBackCase) => [
    one.requested_at,
    html`<span class="${one.status === 'open' && one.answer_by < new Date() ? 'bad' : ''}"
      >${moment(one.answer_by)}</span
    >`,
    visitLink(one.sessionId, one.email),
    KINDS[one.kind] ?? one.kind,
    dollars(one.amount_cents),
    `${one.listened_sessions} sessions`,
    one.first_paid_at,
  ]
  return html`${trouble ? html`<p class="notice bad" role="alert">${trouble}</p>` : ''}${table(
    `Waiting (${open.length})`,
    [...head, 'Decide'],
    open.map((one) => [
      ...facts(one),
      html`<form class="bar" method="post" action="/operator/money-back/${one.id}">
          ${hidden(formToken)}<button name="decision" value="approve">${grantWords(one)}</button>
        </form>
        <form class="bar" method="post" action="/operator/money-back/${one.id}">
          ${hidden(formToken)}<label>Reason for the buyer <input name="reason" required maxlength="1000" /></label
          ><button class="plain" name="decision" value="decline">Decline</button>
        </form>`,
    ]),
    'Nobody waits for an answer.',
  )}${await owedSection(deps, formToken)}${await lostVisitsSection(deps)}${table(
    'Decided',
    [...head, 'Decision', 'Charge by charge', 'By', 'When', 'Reason'],
    decided.map((one) => [
      ...facts(one),
      STATUS_WORDS[one.status] ?? one.status,
      charges.get(one.id) ?? '–',
      long(one.decided_by),
      moment(one.decided_at),
      long(one.decision_reason),
    ]),
  )}`
}
