/** How long evidence is kept: agreements, consents, statements of /exit; and what the privacy page says of it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVIDENCE } from '../../contract/duties/table.ts'
import { forgetOldEvidence } from '../../payments-service/privacy/evidence.ts'
import { EXIT_MONTHS } from '../../payments-service/privacy/exits.ts'
import { root } from '../../scripts/settings.ts'
import { type Buyer, type Funnel, startFunnel } from './funnel.ts'
import { eventually } from './service.ts'

let funnel: Funnel
beforeAll(async () => void (funnel = await startFunnel({ background: false })))
afterAll(() => funnel.stop())

/** Makes evidence of a visit as old as `months`, and ends its subscription so many months ago. */
async function age({ sessionId }: Buyer, months: number, endedMonthsAgo: number | null): Promise<void> {
  await funnel.db.transaction().execute(async (tx) => {
    // as old evidence lies there: its triggers forbid to change it
    await sql`set local session_replication_role = replica`.execute(tx)
    const then = sql`now() - make_interval(months => ${months}, days => 1)`
    await sql`update agreements set agreed_at = ${then} where session_id = ${sessionId}`.execute(tx)
    await sql`update consents set recorded_at = ${then} where session_id = ${sessionId}`.execute(tx)
    if (endedMonthsAgo !== null) {
      await sql`update subscriptions set status = 'canceled',
        ended_at = now() - make_interval(months => ${endedMonthsAgo}, days => 1)
        where session_id = ${sessionId}`.execute(tx)
    }
  })
}
const left = async ({ sessionId }: Buyer) => {
  const { rows } = await sql<{ agreements: number; consents: number; payments: number }>`select
    (select count(*)::int from agreements where session_id = ${sessionId}) as agreements,
    (select count(*)::int from consents where session_id = ${sessionId}) as consents,
    (select count(*)::int from payments where session_id = ${sessionId}) as payments`.execute(funnel.db)
  return Object.values(rows[0] ?? {})
}
async function bought(): Promise<Buyer> {
  const buyer = await funnel.buyer()
  await buyer.pay()
  await eventually(
    () =>
      funnel.db
        .selectFrom('subscriptions')
        .select('status')
        .where('session_id', '=', buyer.sessionId)
        .executeTakeFirstOrThrow(),
    ({ status }) => status === 'trialing',
  )
  await funnel.db
    .insertInto('consents')
    .values({ session_id: buyer.sessionId, kind: 'marketing', granted: true, wording: 'Yes', page: 'checkout' })
    .execute()
  return buyer
}

test('H-03 D-13 evidence ends three years later and a year after the contract, not before; payments stay', async () => {
  const [over, running, justEnded, young] = [await bought(), await bought(), await bought(), await bought()]
  await age(over, EVIDENCE.months, EVIDENCE.monthsAfterEnd)
  await age(running, EVIDENCE.months, null)
  await age(justEnded, EVIDENCE.months, EVIDENCE.monthsAfterEnd - 1)
  await age(young, EVIDENCE.months - 1, EVIDENCE.monthsAfterEnd)
  const before = await left(over)
  expect(before).toEqual([1, 1, 1])
  // two replicas do it at once
  const deleted = await Promise.all([forgetOldEvidence(funnel.db), forgetOldEvidence(funnel.db)])
  expect(deleted[0] + deleted[1]).toBe(2)
  expect(await left(over)).toEqual([0, 0, 1])
  for (const other of [running, justEnded, young]) expect(await left(other)).toEqual([1, 1, 1])
  expect(await forgetOldEvidence(funnel.db)).toBe(0)
})

test('H-03 D-13 more old evidence than one round holds ends in one go', async () => {
  const { sessionId } = await bought()
  await sql`insert into consents (session_id, kind, granted, wording, page, recorded_at)
    select ${sessionId}, 'marketing', true, 'Yes', 'checkout',
      now() - make_interval(months => ${EVIDENCE.months}, days => 1)
    from generate_series(1, 1001)`.execute(funnel.db)
  await sql`update subscriptions set status = 'canceled', ended_at = now() - make_interval(months => 99)
    where session_id = ${sessionId}`.execute(funnel.db)
  expect(await forgetOldEvidence(funnel.db, () => false)).toBe(0)
  expect(await forgetOldEvidence(funnel.db)).toBe(1001)
})

test('D-13 a consent to health answers stays as long as they do; evidence stays unchanged to its end', async () => {
  const buyer = await bought()
  const { sessionId } = buyer
  const consent = { session_id: sessionId, kind: 'health', granted: true, wording: 'I agree', page: 'quiz' }
  await funnel.db.insertInto('consents').values(consent).execute()
  const answers = [{ questionId: 'eyeColor', answer: 'blue', answeredAt: new Date().toISOString() }]
  expect((await buyer.browser.post(buyer.path('/answers'), { answers })).status).toBe(200)
  await age(buyer, EVIDENCE.months, EVIDENCE.monthsAfterEnd)
  expect(await forgetOldEvidence(funnel.db)).toBe(2)
  const kinds = await funnel.db.selectFrom('consents').select('kind').where('session_id', '=', sessionId).execute()
  expect(kinds).toEqual([{ kind: 'health' }])
  await age(buyer, EVIDENCE.months - 1, EVIDENCE.monthsAfterEnd)
  const all = funnel.db.deleteFrom('consents').where('session_id', '=', sessionId)
  await expect(all.execute()).rejects.toThrow(/append-only/)
  const change = funnel.db.updateTable('consents').set({ granted: false }).where('session_id', '=', sessionId)
  await expect(change.execute()).rejects.toThrow(/append-only/)
})

test('G-01 the privacy page says how long evidence and statements of leaving are kept, as the upkeep does', () => {
  const text = readFileSync(join(root, 'studio', 'dataset', 'legal.ndjson'), 'utf8')
  expect(text).toContain(
    `What you agreed and consented to: ${EVIDENCE.months} months, and until ` +
      `${EVIDENCE.monthsAfterEnd} months after your subscription has ended.`,
  )
  expect(text).toContain(`What you sent us on the page “Cancel or withdraw”: ${EXIT_MONTHS} months.`)
})
