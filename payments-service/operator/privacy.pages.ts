import type { Database } from '../../db/connect.ts'
import { eraseVisitor, NotErasable } from '../privacy/erase.ts'
import { withdrawHealthOf, withdrawnWords } from '../privacy/health.ts'
import { type FoundVisit, listVisits } from '../privacy/visitor.ts'
import { html, type Markup, moment, table } from './html.ts'
import { hidden } from './page.ts'

export interface Notice {
  text: string
  bad?: boolean
}

const TIES: Readonly<Record<string, string>> = {
  visit: 'typed in the quiz',
  payment: 'of a payment',
  customer: 'of a customer',
  account: 'of the account',
}

/** D-12: asks for a person, then which of the visits found; export and erase take only the ticked ones. */
export async function privacyPage(db: Database, formToken: string, who = '', notice?: Notice): Promise<Markup> {
  const visits = who ? await listVisits(db, who) : []
  const none = who && visits.length === 0 ? 'Nobody with this address or id.' : undefined
  const words = notice?.text ?? none
  return html`${words ? html`<p class="notice${notice?.bad || none ? ' bad' : ''}" role="status">${words}</p>` : ''}
    <form class="bar" method="post" action="/operator/privacy" role="search">
      ${hidden(formToken)}
      <label
        >Email address or session id <input name="who" value="${who}" required size="38" autocomplete="off" /></label
      ><button>Find the visits</button>
    </form>
    ${visits.length > 0 ? choose(formToken, who, visits) : ''}`
}

function choose(formToken: string, who: string, visits: readonly FoundVisit[]): Markup {
  const rows = visits.map((visit) => [
    html`<label class="check"
      ><input
        type="checkbox"
        name="visit"
        value="${visit.id}"
        ${visit.proved || visits.length === 1 ? html`checked` : ''}
      />
      ${visit.id.slice(0, 8)}…</label
    >`,
    moment(visit.createdAt),
    visit.paymentStatus,
    visit.proved ? html`<span class="good">proved</span>` : html`<span class="warn">typed only</span>`,
    visit.tiedBy.map((tie) => TIES[tie] ?? tie).join(', ') || 'named by its id',
    visit.live
      ? html`<span class="bad">live subscription: <a href="/operator/sessions/${visit.id}">cancel it</a> first</span>`
      : '–',
  ])
  return html`<form method="post" action="/operator/privacy/export">
    ${hidden(formToken)}<input type="hidden" name="who" value="${who}" />
    ${table(`Visits (${visits.length})`, ['Visit', 'Created', 'Payment', 'Address', 'Tied by', 'Erasing'], rows)}
    <p>
      “Proved”: the mailbox was read, by a code or a link that was mailed there. “Typed only”: anybody may have typed
      this address. Choose such a visit only when the person says it is theirs, and shows how.
    </p>
    <p><button>Export the ticked visits</button></p>
    <h2>Erase</h2>
    <p>
      Answers, page views, addresses and names go for good. Payments stay without a name, as bookkeeping needs them. A
      visit with a live subscription is left out.
    </p>
    <p>
      Whoever writes to take back only the consent to keep answers about health: the answers of the quiz go for good,
      everything else stays, a subscription too.
    </p>
    <div class="bar">
      <label class="check"><input type="checkbox" name="sure" value="yes" /> I am sure: this cannot be undone</label>
      <button class="danger" formaction="/operator/privacy/erase">Erase the ticked visits</button>
      <button class="danger" formaction="/operator/privacy/health">Take back only their health consent</button>
    </div>
  </form>`
}

/** Erases the chosen visits except those that are still charged. Resolves to the message to show. */
export async function eraseChosen(db: Database, who: string, chosen: readonly string[]): Promise<Notice> {
  const found = (await listVisits(db, who)).filter(({ id }) => chosen.includes(id))
  if (found.length === 0) return { text: 'Nothing was erased: no visit was ticked.', bad: true }
  const live = found.filter((visit) => visit.live).length
  const kept =
    live > 0
      ? ` ${live === 1 ? 'One visit was' : `${live} visits were`} left out: there is a live subscription. ` +
        `Cancel it first.`
      : ''
  const visits = found.filter((visit) => !visit.live).map(({ id }) => id)
  if (visits.length === 0) return { text: `Nothing was erased.${kept}`, bad: true }
  try {
    const { sessions, stripeCustomers } = await eraseVisitor(db, { who, visits })
    const stripe =
      stripeCustomers.length > 0 ? ` At Stripe the customer is still known: ${stripeCustomers.join(', ')}.` : ''
    return { text: `Erased: ${sessions} ${sessions === 1 ? 'session' : 'sessions'}.${stripe}${kept}`, bad: live > 0 }
  } catch (error) {
    if (!(error instanceof NotErasable)) throw error
    return { text: `Nothing was erased. ${error.message}`, bad: true }
  }
}

/** Takes the health consent of the chosen visits back, whether they are still charged or not. */
export async function withdrawChosen(db: Database, who: string, visits: readonly string[]): Promise<Notice> {
  const count = await withdrawHealthOf(db, { who, visits })
  return count > 0
    ? { text: withdrawnWords(count) }
    : { text: 'Nothing was deleted: no ticked visit has a health consent or answers.', bad: true }
}
