/** D-12: all that is stored about a visitor is exported and erased, also what belongs to no visit. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONTENT_DAYS } from '../../payments-service/erasures/erased.queries.ts'
import { forgetOldAskedMails } from '../../payments-service/privacy/asked-mails.ts'
import { eraseVisitor } from '../../payments-service/privacy/erase.ts'
import { exportVisitor } from '../../payments-service/privacy/export.ts'
import { type Buyer, type Funnel, startFunnel } from './funnel.ts'
import { signedOperator } from './operators.ts'
import { eventually, type Browser } from './service.ts'

let funnel: Funnel
let operator: Browser
beforeAll(async () => {
  funnel = await startFunnel()
  operator = (await signedOperator(funnel)).browser
})
afterAll(() => funnel.stop())

const PASSWORD = 'Better Eyes 1'
const chosen = ({ sessionId }: Buyer) => ({ who: sessionId, visits: [sessionId] })

/** A member who has asked for a sign-in link, a new password, and a code that joins earlier purchases. */
async function askedForMails(email: string): Promise<Buyer> {
  const buyer = await funnel.buyer(email)
  await buyer.pay()
  await buyer.browser.post(buyer.path('/account'), { password: PASSWORD, passwordConfirmation: PASSWORD })
  await buyer.browser.post('/api/account/magic-link', { email })
  await buyer.browser.post('/api/account/password/forgot', { email })
  await buyer.browser.post('/api/account/join')
  await eventually(
    async () =>
      (
        await sql<{ kind: string }>`select kind from outbox
          where session_id is null and payload -> 'mail' ->> 'to' = ${email}`.execute(funnel.db)
      ).rows,
    ({ length }) => length === 3,
  )
  for (const kind of ['magic_link', 'password_reset', 'email_verification_code']) {
    await funnel.db
      .insertInto('mail_log')
      .values({ kind, recipient: email, subject: 'Hello', message_id: `<${crypto.randomUUID()}@x>`, result: 'sent' })
      .execute()
  }
  return buyer
}

async function ended(buyer: Buyer): Promise<void> {
  await sql`update subscriptions set status = 'canceled' where session_id = ${buyer.sessionId}`.execute(funnel.db)
}

/** The tables in which a text is found. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`select relname as table from pg_class where relkind in ('r', 'p')
    and relnamespace = 'public'::regnamespace and not relispartition`.execute(funnel.db)
  const found: string[] = []
  for (const { table } of rows) {
    const hit =
      await sql`select from ${sql.table(table)} t where to_jsonb(t)::text ilike ${`%${text}%`} limit 1`.execute(
        funnel.db,
      )
    // counters of the limits end by themselves, ten minutes later
    if (hit.rows.length > 0 && table !== 'rate_limits') found.push(table)
  }
  return found
}

test('D-12 A-05 the mails of an account, which belong to no visit, go with it; others keep theirs', async () => {
  const buyer = await askedForMails('signs.in@example.com')
  const other = await askedForMails('other.member@example.com')
  await ended(buyer)
  await eraseVisitor(funnel.db, chosen(buyer))
  expect(await tablesWith('signs.in@example.com')).toEqual([])
  expect(await tablesWith('other.member@example.com')).toEqual(
    expect.arrayContaining(['auth_user', 'auth_verification', 'email_codes', 'mail_log', 'outbox']),
  )
  expect((await other.browser.get('/api/account')).body.email).toBe('other.member@example.com')
})

test('D-12 A-05 an export has the mails of the account too, without their links and codes', async () => {
  const buyer = await askedForMails('reads.mails@example.com')
  const found = JSON.stringify(await exportVisitor(funnel.db, chosen(buyer)))
  for (const kind of ['mail:magic_link', 'mail:password_reset', 'mail:email_verification_code']) {
    expect(found).toContain(`"${kind}"`)
    expect(found).toContain(`"${kind.slice('mail:'.length)}"`)
  }
  expect(found).not.toMatch(/#[\w-]{20,}|"code":"\d{6}"/)
})

/** Jobs that mail what was asked for with an address or a visit's id, as they stay when they cannot be done. */
async function waitingFor(kind: string, subject: string, days: number | null): Promise<void> {
  await sql`insert into outbox (kind, dedupe_key, payload, next_attempt_at, dead_at) values ('asked_mail',
    ${`asked_mail:${crypto.randomUUID()}`}, ${JSON.stringify({ kind, subject })}, now() + interval '1 hour',
    now() - make_interval(days => ${days}))`.execute(funnel.db)
}

test('D-12 A-05 mails that were asked for and cannot be sent are exported and erased with the visitor', async () => {
  const email = 'asks.in.vain@example.com'
  const buyer = await funnel.buyer(email)
  await buyer.pay()
  await sql`update sessions set email_proved_at = now() where id = ${buyer.sessionId}`.execute(funnel.db)
  await waitingFor('magic_link', email, 1)
  await waitingFor('password_reset', email, null)
  await waitingFor('resume_link', buyer.sessionId, 1)
  await waitingFor('magic_link', 'somebody.else@example.com', 1)
  const who = { who: email, visits: [buyer.sessionId] }
  const told = (await exportVisitor(funnel.db, who))['outbox'] as { kind: string; payload: { kind: string } }[]
  expect(told.flatMap(({ kind, payload }) => (kind === 'asked_mail' ? [payload.kind] : [])).toSorted()).toEqual([
    'magic_link',
    'password_reset',
    'resume_link',
  ])
  await ended(buyer)
  await eraseVisitor(funnel.db, who)
  expect(await tablesWith(email)).toEqual([])
  const left = sql`select from outbox where payload ->> 'subject' = ${buyer.sessionId}`
  expect((await left.execute(funnel.db)).rows).toHaveLength(0)
  expect(await tablesWith('somebody.else@example.com')).toEqual(['outbox'])
})

test('D-12 a mail that was asked for and cannot be sent is kept as long as the contents of events', async () => {
  await waitingFor('magic_link', 'long.ago@example.com', CONTENT_DAYS + 1)
  await waitingFor('magic_link', 'of.late@example.com', CONTENT_DAYS - 1)
  await forgetOldAskedMails(funnel.db)
  expect(await tablesWith('long.ago@example.com')).toEqual([])
  expect(await tablesWith('of.late@example.com')).toEqual(['outbox'])
})

/** Tables that name a visit and are not exported, with the reason. */
const LEFT_OUT = {
  session_access: 'hashes of tokens',
  handover_codes: 'hashes of codes',
  erasures: 'of a visit that has nothing left to export',
  upsell_turns: 'for seconds, while an add-on is bought',
  counted_visits: 'that its answers were counted, and nothing else',
}

test('D-12 every table that names a visit is in its export, or is left out for a reason', async () => {
  const buyer = await funnel.buyer()
  await buyer.pay()
  const found = Object.keys(await exportVisitor(funnel.db, chosen(buyer)))
  const { rows } = await sql<{ table: string }>`
    select distinct c.relname as table from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
        and not a.attisdropped
        and a.attname in ('session_id', 'session_ids', 'session_key', 'subscription_id')`.execute(funnel.db)
  const missing = rows.map(({ table }) => table).filter((table) => !found.includes(table))
  expect(missing.toSorted()).toEqual(Object.keys(LEFT_OUT).toSorted())
})

test('D-12 what a dispute, an owed refund and a new price say about a visitor is exported', async () => {
  const buyer = await funnel.buyer()
  const paymentIntentId = await buyer.pay()
  const { sessionId } = buyer
  await sql`insert into disputes (id, session_id, payment_intent_id, amount_cents, currency, status, opened_at)
    values ('dp_export', ${sessionId}, ${paymentIntentId}, 100, 'usd', 'needs_response', now())`.execute(funnel.db)
  await sql`insert into price_changes (subscription_id, price_id, old_cents, new_cents)
    select id, 'price_x', 1900, 2900 from subscriptions where session_id = ${sessionId}`.execute(funnel.db)
  const found = await exportVisitor(funnel.db, chosen(buyer))
  expect(found['disputes']).toMatchObject([{ id: 'dp_export' }])
  expect(found['price_changes']).toMatchObject([{ old_cents: 1900, new_cents: 2900 }])
})

test('D-12 an export has what Stripe told about the visitor, and nothing that would pay or open a page', async () => {
  const [buyer, other] = await Promise.all([funnel.buyer('told.by.stripe@example.com'), funnel.buyer()])
  await Promise.all([buyer.pay(), other.pay()])
  const told = await eventually(
    async () => (await exportVisitor(funnel.db, chosen(buyer)))['webhook_events'] as { type: string }[],
    (events) => events.some(({ type }) => type === 'invoice.paid'),
  )
  expect(told.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['payment_intent.succeeded', 'charge.succeeded', 'customer.subscription.created']),
  )
  const words = JSON.stringify(told)
  expect(words).toContain('told.by.stripe@example.com')
  expect(words).not.toContain(other.sessionId)
  const { rows: stored } = await sql`select payload from webhook_events`.execute(funnel.db)
  const key = /_secret|https?:/
  expect(JSON.stringify(stored)).toMatch(key)
  expect(words).not.toMatch(key)
  await ended(buyer)
  await eraseVisitor(funnel.db, chosen(buyer))
  // an event that is still being handled is emptied with that
  await eventually(
    () => tablesWith('told.by.stripe@example.com'),
    (tables) => tables.length === 0,
  )
})

test('D-12 P-12 what a dispute tells of the buyer is exported and erased, also what comes afterwards', async () => {
  const buyer = await funnel.buyer()
  const intent = await buyer.pay()
  const { latest_charge: charge } = await funnel.dashboard('GET', `/v1/payment_intents/${intent}`)
  const dispute = await funnel.control('POST', 'disputes', { charge })
  const answer = { 'evidence[customer_name]': 'Zephyrina', 'evidence[customer_purchase_ip]': '203.0.113.77' }
  await funnel.dashboard('POST', `/v1/disputes/${dispute.id}`, { ...answer, submit: 'false' })
  const handled = (type: string) =>
    eventually(
      () =>
        funnel.db
          .selectFrom('webhook_events')
          .select('handled_at')
          .where('object_id', '=', dispute.id)
          .where('type', '=', type)
          .execute(),
      (events) => events.length > 0 && events.every(({ handled_at }) => handled_at !== null),
    )
  await handled('charge.dispute.updated')
  const exported = JSON.stringify(await exportVisitor(funnel.db, chosen(buyer)))
  expect(exported.includes('Zephyrina')).toBe(true)
  await ended(buyer)
  await eraseVisitor(funnel.db, chosen(buyer))
  expect([await tablesWith('Zephyrina'), await tablesWith('203.0.113.77')]).toEqual([[], []])
  await funnel.dashboard('POST', `/v1/disputes/${dispute.id}/close`)
  await handled('charge.dispute.closed')
  expect(await tablesWith('Zephyrina')).toEqual([])
})

test('D-12 U-09 the button on the page of one visit exports that visit', async () => {
  const buyer = await funnel.buyer('one.press@example.com')
  const { body: page } = await operator.get(`/operator/sessions/${buyer.sessionId}`)
  const form = /<form[^>]*action="\/operator\/privacy\/export"[^]*?<\/form>/.exec(page)?.[0] ?? ''
  const fields = [...form.matchAll(/name="(\w+)"\s+value="([^"]*)"/g)].map(([, name, value]) => [name, value])
  const { body } = await operator.form('/operator/privacy/export', Object.fromEntries(fields))
  expect(body.sessions).toMatchObject([{ id: buyer.sessionId, email: 'one.press@example.com' }])
})
