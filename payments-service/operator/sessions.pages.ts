import type { SubscriptionView } from '../../contract/members.ts'
import type { Deps } from '../deps.ts'
import { dollars, html, long, type Markup, moment, table, visitLink } from './html.ts'
import { exitTable } from './exits.pages.ts'
import { owedTable } from './owed.pages.ts'
import { hidden } from './page.ts'
import { isCancelled, stateOf } from '../subscriptions/state.ts'
import { listSessions, readStory } from './sessions.queries.ts'

export async function sessionsPage({ db }: Deps, formToken: string, search = ''): Promise<Markup> {
  const rows = await listSessions(db, search)
  return html`<form class="bar" method="post" action="/operator" role="search">
      ${hidden(formToken)}
      <label
        >Email address (or how it begins), or session id
        <input name="search" type="search" value="${search}" size="38" autocomplete="off"
      /></label>
      <button>Search</button>${search ? html`<a href="/operator">Latest</a>` : ''}
    </form>
    ${table(
      search ? `Found (${rows.length})` : 'The 10 latest',
      ['Created', 'Email', 'Furthest', 'Price', 'Payment', 'Conversion', 'Source', 'Where', 'Session'],
      rows.map((row) => [
        html`<a href="/operator/sessions/${row.id}">${row.created_at}</a>`,
        row.email ? long(row.email) : html`<span class="quiet">none yet</span>`,
        row.is_bot
          ? html`<span class="warn">bot</span>`
          : row.furthest === null
            ? '–'
            : row.furthest === 0
              ? 'Welcome'
              : `step ${row.furthest}`,
        dollars(row.selected_price_cents),
        html`<span class="${row.payment_status === 'paid' ? 'good' : row.payment_status === 'unpaid' ? 'quiet' : 'bad'}"
          >${row.payment_status}</span
        >`,
        row.conversion_status ?? '–',
        row.source ?? 'direct',
        [row.country, row.device_type].filter(Boolean).join(', ') || '–',
        visitLink(row.id),
      ]),
      search ? 'Nobody with this address or id.' : 'No visitor yet.',
    )}`
}

type Story = NonNullable<Awaited<ReturnType<typeof readStory>>>

/** One session's whole story. Undefined when there is no such session. */
export async function storyPage({ db }: Deps, sessionId: string, formToken: string): Promise<Markup | undefined> {
  const story = await readStory(db, sessionId)
  if (!story) return undefined
  const { id } = story.session
  return html`<dl>
      ${factsOf(story).map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value || '–'}</dd>
          </div>`,
      )}
    </dl>
    <form class="bar" method="post" action="/operator/privacy/export">
      ${hidden(formToken)} <input type="hidden" name="who" value="${id}" />
      <input type="hidden" name="visit" value="${id}" /><button class="plain">Export everything (JSON)</button>
      <a href="/upsell-links/${id}">Upsell links</a>
    </form>
    ${paymentTable(story)} ${owedTable(story.owed)} ${subscriptionTable(story, formToken)}
    ${exitTable('Cancelled or withdrew on /exit', story.exits)} ${answerTables(story)} ${eventTables(story)}`
}

/** Who the visitor is, where they came from and how far they went. */
function factsOf({ session, metadata }: Story): [string, Markup | string | null | undefined][] {
  return [
    ['Session', long(session.id)],
    ['Email', session.email && long(session.email)],
    ['Name', session.name],
    ['Created', moment(session.created_at)],
    ['Last activity', moment(session.last_activity_at)],
    ['Price', dollars(session.selected_price_cents)],
    ['Payment', session.payment_status],
    ['Conversion', session.conversion_status],
    ['Pressed Order', moment(session.checkout_opened_at)],
    ['Exit intent', moment(session.exit_intent_at)],
    [
      'Quiz completed',
      session.quiz_completed_at ? html`${session.quiz_completed_at} in ${session.quiz_completion_time} s` : null,
    ],
    ['Device', [metadata?.device_type, metadata?.os, metadata?.browser].filter(Boolean).join(', ')],
    ['Place', [metadata?.city, metadata?.country, metadata?.timezone].filter(Boolean).join(', ')],
    ['Language, screen', [metadata?.language, metadata?.screen_resolution].filter(Boolean).join(', ')],
    ['First touch', touch(metadata?.first_touch)],
    ['Last touch', touch(metadata?.last_touch)],
  ]
}

/** L-06: what the address said, where and when; the known parameters without the prefix that all of them have. */
const touch = (found: unknown): Markup | null =>
  found
    ? long(
        Object.entries(found)
          .map(([name, value]) => `${name.replace(/^utm_/, '')}: ${String(value)}`)
          .join(', '),
      )
    : null

function paymentTable({ payments }: Story): Markup {
  return table(
    'Payments',
    ['When', 'Product', 'For', 'Amount', 'Refunded', 'Method', 'Status', 'Came from', 'Intent'],
    payments.map((row) => [
      row.settled_at ?? row.created_at,
      row.product_id,
      row.purpose,
      dollars(row.amount_cents),
      dollars(row.refunded_cents),
      row.payment_method,
      row.is_duplicate ? html`<span class="warn">duplicate</span>` : row.status,
      touch(row.attribution) ?? '–',
      row.payment_intent_id,
    ]),
  )
}

/** What a failed charge left open is tried again until the end, however near that is. */
const OWING: ReadonlySet<string> = new Set<SubscriptionView['state']>(['late', 'unpaid'])

function subscriptionTable({ session, subscriptions }: Story, formToken: string): Markup {
  return table(
    'Subscriptions',
    ['Since', 'Product', 'Status', 'Trial and period end', 'Cancelled', 'At Stripe', 'For the buyer'],
    subscriptions.map((row) => [
      row.created_at,
      row.product_id,
      row.error ? html`<span class="long bad">${row.status}: ${row.error}</span>` : row.status,
      html`${moment(row.trial_end)}<br />${moment(row.current_period_end)}`,
      moment(row.canceled_at ?? row.cancel_at ?? row.cancel_requested_at),
      row.stripe_subscription_id,
      isCancelled(row) && !OWING.has(stateOf(row)) ? '–' : cancelForm(row.id, session.id, formToken),
    ]),
  )
}

/** H-04: who wrote or called instead of using the page is cancelled here, as they would have done it themselves. */
function cancelForm(id: string, sessionId: string, formToken: string): Markup {
  return html`<form method="post" action="/operator/subscriptions/${id}/cancel">
    ${hidden(formToken)} <input type="hidden" name="visit" value="${sessionId}" />
    <label class="check"><input type="checkbox" name="sure" value="yes" required /> The buyer asked for it</label>
    <button class="danger">Cancel</button>
  </form>`
}

function answerTables({ grants, answers }: Story): Markup {
  return html`${table(
    'Access',
    ['Since', 'Product', 'By', 'Ended', 'Why'],
    grants.map((row) => [
      row.granted_at,
      row.product_id,
      row.granted_via,
      moment(row.revoked_at),
      long(row.revoked_reason),
    ]),
  )}
  ${table(
    'Answers',
    ['Question', 'Answer', 'Answered'],
    answers.map((row) => [row.question_id, long(row.answer), row.updated_at]),
  )}`
}

function eventTables({ outbox, timeline }: Story): Markup {
  return html`${table(
    'Outgoing',
    ['Queued', 'What', 'Sent', 'Tries', 'Trouble'],
    outbox.map((row) => [
      row.created_at,
      row.kind,
      row.dead_at
        ? html`<span class="bad">given up ${row.dead_at}</span>`
        : (row.sent_at ?? html`<span class="quiet">due ${row.next_attempt_at}</span>`),
      row.attempts,
      long(row.last_error),
    ]),
  )}
  ${table(
    'What happened, newest first',
    ['When (UTC)', 'What', 'Details'],
    timeline.map((row) => [row.at, row.what, long(row.detail ?? '')]),
  )}`
}
