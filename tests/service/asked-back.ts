/** What members do who want their money back: they hear enough sessions and ask. */
import type { Buyer } from './funnel.ts'
import type { Membership } from './membership.ts'

export async function hearSessions({ db }: Membership, sessionId: string, count = 7): Promise<void> {
  const { auth_user_id } = await db
    .selectFrom('users')
    .select('auth_user_id')
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const heard = { user_id: auth_user_id ?? '', played_seconds: 90, length_seconds: 97, counted_at: new Date() }
  await db
    .insertInto('listened_sessions')
    .values(Array.from({ length: count }, (_, day) => ({ ...heard, day: day + 1 })))
    .execute()
}

/** Returns the request's id. */
export async function askBack({ db }: Membership, { browser, sessionId }: Buyer): Promise<string> {
  const [subscription] = (await browser.get('/api/account')).body.subscriptions
  const asked = await browser.post(`/api/subscriptions/${subscription.id}/money-back`)
  if (asked.status !== 200) throw new Error(`not asked: ${JSON.stringify(asked.body)}`)
  const { id } = await db
    .selectFrom('money_back_requests')
    .select('id')
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return id
}
