import type { AccountView } from '../../contract/members.ts'
import type { Deps } from '../deps.ts'
import { openedBy } from '../grants/open.ts'
import type { Deadline } from '../http/deadline.ts'
import { countListened } from '../money-back/money-back.queries.ts'
import { subscriptionsOf, viewSubscription } from './subscription-view.ts'
import { type Member, paidSessionsOf } from '../accounts/member.ts'
import { hasPassword } from '../accounts/sign-in.ts'

/** the account and what it may open. */
export async function viewAccount(deps: Deps, member: Member, by: Deadline): Promise<AccountView> {
  const { db } = deps
  const { programme, guides } = await openedBy(db, member.sessionIds)
  const rows = await subscriptionsOf(db, member.sessionIds)
  const paid = member.emailVerified ? [] : await paidSessionsOf(deps, member.email)
  return {
    email: member.email,
    name: member.name,
    emailVerified: member.emailVerified,
    hasPassword: await hasPassword(deps, member.userId),
    ordersToJoin: paid.filter((id) => !member.sessionIds.includes(id)).length,
    programme: programme ? 'open' : 'closed',
    guides,
    listened: await countListened(db, member.userId),
    subscriptions: await Promise.all(rows.map((row) => viewSubscription(deps, row, by))),
  }
}
