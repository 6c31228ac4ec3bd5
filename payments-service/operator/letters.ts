import type { Database } from '../../db/connect.ts'
import { BY_CLASS, deadKinds, deadTypes, UNRECORDED_PAYMENT } from '../jobs/given-up.queries.ts'
import { counted, total } from './counted.ts'
import { html, long, type Markup, table, visitLink } from './html.ts'
import { hidden } from './page.ts'

const SHOWN = 200

/** A button that is a form. */
const press = (formToken: string, path: string, words: string, fields?: Markup): Markup =>
  html`<form method="post" action="/operator/${path}">
    ${hidden(formToken)}${fields}<button class="plain">${words}</button>
  </form>`

/** What was not sent: what is given up until an operator sends it again, and what failed and will be retried. */
export async function lettersPage(db: Database, formToken: string): Promise<Markup> {
  const columns = [
    'id',
    'kind',
    'session_id',
    'created_at',
    'attempts',
    'last_error',
    'dead_at',
    'next_attempt_at',
  ] as const
  const kinds = await deadKinds(db)
  const idle = new Set(kinds.flatMap((one) => (one.idle ? [one.kind] : [])))
  const dead = await db
    .selectFrom('outbox')
    .select([...columns, total])
    .where('dead_at', 'is not', null)
    .orderBy(BY_CLASS)
    .orderBy('dead_at', 'desc')
    .limit(SHOWN)
    .execute()
  const waiting = await db
    .selectFrom('outbox')
    .select(columns)
    .where('dead_at', 'is', null)
    .where('sent_at', 'is', null)
    .where('attempts', '>', 0)
    .orderBy(BY_CLASS)
    .orderBy('next_attempt_at')
    .limit(SHOWN)
    .execute()
  const session = (id: string | null): Markup | string => (id ? visitLink(id) : '–')
  return html`${table(
    counted('Given up', dead),
    ['Given up', 'What', 'Session', 'Tries', 'Why', ''],
    dead.map((row) => [
      row.dead_at,
      row.kind,
      session(row.session_id),
      row.attempts,
      long(row.last_error),
      html`${press(formToken, `letters/${row.id}/retry`, 'Send again')}
      ${idle.has(row.kind) && press(formToken, `letters/${row.id}/aside`, 'Set aside')}`,
    ]),
    'Nothing was given up.',
  )}${
    kinds.length > 0 &&
    table(
      'All of one kind',
      ['What', 'Given up', ''],
      kinds.map(({ kind, dead: many, idle: may }) => {
        const field = html`<input type="hidden" name="kind" value="${kind}" />`
        return [
          kind,
          many,
          html`${press(formToken, 'letters/all/retry', 'Send all again', field)}
          ${may && press(formToken, 'letters/all/aside', 'Set all aside', field)}`,
        ]
      }),
    )
  }${table(
    'Failed, will be tried again',
    ['Queued', 'What', 'Session', 'Tries', 'Next try', 'Why'],
    waiting.map((row) => [
      row.created_at,
      row.kind,
      session(row.session_id),
      row.attempts,
      row.next_attempt_at,
      long(row.last_error),
    ]),
  )}${await eventsPart(db, formToken)}`
}

/** Stripe's events that cannot be read, or fail. */
async function eventsPart(db: Database, formToken: string): Promise<Markup> {
  const types = await deadTypes(db)
  const unread = await db
    .selectFrom('webhook_events as e')
    .select(['id', 'type', 'api_version', 'received_at', 'last_error', total, UNRECORDED_PAYMENT.as('waits')])
    .where('dead_at', 'is not', null)
    .where('handled_at', 'is', null)
    .orderBy('dead_at', 'desc')
    .limit(SHOWN)
    .execute()
  const inbox = await db
    .selectFrom('webhook_events')
    .select(['id', 'type', 'received_at', 'attempts', 'last_error'])
    .where('handled_at', 'is', null)
    .where('dead_at', 'is', null)
    .where('attempts', '>', 2)
    .orderBy('received_at', 'desc')
    .limit(50)
    .execute()
  return html`${table(
    counted("Stripe's events that cannot be read", unread),
    ['Received', 'Event', 'Type', 'API version', 'Why', ''],
    unread.map((row) => [
      row.received_at,
      row.id,
      long(row.type),
      row.api_version ?? '–',
      long(row.last_error),
      html`${press(formToken, `events/${row.id}/retry`, 'Read again')}
      ${!row.waits && press(formToken, `events/${row.id}/aside`, 'Set aside')}`,
    ]),
    'Every event can be read.',
  )}${
    types.length > 0 &&
    table(
      'All of one type',
      ['Type', 'Cannot be read', ''],
      types.map(({ type, dead, idle: may }) => {
        const field = html`<input type="hidden" name="type" value="${type}" />`
        return [
          long(type),
          dead,
          html`${press(formToken, 'events/all/retry', 'Read all again', field)}
          ${may && press(formToken, 'events/all/aside', 'Set all aside', field)}`,
        ]
      }),
    )
  }${table(
    "Stripe's events that fail",
    ['Received', 'Event', 'Type', 'Tries', 'Why'],
    inbox.map((row) => [row.received_at, row.id, long(row.type), row.attempts, long(row.last_error)]),
  )}`
}

export async function errorsPage(db: Database): Promise<Markup> {
  const groups = await db.selectFrom('error_groups').selectAll().orderBy('last_seen', 'desc').limit(100).execute()
  return table(
    'Errors in browsers, newest first',
    ['Last seen', 'First seen', 'Times', 'What', 'Where', 'Stack'],
    groups.map((row) => [
      row.last_seen,
      row.first_seen,
      row.occurrences,
      long(html`<strong>${row.type}</strong>: ${row.message}`),
      long(row.url),
      row.stack
        ? html`<details>
            <summary>Stack</summary>
            <pre>${row.stack}</pre>
          </details>`
        : '–',
    ]),
    'No browser reported an error.',
  )
}
