import type { Database } from '../../db/connect.ts'
import { html, long, type Markup, table, visitLink } from './html.ts'
import { hidden } from './page.ts'

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
  const dead = await db
    .selectFrom('outbox')
    .select(columns)
    .where('dead_at', 'is not', null)
    .orderBy('dead_at', 'desc')
    .limit(200)
    .execute()
  const waiting = await db
    .selectFrom('outbox')
    .select(columns)
    .where('dead_at', 'is', null)
    .where('sent_at', 'is', null)
    .where('attempts', '>', 0)
    .orderBy('next_attempt_at')
    .limit(200)
    .execute()
  const unread = await db
    .selectFrom('webhook_events')
    .select(['id', 'type', 'api_version', 'received_at', 'last_error'])
    .where('dead_at', 'is not', null)
    .where('handled_at', 'is', null)
    .orderBy('dead_at', 'desc')
    .limit(200)
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
  const session = (id: string | null): Markup | string => (id ? visitLink(id) : '–')
  return html`${table(
    `Given up (${dead.length})`,
    ['Given up', 'What', 'Session', 'Tries', 'Why', ''],
    dead.map((row) => [
      row.dead_at,
      row.kind,
      session(row.session_id),
      row.attempts,
      long(row.last_error),
      html`<form method="post" action="/operator/letters/${row.id}/retry">
        ${hidden(formToken)}<button class="plain">Send again</button>
      </form>`,
    ]),
    'Nothing was given up.',
  )}${table(
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
  )}${table(
    `Stripe's events that cannot be read (${unread.length})`,
    ['Received', 'Event', 'Type', 'API version', 'Why', ''],
    unread.map((row) => [
      row.received_at,
      row.id,
      long(row.type),
      row.api_version ?? '–',
      long(row.last_error),
      html`<form method="post" action="/operator/events/${row.id}/retry">
        ${hidden(formToken)}<button class="plain">Read again</button>
      </form>`,
    ]),
    'Every event can be read.',
  )}${table(
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
