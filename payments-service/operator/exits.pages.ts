import type { Deps } from '../deps.ts'
import { listExits } from '../exit/exit.queries.ts'
import type { ExitRow } from '../exit/receive.ts'
import { html, long, type Markup, moment, table, visitLink } from './html.ts'

const WORDS: Readonly<Record<string, string>> = {
  end: 'ends',
  withdraw: 'withdraws',
  ended: 'ended',
  withdrawn: 'asked for under Money back',
  not_eligible: 'no right to withdraw: charges ended, nothing given back',
  nothing: 'no contract under this address',
}

function standing(row: ExitRow): Markup | string {
  if (row.taken_back_at) return html`taken back ${moment(row.taken_back_at)}`
  if (!row.outcome) return html`<span class="warn">waits until ${moment(row.effect_at)}</span>`
  return WORDS[row.outcome] ?? row.outcome
}

/** Statements received without a sign-in (H-02, H-04). */
export function exitTable(title: string, rows: readonly ExitRow[]): Markup {
  return table(
    title,
    ['Received', 'What', 'Who', 'Reason', 'What became of it', 'Visits'],
    rows.map((row) => [
      row.received_at,
      `${WORDS[row.kind] ?? row.kind}: ${row.contract}`,
      long(html`${row.name}<br />${row.email}${row.country === null ? '' : html`<br />${row.country}`}`),
      long(row.reason),
      standing(row),
      row.session_ids.length === 0 ? '–' : row.session_ids.map((id) => html`${visitLink(id)} `),
    ]),
    'None.',
  )
}

export async function exitsPage({ db }: Deps): Promise<Markup> {
  return exitTable('The 100 latest', await listExits(db, undefined))
}
