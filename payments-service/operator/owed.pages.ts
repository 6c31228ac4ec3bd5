import { sql } from 'kysely'
import type { Json } from '../../db/types.ts'
import type { Deps } from '../deps.ts'
import { applyGrants } from '../grants/grants.queries.ts'
import {
  applyOwed,
  applyRequest,
  type Cause,
  chargeState,
  enqueueRefund,
  isHeld,
  isTaken,
  missing,
  NOTHING_LEFT,
  type OwedRow,
  selectOwed,
} from '../refunds/owed.queries.ts'
import { lockSession } from '../sessions/lock.ts'
import { counted, total } from './counted.ts'
import { dollars, html, long, type Markup, table, visitLink } from './html.ts'
import { hidden } from './page.ts'

const CAUSES: Readonly<Record<Cause, string>> = {
  duplicate: 'Paid twice (P-14)',
  undo_add_on: 'Add-on taken back (H-05)',
  money_back: 'Request for money back',
  erased: 'Paid after the visitor was erased',
  returned: 'Refund from the dashboard that the bank sent back',
  cancelled: 'Charged after the buyer had cancelled (H-04)',
  no_visit: 'Its visit was lost and could not be adopted (P-10)',
}

/** Why a refund cannot arrive: Stripe's failure reasons and error codes in plain words. */
const REASONS: Readonly<Record<string, string>> = {
  charge_disputed:
    'The buyer disputed the charge: the bank holds or has given back the money. Look at the dispute. ' +
    'Stripe refuses a refund until you win it.',
  lost_or_stolen_card: 'The card was lost or stolen. Ask the buyer where the money may go.',
  expired_or_canceled_card: 'The card has expired or was closed. Ask the buyer where the money may go.',
  insufficient_funds: 'There is too little money in our balance at Stripe.',
  declined: 'The bank declined the refund.',
  merchant_request: 'The refund was cancelled in the dashboard.',
  unknown: 'The bank sent it back without a reason.',
}

/** In place of the buttons while a dispute is undecided. */
const WAIT =
  'Pay it in no other way: if you lose, the bank pays the buyer. To give it back now, accept the dispute at Stripe.'

const STATES: Readonly<Record<string, string>> = {
  waiting: 'to be asked for at Stripe',
  pending: 'on its way, the bank has not agreed yet',
  refunded: 'refunded',
  impossible: 'needs you',
  settled: 'settled in another way',
}

const reasonWords = (reason: string | null): string => (reason ? (REASONS[reason] ?? reason) : '–')

/** What is owed back and has not arrived: first what needs a person, then what is under way. */
export async function owedSection({ db }: Deps, formToken: string): Promise<Markup> {
  const owed = (...states: string[]) =>
    db
      .selectFrom('owed_refunds as o')
      .innerJoin('sessions as s', 's.id', 'o.session_id')
      .selectAll('o')
      .select(['s.email', total])
      .where('o.status', 'in', states)
      // what the bank has given back needs nobody, unless an appeal is won
      .where(({ not, or, eb }) => or([eb('o.status', '!=', 'impossible'), not(NOTHING_LEFT)]))
      .orderBy('o.created_at')
      .limit(200)
      .execute()
  const [needy, under] = [await owed('impossible'), await owed('waiting', 'pending')]
  const charges = new Map<string, Awaited<ReturnType<typeof chargeState>>>()
  for (const row of [...needy, ...under]) charges.set(row.id, await chargeState(db, row.payment_intent_id))
  const head = ['Since', 'Who', 'Why', 'Not back yet']
  const facts = (row: (typeof needy)[number]) => [
    row.created_at,
    visitLink(row.session_id, row.email),
    CAUSES[row.cause as Cause],
    html`${dollars(missing(row, charges.get(row.id)))}<br />${row.payment_intent_id}`,
  ]
  return html`${table(
    counted('Refunds that need you', needy),
    [...head, 'What happened', ''],
    needy.map((row) => [
      ...facts(row),
      html`<span class="long bad">${reasonWords(row.reason)}</span>`,
      answersTo(row, charges.get(row.id), formToken),
    ]),
    'Every refund arrived or is under way.',
  )}${table(
    'Refunds under way',
    [...head, 'State'],
    under.map((row) => [...facts(row), STATES[row.status] ?? row.status]),
    'None.',
  )}`
}

function answersTo({ id }: OwedRow, charge: Awaited<ReturnType<typeof chargeState>>, formToken: string): Markup {
  if (charge && isHeld(charge)) return long(WAIT)
  const again = !(charge && isTaken(charge))
  return html`<form class="bar" method="post" action="/operator/refunds/${id}">
    ${hidden(formToken)}${again && html`<button name="act" value="again">Try again</button>`}<button
      class="plain"
      name="act"
      value="settled"
    >
      I paid it in another way
    </button>
  </form>`
}

type Shown = OwedRow & { nothing_left: boolean }

const stateWords = ({ status, nothing_left: nothing }: Shown): string =>
  status === 'impossible' && nothing ? 'nothing of it is missing' : (STATES[status] ?? status)

function stateOf(row: Shown): Markup {
  const before = row.settled_before as { cents: number; at: string; by: string }[]
  return html`${stateWords(row)}${row.settled_by && html` by ${row.settled_by}, ${row.updated_at}`}
  ${before.map(
    ({ cents, at, by }) => html`<br />before that, ${dollars(cents)} ${STATES['settled']} by ${by}, ${new Date(at)}`,
  )}`
}

/** All that was ever owed back to a visit. */
export function owedTable(rows: readonly Shown[]): Markup {
  return table(
    'Owed back',
    ['Since', 'Why', 'Owed', 'Refunded', 'State', 'Intent'],
    rows.map((row) => [
      row.created_at,
      CAUSES[row.cause as Cause],
      dollars(row.wanted_cents),
      dollars(row.back_cents),
      long(stateOf(row)),
      row.payment_intent_id,
    ]),
  )
}

/** The state of each charge of a request, one line each. */
export async function chargesOf({ db }: Deps, requestIds: readonly string[]): Promise<Map<string, Markup>> {
  const rows =
    requestIds.length === 0 ? [] : await selectOwed(db).where('money_back_request_id', 'in', requestIds).execute()
  const lines = new Map<string, Shown[]>()
  for (const row of rows) {
    const id = row.money_back_request_id ?? ''
    lines.set(id, [...(lines.get(id) ?? []), row])
  }
  const isNeedy = (row: Shown) => row.status === 'impossible' && !row.nothing_left
  const line = (row: Shown) =>
    html`<li>${dollars(row.wanted_cents)}: ${stateWords(row)}${isNeedy(row) ? `. ${reasonWords(row.reason)}` : ''}</li>`
  return new Map(
    [...lines].map(([id, list]) => [
      id,
      html`<ul class="long">
        ${list.map(line)}
      </ul>`,
    ]),
  )
}

/** Paid by hand is what was missing. What the bank has given back stays in the row: an appeal that is won owes it. */
function settledBy(row: OwedRow, paid: number, operator: string) {
  const wanted_cents = row.wanted_cents - paid
  if (wanted_cents === row.back_cents) return { status: 'settled', settled_by: operator }
  const entry = sql`jsonb_build_object('cents', ${paid}::int, 'at', now(), 'by', ${operator}::text)`
  return { wanted_cents, settled_before: sql<Json>`settled_before || jsonb_build_array(${entry})` }
}

/**
 * An operator's answer to a refund that cannot arrive: try again, or settled by hand (a bank transfer). False when it
 * does not wait for an answer, or not any more, or nothing is missing of it; while a dispute about it is undecided,
 * because the bank would pay its buyer as well; and when it is tried again after one was lost: that would only mail its
 * buyer the same once more.
 */
export async function answerOwed(deps: Deps, id: string, act: 'again' | 'settled', operator: string): Promise<boolean> {
  const done = await deps.db.transaction().execute(async (tx) => {
    const about = await tx.selectFrom('owed_refunds').select('session_id').where('id', '=', id).executeTakeFirst()
    if (!about) return false
    await lockSession(tx, about.session_id)
    const found = await tx.selectFrom('owed_refunds').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const charge = await chargeState(tx, found.payment_intent_id)
    const paid = missing(found, charge)
    if (charge && isHeld(charge)) return false
    if (act === 'again' ? charge && isTaken(charge) : paid === 0) return false
    const failed = sql<number>`(select count(distinct stripe_id)::int from payment_facts
      where payment_intent_id = ${found.payment_intent_id} and kind = 'refund_failed')`
    const row = await tx
      .updateTable('owed_refunds')
      .set(
        act === 'again'
          ? { status: 'waiting', round: found.round + 1, refusals: 0, forgiven: failed, reason: null }
          : settledBy(found, paid, operator),
      )
      .where('id', '=', id)
      .where('status', '=', 'impossible')
      .returningAll()
      .executeTakeFirst()
    if (!row) return false
    if (act === 'again') {
      await enqueueRefund(tx, row)
      await applyOwed(tx, row.payment_intent_id)
    }
    // what it had bought is given back
    else await applyGrants(tx, row.session_id)
    if (row.money_back_request_id) await applyRequest(tx, row.money_back_request_id)
    return true
  })
  deps.wake('outbox')
  return done
}
