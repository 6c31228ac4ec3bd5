/** What operators read is in sight on every screen, however many facts a record has and however long they are. */
import { sql } from 'kysely'
import { expect, test } from '../support/journey.ts'
import type { Stack } from '../support/stack.ts'
import { PERSON } from './members.ts'
import { fitsScreen, member, PAGES, shots, signedIn } from './operator.ts'

// its records would be money owed and mails given up to the other journeys
test.use({ userAgent: PERSON, ownStack: 'operator-fits' })

/** Phones, tablets, desktops, and the narrowest screen of each way to show a record (operator/look.ts). */
const WIDTHS = [320, 360, 390, 601, 768, 901, 1024, 1280, 1301, 1440]

/** Of every kind of record one that fills all its columns, with words as long as the database takes them. */
async function fullRecords({ db }: Stack, sessionId: string, email: string): Promise<void> {
  const [name, reason] = ['ж'.repeat(200), 'Unwiederbringlichkeitserfahrung '.repeat(30)]
  const address = `${'long-'.repeat(12)}${email}`
  const { rows } = await sql<{ id: string }>`insert into money_back_requests
      (session_id, kind, status, amount_cents, listened_sessions, first_paid_at, answer_by, decided_at, decided_by,
       decision_reason, refunded_cents)
    values (${sessionId}, 'withdrawal', 'declined', 13999, 12, now(), now(), now(), ${address}, ${reason}, 0),
      (${sessionId}, 'withdrawal', 'open', 13999, 12, now(), now(), null, null, null, null) returning id`.execute(db)
  await sql`insert into exit_requests
      (kind, contract, name, email, reason, country, effect_at, session_ids, taken_back_at, carried_out_at, outcome)
    values ('withdraw', 'everything', ${name}, ${address}, ${reason}, 'US', now(),
        array_fill(${sessionId}::uuid, array[3]), null, now(), 'not_eligible'),
      ('end', 'subscription', ${name}, ${address}, ${reason}, 'US', now(), '{}', now(), null, null)`.execute(db)
  await sql`insert into owed_refunds (session_id, payment_intent_id, cause, money_back_request_id, wanted_cents, status,
      reason)
    values (${sessionId}, 'pi_3PqXbCLkdIwHu7ix1a2b3c4d', 'no_visit', null, 13999, 'impossible', 'charge_disputed'),
      (${sessionId}, 'pi_3PqXbCLkdIwHu7ix1a2b3c4e', 'duplicate', null, 13999, 'pending', null),
      (${sessionId}, 'pi_3PqXbCLkdIwHu7ix1a2b3c4f', 'money_back', ${rows[0]?.id}, 13999, 'impossible',
        ${'x'.repeat(500)})`.execute(db)
  const earlier = JSON.stringify([{ cents: 13999, at: new Date(), by: address }])
  await sql`insert into owed_refunds (session_id, payment_intent_id, cause, wanted_cents, status, settled_by,
      settled_before)
    values (${sessionId}, 'pi_3PqXbCLkdIwHu7ix1a2b3c4h', 'returned', 13999, 'settled', ${address},
      ${earlier}::jsonb)`.execute(db)
  await sql`insert into charges_without_visit (payment_intent_id, session_id, email, product_id, purpose, amount_cents,
      currency, charged_at, outcome, reason, stripe_customer_id, stripe_subscription_id)
    values ('pi_3PqXbCLkdIwHu7ix1a2b3c4g', ${sessionId}, ${address}, 'trial_1', 'initial', 13999, 'eur', now(),
      'returned', 'no_email', 'cus_QhVbC2LkdIwHu7', 'sub_1PqXbCLkdIwHu7ixa1b2c3d4')`.execute(db)
  await sql`update outbox set dead_at = now(), sent_at = null, attempts = 12, last_error = ${reason}
    where session_id = ${sessionId} and kind = 'conversion:Lead'`.execute(db)
  await sql`insert into webhook_events (id, type, api_version, payload, created, attempts, last_error, dead_at)
    values ('evt_3PqXbCLkdIwHu7ix1a2b3c4d', 'customer.subscription.pending_update_applied', '2026-09-30.dahlia', '{}',
        now(), 12, ${reason}, now()),
      ('evt_3PqXbCLkdIwHu7ix1a2b3c4e', 'customer.subscription.pending_update_applied', '2026-09-30.dahlia', '{}',
        now(), 12, ${reason}, null)`.execute(db)
  await sql`update webhook_events set next_attempt_at = now() + interval '1 hour' where handled_at is null`.execute(db)
  await sql`insert into error_groups (fingerprint, type, message, stack, url, occurrences)
    values ('f1', 'TypeError', ${'x'.repeat(1000)}, ${'at f (x.js:1)\n'.repeat(20)}, ${`/checkout/${'y'.repeat(400)}`},
      1234567)`.execute(db)
  const touch = {
    utm_source: 'newsletter',
    utm_campaign: 'c'.repeat(500),
    url: `https://example.com/?${'z'.repeat(300)}`,
  }
  await sql`update session_metadata set first_touch = ${touch}, last_touch = ${touch}, city = ${'Llan'.repeat(20)}
    where session_id = ${sessionId}`.execute(db)
  await sql`update payments set attribution = ${touch}, refunded_cents = 100, is_duplicate = true
    where session_id = ${sessionId}`.execute(db)
  await sql`update subscriptions set error = ${'x'.repeat(300)} where session_id = ${sessionId}`.execute(db)
  await sql`update product_access_grants set revoked_at = now(), revoked_reason = ${'lost_dispute_'.repeat(10)}
    where session_id = ${sessionId}`.execute(db)
  await sql`update quiz_answers set answer = ${JSON.stringify('w'.repeat(800))}
    where session_id = ${sessionId}`.execute(db)
}

test('U-09 D-08 every record of the operator is in sight from 320 to 1440 px, however long its words', async ({
  page,
  browser,
  stack,
  axe,
}) => {
  const { sessionId } = await member(browser, stack, 'full@example.com')
  await fullRecords(stack, sessionId, 'full@example.com')
  await signedIn(page, stack, `${'o'.repeat(60)}@example.com`)
  const everywhere = async (name: string) => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      await fitsScreen(page)
    }
    await axe()
    await shots(page, `operator-${name}`)
  }
  for (const [link, title] of PAGES) {
    await page.getByRole('link', { name: link, exact: true }).first().click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await everywhere(link.toLowerCase().replace(' ', '-'))
  }
  await page.goto(`/operator/sessions/${sessionId}`)
  await expect(page.getByRole('region', { name: 'Payments' })).toContainText('source: newsletter')
  await everywhere('story')
  await page.goto('/operator/privacy')
  await page.getByLabel('Email address or session id').fill('full@example.com')
  await page.getByRole('button', { name: 'Find the visits' }).click()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await everywhere('privacy-found')
})
