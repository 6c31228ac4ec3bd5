/** A six-digit code can be used once, even by requests that arrive at the same moment. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useCode } from '../../payments-service/accounts/codes.ts'
import { type Membership, startMembership } from './membership.ts'
import { eventually } from './service.ts'

let world: Membership
beforeAll(async () => void (world = await startMembership()))
afterAll(() => world.stop())

test('A-01 V6.5.1 of three requests with the right code at once, one uses it', async () => {
  const buyer = await world.buyer('typo-once@example.com')
  await buyer.pay()
  const email = 'right-once@example.com'
  await buyer.browser.post(buyer.path('/email/correction'), { email })
  const { code } = (await world.mail(email, 'email_verification_code')).data
  const use = () => useCode(world, 'correct_email', buyer.sessionId, email, code)
  // all of them wait for the lock on the code's row
  const tries = await world.db.transaction().execute(async (tx) => {
    await tx.selectFrom('email_codes').select('id').where('subject', '=', buyer.sessionId).forUpdate().execute()
    const started = Array.from({ length: 3 }, () => Promise.allSettled([use()]))
    const waiting = () =>
      sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(world.db)
    await eventually(waiting, ({ rows }) => rows.length >= 3)
    return started
  })
  const ended = (await Promise.all(tries)).flat()
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const confirmed = await buyer.browser.post(buyer.path('/email/correction/confirm'), { email, code })
  expect(confirmed.body.error?.code).toBe('code_wrong')
})
